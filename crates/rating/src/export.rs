//! Exports turns and moves as tables, for pandas, DuckDB, R and the like.
//!
//! There are two tables. `turns` has a row for every turn of the view, including excluded ones with their reason.
//! `moves` has a row for every legal move of every evaluated turn, in the engine's order, with its scores at every
//! depth. They join on `game` and `ply`. `docs/study-format.md` names the columns.

mod csv;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use errare_core::{NewFile, Stopped, Watch};
use errare_engine::{EngineKey, Score};
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Color, fen::Fen, san::SanPlus, uci::UciMove};

use self::table::{Columns, Sink, Type};
use crate::{EvaluatedTurn, EvaluationView, Study, StudyError, TurnEntry, costs};

/// Rows collected before they are written.
const BATCH: usize = 1 << 16;
/// The value of a mate in the columns of centipawns.
const MATE_IN_CENTIPAWNS: i32 = 10_000;

/// The format of the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum ExportFormat {
    /// Comma-separated values.
    Csv,
    /// Parquet, if Errare was built with it.
    Parquet,
}

/// A summary of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Exported {
    /// The view.
    pub engine: EngineKey,
    /// Rows of the table of turns.
    pub turns: usize,
    /// Rows of the table of moves.
    pub moves: usize,
    /// The files.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<String>))]
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
    /// This build cannot write Parquet.
    #[error("Errare was built without the feature `parquet`; CSV works without it")]
    NoParquet,
    /// It was stopped and wrote nothing.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The study failed.
    #[error(transparent)]
    Study(#[from] StudyError),
}

impl Study {
    /// Writes the tables of a view into a directory. Files of the same names are replaced once both tables are complete.
    ///
    /// ```
    /// use errare_rating::{Study, export::ExportFormat};
    ///
    /// # let directory = errare_testing::scratch_directory();
    /// # let (file, lines) = (directory.join("study.db"), errare_testing::TURNS);
    /// let mut study = Study::open_or_create(&file)?;
    /// study.import(lines.as_bytes())?;
    /// let view = study.view(None, None)?;
    /// let exported = study.export(&view, &directory, ExportFormat::Csv, &())?;
    /// assert_eq!((exported.turns, exported.moves), (2, 16));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export(
        &self,
        view: &EvaluationView,
        directory: &Path,
        format: ExportFormat,
        watch: &dyn Watch,
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
                let go_on = watch.check().map_err(ExportError::from);
                failed = go_on.and_then(|()| rows(&entry, &view.engine, &mut turns, &mut moves));
            }
        })?;
        failed?;
        Ok(Exported {
            engine: view.engine.clone(),
            turns: turns.rows,
            moves: moves.rows,
            files: File::finish([turns, moves])?,
        })
    }
}

fn rows(
    entry: &TurnEntry,
    engine: &EngineKey,
    turns: &mut File,
    moves: &mut File,
) -> Result<(), ExportError> {
    let position = position(&entry.place().fen)?;
    let turn = entry.turn();
    let costs = turn.map(|turn| {
        let pawns: Vec<f64> = turn.options.iter().map(|it| it.score.pawns()).collect();
        costs(&pawns)
    });
    turn_row(
        entry,
        engine,
        &position,
        costs.as_deref(),
        &mut turns.columns,
    );
    turns.row()?;
    if let (Some(turn), Some(costs)) = (turn, &costs) {
        for (rank, &cost) in costs.iter().enumerate() {
            move_row(turn, rank, &position, cost, &mut moves.columns);
            moves.row()?;
        }
    }
    Ok(())
}

fn position(fen: &str) -> Result<Chess, StudyError> {
    let damaged = || StudyError::Damaged(format!("{fen} is not a legal position"));
    let parsed: Fen = fen.parse().map_err(|_| damaged())?;
    parsed
        .into_position(CastlingMode::Standard)
        .map_err(|_| damaged())
}

/// A move in standard algebraic notation; `None` if it is illegal.
fn san(position: &Chess, uci: UciMove) -> Option<String> {
    let played = uci.to_move(position).ok()?;
    Some(SanPlus::from_move(position.clone(), played).to_string())
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
        ("site", Type::Text),
        ("round", Type::Text),
        ("date", Type::Text),
        ("time_control", Type::Text),
        ("result", Type::Text),
        ("fen", Type::Text),
        ("played", Type::Text),
        ("san", Type::Text),
        ("clock", Type::Real),
        ("exclusion", Type::Text),
        ("legal", Type::Integer),
        ("played_rank", Type::Integer),
        ("best_cp", Type::Integer),
        ("played_cp", Type::Integer),
        ("cost", Type::Real),
        ("engine", Type::Text),
        ("net", Type::Text),
        ("depth", Type::Integer),
    ])
}

fn turn_row(
    entry: &TurnEntry,
    engine: &EngineKey,
    position: &Chess,
    costs: Option<&[f64]>,
    columns: &mut Columns,
) {
    let place = entry.place();
    let game = &place.game;
    let turn = entry.turn();
    let cp =
        |option: fn(&EvaluatedTurn) -> usize| turn.map(|t| centipawns(t.options[option(t)].score));
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
    row.text(game.tag("Site"));
    row.text(game.tag("Round"));
    row.text(game.date());
    row.text(game.time_control());
    row.text(game.result());
    row.text(Some(&place.fen));
    row.text(Some(&place.played.to_string()));
    row.text(san(position, place.played).as_deref());
    row.real(place.clock);
    row.text(entry.exclusion().map(|reason| reason.as_str()));
    row.integer(turn.map(|turn| count(turn.options.len())));
    row.integer(turn.map(|turn| count(turn.played + 1)));
    row.integer(cp(|_| 0));
    row.integer(cp(|turn| turn.played));
    row.real(turn.zip(costs).map(|(turn, costs)| costs[turn.played]));
    row.text(Some(
        format!("{} {}", engine.name, engine.version).trim_end(),
    ));
    row.text(Some(&*engine.net).filter(|net| !net.is_empty()));
    row.integer(Some(engine.depth.into()));
}

fn move_columns(depth: u8) -> Columns {
    let fixed = [
        ("game", Type::Integer),
        ("ply", Type::Integer),
        ("rank", Type::Integer),
        ("uci", Type::Text),
        ("san", Type::Text),
        ("played", Type::Flag),
        ("cp", Type::Integer),
        ("mate", Type::Integer),
        ("cost", Type::Real),
    ];
    let fixed = fixed.map(|(name, of)| (name.to_owned(), of));
    let by_depth = (1..=depth).map(|depth| (format!("cp_{depth}"), Type::Integer));
    Columns::new(fixed.into_iter().chain(by_depth))
}

fn move_row(turn: &EvaluatedTurn, rank: usize, position: &Chess, cost: f64, columns: &mut Columns) {
    let option = &turn.options[rank];
    let mut row = columns.row();
    row.integer(i32::try_from(turn.place.game.id.0).ok());
    row.integer(Some(signed(turn.place.ply)));
    row.integer(Some(count(rank + 1)));
    row.text(Some(&option.uci.to_string()));
    row.text(san(position, option.uci).as_deref());
    row.flag(rank == turn.played);
    row.integer(Some(centipawns(option.score)));
    row.integer(match option.score {
        Score::Mate(moves) => Some(moves),
        Score::Centipawns(_) => None,
    });
    row.real(Some(cost));
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

/// A table being written to a file that gets its name when it is finished.
struct File {
    columns: Columns,
    sink: Box<dyn Sink>,
    rows: usize,
    path: PathBuf,
}

impl File {
    fn create(
        directory: &Path,
        name: &str,
        columns: Columns,
        format: ExportFormat,
    ) -> Result<File, ExportError> {
        let extension = match format {
            ExportFormat::Csv => "csv",
            ExportFormat::Parquet => "parquet",
        };
        let path = directory.join(format!("{name}.{extension}"));
        let open = || NewFile::create(&path);
        let error = |source| ExportError::Write {
            path: path.clone(),
            source,
        };
        let sink: Box<dyn Sink> = match format {
            ExportFormat::Csv => Box::new(csv::CsvSink::new(open().map_err(error)?)),
            #[cfg(feature = "parquet")]
            ExportFormat::Parquet => {
                let file = open().map_err(error)?;
                Box::new(parquet::ParquetSink::new(file, &columns).map_err(error)?)
            }
            #[cfg(not(feature = "parquet"))]
            ExportFormat::Parquet => return Err(ExportError::NoParquet),
        };
        Ok(File {
            columns,
            sink,
            rows: 0,
            path,
        })
    }

    /// Completes a row.
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
        written.map_err(|source| ExportError::Write {
            path: self.path.clone(),
            source,
        })
    }

    /// Writes the rest of both files, and only then moves them into place.
    fn finish(files: [File; 2]) -> Result<Vec<PathBuf>, ExportError> {
        let mut complete = Vec::new();
        for mut file in files {
            file.flush()?;
            let File { sink, path, .. } = file;
            match sink.finish() {
                Ok(file) => complete.push((file, path)),
                Err(source) => return Err(ExportError::Write { path, source }),
            }
        }
        let place = |(file, path): (NewFile, PathBuf)| match file.finish() {
            Ok(()) => Ok(path),
            Err(source) => Err(ExportError::Write { path, source }),
        };
        complete.into_iter().map(place).collect()
    }
}
