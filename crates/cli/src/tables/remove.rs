//! `errare tables remove`: deletes the tables of endgames.

use errare_service::tables::remove;

use crate::prelude::*;

/// Removes tables of endgames, including damaged ones, and what the exact hunter has solved with them
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required = true)]
    endgames: Vec<WrittenEndgame>,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    #[command(flatten)]
    directory: TableDirectory,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.directory.service()?;
    let directory = service.tables.store().directory().display();
    let mut out = io::stdout().lock();
    let mut any = false;
    for endgame in &arguments.endgames {
        let request = remove::Request {
            endgame: endgame.material(),
            metrics: arguments.metric.clone(),
        };
        let removed = remove::answer(&service, &request)?;
        if removed.is_empty() {
            talk!("there are no tables of {endgame} in {directory}");
        }
        any |= !removed.is_empty();
        for path in removed {
            writeln!(out, "{}", path.display())?;
        }
    }
    Ok(exit_code(any))
}
