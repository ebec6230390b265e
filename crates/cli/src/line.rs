//! `errare line`: a line of best play for both sides.

use errare_core::parse_position;
use errare_service::line;

use crate::{batch::answer_each, prelude::*};

/// Plays a line of best play for both sides, as PGN
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: PositionOptions,

    /// Stop after the first capture or promotion
    #[arg(long)]
    to_conversion: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let question = &arguments.question;
    let service = question.tables.service()?;
    let answer = |fen: &str| {
        let request = line::Request {
            fen: fen.to_owned(),
            metric: question.metric,
            to_conversion: arguments.to_conversion,
            syzygy: question.syzygy(),
        };
        Ok(watched(|watch| line::answer(&service, &request, watch))?)
    };
    let print = |fen: &str, answer: &line::Answer| {
        let position = parse_position(fen)?;
        let mut out = io::stdout().lock();
        Ok(errare_report::line::write(&mut out, &position, answer)?)
    };
    answer_each(&question.positions, answer, print)
}
