//! `errare tables build`: makes tables and everything they need.

use std::{
    collections::HashSet,
    io::{self, Write},
    process::ExitCode,
    sync::Mutex,
};

use anyhow::{Context, Result};
use clap::Args;
use errare_core::{Material, Metric};
use errare_tables::{Layer, MAX_MEN, Report, Usage};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;

use super::chosen;
use crate::{building::build_missing, directory::Directory, memory::MemoryLimit};

/// Builds tables, with every subgame they need
///
/// Says first what it will build and the memory it needs, and refuses if that is more than
/// --memory allows. Tables that are there are kept. An interrupted build loses nothing that is
/// finished: build again to continue. Several processes may build into one directory.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required_unless_present = "men")]
    endgames: Vec<Material>,

    /// All endgames of up to so many men
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=MAX_MEN as i64))]
    men: Option<u8>,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    #[command(flatten)]
    directory: Directory,

    #[command(flatten)]
    memory: MemoryLimit,

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
    let store = arguments.directory.open()?;
    let of_men = (3..=arguments.men.map_or(0, usize::from)).flat_map(Material::all);
    let mut endgames: Vec<_> = arguments.endgames.iter().copied().chain(of_men).collect();
    let mut seen = HashSet::new();
    endgames.retain(|&endgame| seen.insert(endgame));
    let metrics = &chosen(&arguments.metric)[..];
    let told = Mutex::new(Ok(()));
    let built = build_missing(&store, &endgames, metrics, &arguments.memory, |report| {
        // If the report cannot be written any more, the tables are still wanted.
        if let Ok(told) = &mut told.lock()
            && told.is_ok()
        {
            **told = tell(&mut io::stdout().lock(), report, arguments.json);
        }
    })?;
    if let Ok(told) = told.into_inner() {
        told.context("the tables are built, but the report cannot be written")?;
    }
    for endgame in endgames {
        if built.iter().all(|report| report.material != endgame) {
            talk!("{endgame} is there already");
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// A finished table.
#[derive(Serialize)]
struct Built {
    endgame: Material,
    metric: Layer,
    positions: u64,
    bytes: u64,
    solve: Usage,
    write: Usage,
    peak_memory: Option<u64>,
    solved_with: Vec<Layer>,
}

fn tell(out: &mut impl Write, report: &Report, json: bool) -> io::Result<()> {
    if json {
        tell_json(out, report)
    } else {
        let layers: Vec<_> = report.layers.iter().map(|(l, _)| l.to_string()).collect();
        let bytes = report.layers.iter().map(|(_, bytes)| bytes).sum();
        writeln!(
            out,
            "{:<6} {:<19} {:>13} positions {:>11}, solved in {:.2} s, written in {:.2} s",
            report.material,
            layers.join(" "),
            HumanCount(report.positions).to_string(),
            HumanBytes(bytes).to_string(),
            report.solve.wall,
            report.write.wall,
        )
    }
}

fn tell_json(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for &(metric, bytes) in &report.layers {
        let others = report.layers.iter().filter(|(other, _)| *other != metric);
        let built = Built {
            endgame: report.material,
            metric,
            positions: report.positions,
            bytes,
            solve: report.solve,
            write: report.write,
            peak_memory: report.peak_memory,
            solved_with: others.map(|(other, _)| *other).collect(),
        };
        serde_json::to_writer(&mut *out, &built)?;
        writeln!(out)?;
    }
    Ok(())
}
