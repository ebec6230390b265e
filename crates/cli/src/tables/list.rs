//! `errare tables list`: what is in the directory.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use comfy_table::{Cell, Color as CellColor, Table};
use errare_core::{Material, Metric, Moves, Outcome, Plies};
use errare_tables::{Description, FileError, Layer, Listed};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use shakmaty::Color;

use crate::{directory::Directory, output, words};

/// Lists the tables in the directory, with their greatest depths
///
/// For each metric: the moves of White's deepest win, White to move, and of Black's, Black to move.
/// A damaged file is marked, and makes the exit code 1; what is inside the blocks of a file is
/// checked by `errare tables verify`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    directory: Directory,

    /// List every file as JSON, depths in plies
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare tables list
  errare tables list --json --tables /data/tables";

/// Lists the tables.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let store = arguments.directory.open()?;
    let listed = store.list()?;
    if arguments.json {
        output::json(&listed.iter().map(File::new).collect::<Vec<_>>())?;
    } else if listed.is_empty() {
        talk!(
            "there are no tables in {}; build some with `errare tables build`",
            store.directory().display()
        );
    } else {
        let mut out = anstream::stdout().lock();
        writeln!(out, "{}", table(&listed).trim_fmt())?;
        summarise(&mut out, &listed)?;
    }
    let mut damaged = false;
    for file in &listed {
        if let Err(error) = &file.description {
            damaged = true;
            talk!("errare: {}", words::with_causes(error));
        }
    }
    Ok(ExitCode::from(u8::from(damaged)))
}

/// A file of a table.
#[derive(Serialize)]
struct File<'a> {
    endgame: Material,
    metric: Layer,
    path: String,
    bytes: u64,
    /// What is wrong with it.
    damage: Option<String>,
    #[serde(flatten)]
    content: Option<Content<'a>>,
}

/// What a file says about itself.
#[derive(Serialize)]
struct Content<'a> {
    producer: &'a str,
    positions: u64,
    white: Depths,
    black: Depths,
}

#[derive(Serialize)]
struct Depths {
    deepest_win: Option<Plies>,
    deepest_loss: Option<Plies>,
}

impl<'a> File<'a> {
    fn new(listed: &'a Listed) -> File<'a> {
        let depths = |table: &Description, turn| Depths {
            deepest_win: table.side(turn).deepest_win(),
            deepest_loss: table.side(turn).deepest_loss(),
        };
        let content = |table: &'a Description| Content {
            producer: &table.producer,
            positions: 2 * table.positions,
            white: depths(table, Color::White),
            black: depths(table, Color::Black),
        };
        File {
            endgame: listed.material,
            metric: listed.layer,
            path: listed.path.display().to_string(),
            bytes: listed.bytes,
            damage: listed
                .description
                .as_ref()
                .err()
                .map(|error| words::with_causes(error)),
            content: listed.description.as_ref().ok().map(content),
        }
    }
}

/// A row for each endgame.
fn table(listed: &[Listed]) -> Table {
    let metrics = Metric::ALL.map(Metric::name);
    let header = ["endgame", "positions", "size"].into_iter().chain(metrics);
    let mut table = output::table(header);
    for files in listed.chunk_by(|one, other| one.material == other.material) {
        let positions = files
            .iter()
            .find_map(|file| Some(2 * file.description.as_ref().ok()?.positions))
            .map_or("?".to_owned(), |n| HumanCount(n).to_string());
        let bytes = files.iter().map(|file| file.bytes).sum();
        let mut row = vec![
            Cell::new(files[0].material),
            Cell::new(positions),
            Cell::new(HumanBytes(bytes)),
        ];
        row.extend(Metric::ALL.map(|metric| depths(files, metric)));
        table.add_row(row);
    }
    output::numbers_from(&mut table, 1);
    table
}

/// The deepest wins of White and of Black, as "35/19".
fn depths(files: &[Listed], metric: Metric) -> Cell {
    let find = |layer| files.iter().find(|file| file.layer == layer);
    // DTR is of no use without DTZ50, where that has a table.
    let dtz50 =
        find(Layer::Dtz50).filter(|file| metric == Metric::Dtr && file.description.is_err());
    let file = dtz50.or(find(metric.into()));
    match file.map(|file| &file.description) {
        None => Cell::new(""),
        Some(Err(error)) => {
            let word = match error {
                FileError::Read { .. } => "unreadable",
                FileError::Newer { .. } => "newer",
                _ => "damaged",
            };
            Cell::new(word).fg(CellColor::Red)
        }
        Some(Ok(table)) => {
            let moves = |turn| {
                let plies = table.side(turn).deepest_win();
                let moves = plies.and_then(|plies| Outcome::Win(plies).moves_in(metric));
                moves.map_or("-".to_owned(), |Moves(moves)| moves.to_string())
            };
            Cell::new(format!("{}/{}", moves(Color::White), moves(Color::Black)))
        }
    }
}

fn summarise(out: &mut impl Write, listed: &[Listed]) -> io::Result<()> {
    let endgames = listed.chunk_by(|one, other| one.material == other.material);
    let bytes = listed.iter().map(|file| file.bytes).sum();
    writeln!(
        out,
        "\n{} of {}, {}. Depths: moves of the deepest win of White / of Black.",
        words::counted(listed.len() as u64, "table", "tables"),
        words::counted(endgames.count() as u64, "endgame", "endgames"),
        HumanBytes(bytes),
    )
}
