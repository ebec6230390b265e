//! `errare probe`: the verdict on a position and on all its moves.

mod report;

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;

use crate::{output, question::Question};

/// Says who wins a position, in how many moves, and what every move is worth
///
/// Moves are listed best first: by result under the 50-move rule, then in the chosen metric, then
/// in dtz and dtm. Depths are in moves of the winner, the listed move included; dtr is the k of the
/// k-move rule. Marks: ° only legal move, " only move that keeps the value, which is the result under
/// the 50-move rule, ' only optimal move in the metric. Ceded are the winner's moves lost against the
/// best move in the metric; a move that changes the value has none.
///
/// The halfmove clock of the FEN is honoured: a win is cursed if the 50-move rule ends the game
/// first. Tables of up to five men that are missing are built on the spot.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: Question,

    /// Answer in JSON, a superset of lila-tablebase's answer
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
  errare probe --syzygy ~/syzygy \"8/8/8/1r6/8/3k1p2/4R1P1/6K1 w - - 0 1\"";

/// Answers the question.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let position = arguments.question.position()?;
    let judge = arguments.question.judge(&position)?;
    let verdict = judge.verdict(&position, arguments.question.metric)?;
    if arguments.json {
        output::json(&verdict)?;
    } else {
        report::write(&mut anstream::stdout().lock(), &position, &verdict)?;
    }
    Ok(ExitCode::SUCCESS)
}
