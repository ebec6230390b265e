//! `errare tables dump`: every position of a table, for scripts.

use std::io::{self, BufWriter, Write};

use errare_report::csv::{POSITIONS, position};
use errare_service::tables::dump;

use crate::prelude::*;

/// Writes every position of a table as CSV: fen, outcome, plies
///
/// One of each set of symmetric positions is written, with either side to move. The outcome is for the side to
/// move; a draw has no plies.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: TypedEndgame,

    /// The metric: dtm, dtc, dtz or dtr
    #[arg(long)]
    metric: Metric,

    #[command(flatten)]
    tables: TableOptions,
}

const EXAMPLES: &str = "\
Examples:
  errare tables dump KPK --metric dtm > kpk.csv
  errare tables dump KQKR --metric dtc | grep ,win,61";

/// Writes all positions.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let request = dump::Request {
        endgame: arguments.endgame.material(),
        metric: arguments.metric,
    };
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "{POSITIONS}")?;
    let done = watched(|watch| {
        dump::each(&service, &request, watch, |fen, outcome| {
            position(&mut out, fen, outcome).map_err(anyhow::Error::from)
        })
    });
    done.map_err(|error| arguments.endgame.named(error))?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}
