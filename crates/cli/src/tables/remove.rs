//! `errare tables remove`: deletes the tables of endgames.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use errare_core::Metric;
use errare_service::tables::remove::{self, Request};

use crate::options::{directory::Directory, endgame::Endgame, supply::service_without_building};

/// Removes tables of endgames, damaged ones too
///
/// Removes without asking and lists the removed files. The exit code is 1 if there were none.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required = true)]
    endgames: Vec<Endgame>,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    #[command(flatten)]
    directory: Directory,
}

const EXAMPLES: &str = "\
Examples:
  errare tables remove KQKR
  errare tables remove KBBKN KRPKR --metric dtm,dtr";

/// Removes the files.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service_without_building(&arguments.directory)?;
    let mut nothing = true;
    for endgame in &arguments.endgames {
        let request = Request {
            endgame: endgame.material(),
            metrics: arguments.metric.clone(),
        };
        let removed = remove::answer(&service, &request)?;
        if removed.is_empty() {
            let directory = service.tables.store().directory();
            talk!(
                "there are no tables of {endgame} in {}",
                directory.display()
            );
        }
        nothing &= removed.is_empty();
        let mut out = io::stdout().lock();
        for path in removed {
            writeln!(out, "{}", path.display())?;
        }
    }
    Ok(ExitCode::from(u8::from(nothing)))
}
