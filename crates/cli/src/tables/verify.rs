//! `errare tables verify`: recomputes stored tables by other means.

use errare_report::text::verified;
use errare_service::tables::verify;

use crate::prelude::*;

/// Recomputes every position of the tables of an endgame from its moves
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: WrittenEndgame,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    /// Check this many random positions of each table instead of all
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Seed of the random choice [default: random, printed]
    #[arg(long, requires = "sample")]
    seed: Option<u64>,

    #[command(flatten)]
    format: Json,

    #[command(flatten)]
    tables: TableOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let request = verify::Request {
        endgame: arguments.endgame.material(),
        metrics: arguments.metric.clone(),
        sample: arguments.sample,
        seed: arguments.seed.unwrap_or_else(rand::random),
    };
    if request.sample.is_some() && !arguments.format.json {
        talk!("seed {}", request.seed);
    }
    let (mut unreadable, mut told) = (false, Ok(()));
    let watch = Terminal::new();
    let answer = verify::answer(&service, &request, &watch, |found| {
        watch.suspend(|| match found {
            Ok(table) if !arguments.format.json && told.is_ok() => {
                told = verified(&mut output::for_people(), request.endgame, table);
            }
            Ok(_) => {}
            Err(error) => {
                failure::tell(&error.into());
                unreadable = true;
            }
        });
    });
    drop(watch);
    let answer = answer.map_err(|error| as_written(error, [&arguments.endgame]))?;
    told?;
    let wrong = answer.tables.iter().any(|table| table.mismatch.is_some());
    if arguments.format.json {
        output::json(&answer)?;
    }
    Ok(ExitCode::from(match (unreadable, wrong) {
        (true, _) => failure::ERROR,
        (false, wrong) => wrong.into(),
    }))
}
