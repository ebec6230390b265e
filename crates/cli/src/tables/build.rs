//! `errare tables build`: makes tables and everything they need.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::{Context, Result};
use clap::Args;
use errare_core::Metric;
use errare_service::{
    fleet,
    tables::build::{self, Built, Request},
};
use errare_tables::MAX_MEN;
use indicatif::{HumanBytes, HumanCount};

use crate::{
    options::{
        directory::Directory,
        endgame::{self, Endgame},
        memory::MemoryLimit,
        queue::QueueOptions,
        supply::service,
    },
    watch::{Terminal, watched},
};

/// Builds tables, with every subgame they need
///
/// Says first what it will build and how much memory that takes, and refuses if it is more than --memory
/// allows. Existing tables are checked and kept; damaged ones are replaced. An interrupted build keeps the
/// finished tables: build again to continue. Several processes may build into one directory.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required_unless_present = "men")]
    endgames: Vec<Endgame>,

    /// All endgames with at most this many men
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=MAX_MEN as i64))]
    men: Option<u8>,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    #[command(flatten)]
    directory: Directory,

    #[command(flatten)]
    memory: MemoryLimit,

    #[command(flatten)]
    queue: QueueOptions,

    /// Report each finished table as a line of JSON
    ///
    /// Times are in seconds, memory in bytes. Metrics that are solved together, named under
    /// `solved_with`, have their times in common. `positions` are those stored, both sides to move.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare tables build KQKR KBBKN KRPKR
  errare tables build --men 4
  errare tables build KRPKR --metric dtm,dtz --memory 3GiB --json";

/// Builds what is missing.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service(&arguments.directory, &arguments.memory, true)?;
    let request = Request {
        endgames: arguments.endgames.iter().map(Endgame::material).collect(),
        men: arguments.men,
        metrics: arguments.metric.clone(),
    };
    if let Some(queue) = arguments.queue.choice() {
        let built = watched(|watch| fleet::build(&service, &request, &queue, watch));
        let built = built.map_err(|error| endgame::as_typed(error, &arguments.endgames))?;
        talk!("the fleet has built {} endgames", built.len());
    }
    let mut told = Ok(());
    let watch = Terminal::new();
    let answer = build::answer(&service, &request, &watch, |tables| {
        // If the report cannot be written any more, the tables are still wanted.
        if told.is_ok() {
            told = watch.suspend(|| tell(&mut io::stdout().lock(), tables, arguments.json));
        }
    });
    drop(watch);
    let answer = answer.map_err(|error| endgame::as_typed(error, &arguments.endgames))?;
    told.context("the tables are built, but the report cannot be written")?;
    for endgame in answer.present {
        talk!("{endgame} is there already");
    }
    Ok(ExitCode::SUCCESS)
}

/// A line for tables that were solved together, or a line of JSON for each.
fn tell(out: &mut impl Write, tables: &[Built], json: bool) -> io::Result<()> {
    if json {
        for table in tables {
            serde_json::to_writer(&mut *out, table)?;
            writeln!(out)?;
        }
        return Ok(());
    }
    let Some(first) = tables.first() else {
        return Ok(());
    };
    let metrics: Vec<_> = tables.iter().map(|t| t.metric.to_string()).collect();
    let bytes = tables.iter().map(|table| table.bytes).sum();
    writeln!(
        out,
        "{:<6} {:<19} {:>13} positions {:>11}, solved in {:.2} s, written in {:.2} s",
        first.endgame,
        metrics.join(" "),
        HumanCount(first.positions).to_string(),
        HumanBytes(bytes).to_string(),
        first.solve.wall,
        first.write.wall,
    )
}
