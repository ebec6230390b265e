//! `errare probe`: the verdict on a position and on all its moves.

use errare_core::parse_position;
use errare_report::text;
use errare_service::probe;

use crate::{batch::answer_each, prelude::*};

/// Says who wins a position, in how many moves, and what every move is worth
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: PositionOptions,

    /// Seconds after which a comparison in dtr answers with bounds [default: no limit]
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let question = &arguments.question;
    let service = question.tables.service()?;
    let answer = |fen: &str| {
        let request = probe::Request {
            fen: fen.to_owned(),
            metric: question.metric,
            seconds: arguments.seconds,
            syzygy: question.syzygy(),
        };
        Ok(watched(|watch| probe::answer(&service, &request, watch))?)
    };
    let print = |fen: &str, answer: &probe::Answer| {
        let position = parse_position(fen)?;
        let mut out = output::for_people();
        Ok(text::probe(&mut out, &position, answer)?)
    };
    answer_each(&question.positions, answer, print)
}
