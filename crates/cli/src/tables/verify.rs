//! `errare tables verify`: recomputes stored tables by other means.

use std::io;

use errare_report::text::verified;
use errare_service::tables::verify;

use crate::prelude::*;

/// Recomputes every position of the tables of an endgame from its moves
///
/// Moves come from a different generator than the one that made the tables; the positions they lead to are
/// looked up in the tables. The first disagreement is shown, and makes the exit code 1; a table that cannot be
/// read makes it 2, and the other tables are still verified.
///
/// The DTR of a position does not follow from the DTR of its successors. Tables of up to four men, and of five
/// with two pawns, are recomputed by levels. Larger tables, and samples, are only checked against bounds one ply
/// apart: a value outside them is wrong, one inside may still be a ply off. The output says which check was made.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: TypedEndgame,

    /// The metrics: dtm, dtc, dtz, dtr, separated by commas [default: all]
    #[arg(long, value_delimiter = ',', value_name = "METRICS")]
    metric: Vec<Metric>,

    /// Check this many random positions of each table instead of all
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,

    /// Seed of the random choice [default: random, printed]
    #[arg(long, requires = "sample")]
    seed: Option<u64>,

    /// Answer in JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    tables: TableOptions,
}

const EXAMPLES: &str = "\
Examples:
  errare tables verify KQKR
  errare tables verify KRPKR --metric dtz --sample 100000 --seed 7";

/// Verifies and reports.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.tables.service()?;
    let request = verify::Request {
        endgame: arguments.endgame.material(),
        metrics: arguments.metric.clone(),
        sample: arguments.sample,
        seed: arguments.seed.unwrap_or_else(rand::random),
    };
    if request.sample.is_some() && !arguments.json {
        talk!("seed {}", request.seed);
    }
    let (mut unreadable, mut told) = (false, Ok(()));
    let watch = Terminal::new();
    let answer = verify::answer(&service, &request, &watch, |found| {
        watch.suspend(|| match found {
            Ok(table) if !arguments.json && told.is_ok() => {
                told = verified(&mut io::stdout().lock(), request.endgame, table);
            }
            Ok(_) => {}
            Err(error) => {
                failure::tell(&error.into());
                unreadable = true;
            }
        });
    });
    drop(watch);
    let answer = answer.map_err(|error| arguments.endgame.named(error.into()))?;
    told?;
    let wrong = answer.tables.iter().any(|table| table.mismatch.is_some());
    if arguments.json {
        output::json(&answer)?;
    }
    Ok(ExitCode::from(match (unreadable, wrong) {
        (true, _) => failure::ERROR,
        (false, wrong) => wrong.into(),
    }))
}
