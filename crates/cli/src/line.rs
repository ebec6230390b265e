//! `errare line`: a line of best play for both sides.

use std::io;

use errare_core::parse_position;
use errare_service::line;

use crate::{batch::answer_each, prelude::*};

/// Plays a line of best play for both sides, as PGN
///
/// Each side plays the first move that `errare probe` lists in the same metric: best by result under
/// the 50-move rule, then in the metric, then in dtz and dtm, at last the first by name. The line
/// goes on through conversions until mate. A cursed win is played out as if there were no 50-move
/// rule. A drawn position has no line: the PGN then says so and has no moves.
///
/// With - instead of a position, each line of standard input is one, answered in the same order; one that has
/// no answer gets an error in its place and makes the exit code 2.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: PositionOptions,

    /// Stop after the first capture or promotion
    #[arg(long)]
    to_conversion: bool,

    /// Answer in JSON: the moves, each with the depths of the position after it; one line a position where there
    /// are many
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare line \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"
  errare line --metric dtm \"8/8/8/8/4k3/8/1Q6/K2r4 w - - 0 1\" > line.pgn
  errare line --to-conversion --json 8/3P4/KBk5/8/8/8/8/8_w_-_-_0_1";

/// Plays the line, or many.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let question = &arguments.question;
    let service = question.service()?;
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
    answer_each(&question.positions, arguments.json, answer, print)
}
