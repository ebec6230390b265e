//! `errare export`: evaluated turns as tables for other programs.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use errare_rating::{Study, export::Format};
use indicatif::HumanCount;

use crate::output;

/// Writes the turns and moves of a study as tables, for pandas, DuckDB, R and the like
///
/// `turns` has a row for every turn, those that are not used included, with the reason. `moves` has a row
/// for every legal move of every evaluated turn in the engine's order, with its scores at all depths in
/// centipawns for the mover, a mate counted as 10000. `game` and `ply` join them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The study
    study: PathBuf,

    #[command(flatten)]
    target: Target,

    /// The engine, by a part of its name, version or net, if there are several
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,

    /// The depth to look at [default: the greatest]
    #[arg(long)]
    depth: Option<u8>,

    /// Report what was written as JSON
    #[arg(long)]
    json: bool,
}

/// Where to, and in which format.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct Target {
    /// Write turns.csv and moves.csv into this directory
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,

    /// Write turns.parquet and moves.parquet into this directory
    #[arg(long, value_name = "DIR")]
    parquet: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  errare export study.db --csv out/
  errare export study.db --parquet out/ --depth 8
  duckdb -c \"SELECT rank, count(*) FROM 'out/moves.parquet' WHERE played GROUP BY rank ORDER BY rank\"";

impl Target {
    fn format(&self) -> (&Path, Format) {
        match (&self.csv, &self.parquet) {
            (Some(directory), _) => (directory, Format::Csv),
            (_, Some(directory)) => (directory, Format::Parquet),
            (None, None) => unreachable!("one of them is required"),
        }
    }
}

/// Writes the tables.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let study = Study::open(&arguments.study)?;
    let view = study.view(arguments.engine.as_deref(), arguments.depth)?;
    let (directory, format) = arguments.target.format();
    let exported = study.export(&view, directory, format)?;
    if arguments.json {
        output::json(&exported)?;
    } else {
        let mut out = io::stdout().lock();
        writeln!(out, "{}", exported.engine)?;
        let rows = [exported.turns, exported.moves];
        for (file, rows) in exported.files.iter().zip(rows) {
            writeln!(out, "{}: {} rows", file.display(), HumanCount(rows as u64))?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
