//! `errare tables remove`: deletes the tables of endgames.

use std::{
    io::{self, Write},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use errare_core::{Material, Metric};

use super::chosen;
use crate::directory::Directory;

/// Removes tables of endgames, damaged ones too
///
/// Asks nothing and lists the files that are gone. The exit code is 1 if there were none.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required = true)]
    endgames: Vec<Material>,

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
    let store = arguments.directory.open()?;
    let mut nothing = true;
    for &endgame in &arguments.endgames {
        let removed = store.remove(endgame, &chosen(&arguments.metric))?;
        if removed.is_empty() {
            talk!("there are no tables of {endgame}");
        }
        nothing &= removed.is_empty();
        let mut out = io::stdout().lock();
        for path in removed {
            writeln!(out, "{}", path.display())?;
        }
    }
    Ok(ExitCode::from(u8::from(nothing)))
}
