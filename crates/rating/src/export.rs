//! Turns and moves as tables, for pandas, DuckDB, R and the like.
//!
//! There are two tables. `turns` has a row for every turn of the view, those not used included, with the
//! reason. `moves` has a row for every legal move of every evaluated turn, in the engine's order, with
//! its scores at every depth. `game` and `ply` join them. `docs/study-format.md` names the columns.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use errare_engine::{EngineKey, Score};
use serde::Serialize;
use shakmaty::Color;

use self::table::{Columns, Sink, Type};
use crate::{Entry, Study, StudyError, Turn, View};

/// Rows that are gathered before they are written.
const BATCH: usize = 1 << 16;
/// What a mate counts in the columns of centipawns.
const MATE_IN_CENTIPAWNS: i32 = 10_000;

/// The format of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values.
    Csv,
    /// Parquet, if Errare was built with it.
    Parquet,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// The view.
    pub engine: EngineKey,
    /// Rows of the table of turns.
    pub turns: usize,
    /// Rows of the table of moves.
    pub moves: usize,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// Why nothing was exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A file cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The program cannot write Parquet.
    #[error(
        "this errare was built without Parquet; export --csv, or build it with \
         cargo install --path crates/cli --features parquet"
    )]
    NoParquet,
    /// The study fails.
    #[error(transparent)]
    Study(#[from] StudyError),
}

impl Study {
    /// Writes the tables of a view into a directory.
    pub fn export(
        &self,
        view: &View,
        directory: &Path,
        format: Format,
    ) -> Result<Exported, ExportError> {
        fs::create_dir_all(directory).map_err(|source| ExportError::Write {
            path: directory.to_owned(),
            source,
        })?;
        let mut turns = File::create(directory, "turns", turn_columns(), format)?;
        let mut moves = File::create(directory, "moves", move_columns(view.engine.depth), format)?;
        let mut failed = Ok(());
        self.visit(view, |entry| {
            if failed.is_ok() {
                failed = rows(&entry, &mut turns, &mut moves);
            }
        })?;
        failed?;
        Ok(Exported {
            engine: view.engine.clone(),
            turns: turns.rows,
            moves: moves.rows,
            files: vec![turns.finish()?, moves.finish()?],
        })
    }
}

fn rows(entry: &Entry, turns: &mut File, moves: &mut File) -> Result<(), ExportError> {
    turn_row(entry, &mut turns.columns);
    turns.row()?;
    if let Entry::Used(turn) | Entry::Decided(turn) = entry {
        for rank in 0..turn.options.len() {
            move_row(turn, rank, &mut moves.columns);
            moves.row()?;
        }
    }
    Ok(())
}

fn turn_columns() -> Columns {
    Columns::new([
        ("game", Type::Integer),
        ("ply", Type::Integer),
        ("move_number", Type::Integer),
        ("colour", Type::Text),
        ("player", Type::Text),
        ("elo", Type::Integer),
        ("opponent", Type::Text),
        ("opponent_elo", Type::Integer),
        ("event", Type::Text),
        ("date", Type::Text),
        ("time_control", Type::Text),
        ("result", Type::Text),
        ("fen", Type::Text),
        ("played", Type::Text),
        ("clock", Type::Real),
        ("exclusion", Type::Text),
        ("legal", Type::Integer),
        ("played_rank", Type::Integer),
        ("best_cp", Type::Integer),
        ("played_cp", Type::Integer),
    ])
}

fn turn_row(entry: &Entry, columns: &mut Columns) {
    let place = entry.place();
    let game = &place.game;
    let turn = match entry {
        Entry::Used(turn) | Entry::Decided(turn) => Some(turn),
        Entry::Excluded(..) => None,
    };
    let cp = |option: fn(&Turn) -> usize| turn.map(|t| centipawns(t.options[option(t)].score));
    let mut row = columns.row();
    row.integer(i32::try_from(game.id.0).ok());
    row.integer(Some(signed(place.ply)));
    row.integer(Some(signed(place.move_number())));
    row.text(Some(match place.colour() {
        Color::White => "white",
        Color::Black => "black",
    }));
    row.text(Some(&place.player().name));
    row.integer(place.player().elo.map(i32::from));
    row.text(Some(&place.opponent().name));
    row.integer(place.opponent().elo.map(i32::from));
    row.text(game.event());
    row.text(game.date());
    row.text(game.time_control());
    row.text(game.result());
    row.text(Some(&place.fen));
    row.text(Some(&place.played.to_string()));
    row.real(place.clock);
    row.text(entry.exclusion().map(|reason| reason.as_str()));
    row.integer(turn.map(|turn| count(turn.options.len())));
    row.integer(turn.map(|turn| count(turn.played + 1)));
    row.integer(cp(|_| 0));
    row.integer(cp(|turn| turn.played));
}

fn move_columns(depth: u8) -> Columns {
    let fixed = [
        ("game", Type::Integer),
        ("ply", Type::Integer),
        ("rank", Type::Integer),
        ("uci", Type::Text),
        ("played", Type::Flag),
        ("cp", Type::Integer),
        ("mate", Type::Integer),
    ];
    let fixed = fixed.map(|(name, of)| (name.to_owned(), of));
    let by_depth = (1..=depth).map(|depth| (format!("cp_{depth}"), Type::Integer));
    Columns::new(fixed.into_iter().chain(by_depth))
}

fn move_row(turn: &Turn, rank: usize, columns: &mut Columns) {
    let option = &turn.options[rank];
    let mut row = columns.row();
    row.integer(i32::try_from(turn.place.game.id.0).ok());
    row.integer(Some(signed(turn.place.ply)));
    row.integer(Some(count(rank + 1)));
    row.text(Some(&option.uci.to_string()));
    row.flag(rank == turn.played);
    row.integer(Some(centipawns(option.score)));
    row.integer(match option.score {
        Score::Mate(moves) => Some(moves),
        Score::Centipawns(_) => None,
    });
    for score in &option.by_depth {
        row.integer(score.map(centipawns));
    }
}

fn centipawns(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) => MATE_IN_CENTIPAWNS * moves.signum(),
    }
}

fn signed(number: u32) -> i32 {
    i32::try_from(number).expect("no game is so long")
}

fn count(number: usize) -> i32 {
    i32::try_from(number).expect("no position has so many moves")
}

/// A table on its way into a file, which gets its name when it is finished.
struct File {
    columns: Columns,
    sink: Box<dyn Sink>,
    rows: usize,
    path: PathBuf,
    partial: PathBuf,
}

impl File {
    fn create(
        directory: &Path,
        name: &str,
        columns: Columns,
        format: Format,
    ) -> Result<File, ExportError> {
        let extension = match format {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
        };
        let path = directory.join(format!("{name}.{extension}"));
        let partial = directory.join(format!("{name}.{extension}.partial"));
        let open = || fs::File::create(&partial);
        let error = |source| ExportError::Write {
            path: partial.clone(),
            source,
        };
        let sink: Box<dyn Sink> = match format {
            Format::Csv => Box::new(csv::CsvSink::new(open().map_err(error)?)),
            #[cfg(feature = "parquet")]
            Format::Parquet => {
                let file = open().map_err(error)?;
                Box::new(parquet::ParquetSink::new(file, &columns).map_err(error)?)
            }
            #[cfg(not(feature = "parquet"))]
            Format::Parquet => return Err(ExportError::NoParquet),
        };
        Ok(File {
            columns,
            sink,
            rows: 0,
            path,
            partial,
        })
    }

    /// Another row is filled.
    fn row(&mut self) -> Result<(), ExportError> {
        self.rows += 1;
        if self.columns.rows() == BATCH {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ExportError> {
        let written = self.sink.write(&self.columns);
        self.columns.clear();
        written.map_err(|source| self.error(source))
    }

    fn finish(mut self) -> Result<PathBuf, ExportError> {
        self.flush()?;
        let ended = self.sink.finish();
        let ended = ended.and_then(|()| fs::rename(&self.partial, &self.path));
        ended.map_err(|source| self.error(source))?;
        Ok(self.path.clone())
    }

    fn error(&self, source: io::Error) -> ExportError {
        ExportError::Write {
            path: self.path.clone(),
            source,
        }
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.partial);
    }
}
