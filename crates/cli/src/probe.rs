//! `errare probe`: the verdict on a position and on all its moves.

use errare_core::parse_position;
use errare_report::text;
use errare_service::probe;

use crate::{batch::answer_each, prelude::*};

/// Says who wins a position, in how many moves, and what every move is worth
///
/// Moves are listed best first: by result under the 50-move rule, then in the chosen metric, then
/// in dtz and dtm. Depths are in moves of the winner, the listed move included; dtr is the k of the
/// k-move rule. Marks: ° only legal move, " only move that keeps the value, which is the result under
/// the 50-move rule, ' only optimal move in the metric. Ceded are the winner's moves lost against the
/// best move in the metric; a move that changes the value has none.
///
/// The halfmove clock of the FEN is honoured: a win is cursed if the 50-move rule ends the game
/// first. Missing tables of up to five men are built on the spot.
///
/// With - instead of a position, each line of standard input is one, answered in the same order; one that has
/// no answer gets an error in its place and makes the exit code 2.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: PositionOptions,

    /// Seconds after which a comparison in dtr answers with bounds [default: as long as it takes]
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,

    /// Answer in JSON, a superset of lila-tablebase's answer; one line a position where there are many
    ///
    /// Depths are signed plies for the side to move: positive for a win, 0 for a draw or mate. What
    /// is said of a move is said of the position after it, from the opponent's view.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare probe \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"
  errare probe --metric dtm --json 8/3P4/KBk5/8/8/8/8/8_w_-_-_0_1
  errare probe --json - < positions.txt
  errare probe --syzygy ~/syzygy \"8/8/8/1r6/8/3k1p2/4R1P1/6K1 w - - 0 1\"";

/// Answers the question, or many.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let question = &arguments.question;
    let service = question.service()?;
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
        let mut out = anstream::stdout().lock();
        Ok(text::probe(&mut out, &position, answer)?)
    };
    answer_each(&question.positions, arguments.json, answer, print)
}
