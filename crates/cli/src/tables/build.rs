//! `errare tables build`: makes tables and everything they need.

use errare_service::{fleet, tables::build};
use errare_tables::MAX_MEN;

use crate::prelude::*;

/// Builds tables, with every subgame they need
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required_unless_present = "men")]
    endgames: Vec<WrittenEndgame>,

    /// All endgames with at most this many men
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=MAX_MEN as i64))]
    men: Option<u8>,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    #[command(flatten)]
    tables: BuildOptions,

    #[command(flatten)]
    pub(crate) queue: QueueOptions,

    /// Report each finished table as a line of JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let endgames = arguments.endgames.iter().map(WrittenEndgame::material);
    let request = build::Request {
        endgames: endgames.collect(),
        men: arguments.men,
        metrics: arguments.metric.clone(),
    };
    let named = |error| as_written(error, &arguments.endgames);
    if let Some(queue) = arguments.queue.choice() {
        watched(|watch| fleet::build(&service, &request, &queue, watch)).map_err(named)?;
        if queue.detach {
            return Ok(ExitCode::SUCCESS);
        }
    }
    let mut told = Ok(());
    let watch = Terminal::new();
    let answer = build::answer(&service, &request, &watch, |tables| {
        // Even if the report can no longer be written, keep building.
        if told.is_ok() {
            told = watch.suspend(|| match arguments.json {
                true => tables.iter().try_for_each(output::json_line),
                false => output::text(tables),
            });
        }
    });
    drop(watch);
    let answer = answer.map_err(named)?;
    told.context("the tables are built, but the report cannot be written")?;
    for endgame in answer.present {
        talk!("{endgame} is there already");
    }
    Ok(ExitCode::SUCCESS)
}
