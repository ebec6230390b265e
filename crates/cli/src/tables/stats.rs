//! `errare tables stats`: how many positions are won, drawn and lost, and how deep.

use errare_report::{csv, histogram};
use errare_service::tables::stats;

use crate::prelude::*;

/// Counts the positions of an endgame: won, drawn, lost, the deepest, mutual zugzwangs
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: WrittenEndgame,

    /// The metric: dtm, dtc, dtz or dtr
    #[arg(long, default_value = "dtm")]
    metric: Metric,

    /// Draw the number of positions of each depth
    #[arg(long, conflicts_with_all = ["json", "csv"])]
    histogram: bool,

    #[command(flatten)]
    format: Format,

    #[command(flatten)]
    tables: TableOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let request = stats::Request {
        endgame: arguments.endgame.material(),
        metric: arguments.metric,
    };
    let statistics = watched(|watch| stats::answer(&service, &request, watch))
        .map_err(|error| as_written(error, [&arguments.endgame]))?;
    let done = arguments.format.show(&statistics, csv::depths)?;
    if arguments.histogram {
        histogram::write(&mut output::for_people(), &statistics)?;
    }
    Ok(done)
}
