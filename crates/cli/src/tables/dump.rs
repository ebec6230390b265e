//! `errare tables dump`: every position of a table, for scripts.

use errare_report::csv::PositionRows;
use errare_service::tables::dump;

use crate::prelude::*;

/// Writes every position of a table as CSV: fen, outcome, plies
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: WrittenEndgame,

    /// The metric: dtm, dtc, dtz or dtr
    #[arg(long)]
    metric: Metric,

    #[command(flatten)]
    tables: TableOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let request = dump::Request {
        endgame: arguments.endgame.material(),
        metric: arguments.metric,
    };
    let mut rows = PositionRows::new(io::stdout().lock())?;
    let done = watched(|watch| {
        dump::each(&service, &request, watch, |fen, outcome| {
            rows.write(fen, outcome).map_err(anyhow::Error::from)
        })
    });
    done.map_err(|error| as_written(error, [&arguments.endgame]))?;
    rows.flush()?;
    Ok(ExitCode::SUCCESS)
}
