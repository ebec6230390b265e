//! `errare tables dump`: every position of a table, for scripts.

use std::{
    io::{self, BufWriter, Write},
    process::ExitCode,
};

use anyhow::Result;
use clap::Args;
use errare_core::{Material, Metric};
use errare_tables::Scan;
use shakmaty::{EnPassantMode, fen::Fen};

use super::word;
use crate::supply::Supply;

/// Writes every position of a table as CSV: fen, outcome, plies
///
/// Of positions that are symmetric to each other one is written, with either side to move. The
/// outcome is that of the side to move; a draw has no plies.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: Material,

    /// The metric: dtm, dtc, dtz or dtr
    #[arg(long)]
    metric: Metric,

    #[command(flatten)]
    supply: Supply,
}

const EXAMPLES: &str = "\
Examples:
  errare tables dump KPK --metric dtm > kpk.csv
  errare tables dump KQKR --metric dtc | grep ,win,61";

/// Writes all positions.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let (endgame, metric) = (arguments.endgame, arguments.metric);
    let store = arguments.supply.open(&[endgame], &[metric])?;
    let scan = Scan::new(&store, endgame, metric.into())?;
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "fen,outcome,plies")?;
    for found in scan.positions() {
        let (position, outcome) = found?;
        // Neither has commas or quotes.
        let (fen, word) = (
            Fen::from_position(&position, EnPassantMode::Legal),
            word(outcome),
        );
        match outcome.plies() {
            Some(plies) => writeln!(out, "{fen},{word},{plies}")?,
            None => writeln!(out, "{fen},{word},")?,
        }
    }
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
