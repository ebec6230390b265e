//! `errare line`: a line of best play for both sides.

mod pgn;

use std::{io, process::ExitCode};

use anyhow::Result;
use clap::Args;
use errare_tables::Extent;

use crate::{output, question::Question};

/// Plays a line of best play for both sides, as PGN
///
/// Each side plays the first move that `errare probe` lists in the same metric: best by result under
/// the 50-move rule, then in the metric, then in dtz and dtm, at last the first by name. The line
/// goes on through conversions until mate. A cursed win is played out as if there were no 50-move
/// rule. A drawn position has no line: the PGN then says so and has no moves.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    question: Question,

    /// Stop after the first capture or promotion
    #[arg(long)]
    to_conversion: bool,

    /// Answer in JSON: the moves, each with the depths of the position after it
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare line \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"
  errare line --metric dtm \"8/8/8/8/4k3/8/1Q6/K2r4 w - - 0 1\" > line.pgn
  errare line --to-conversion --json 8/3P4/KBk5/8/8/8/8/8_w_-_-_0_1";

/// Plays the line.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let position = arguments.question.position()?;
    let judge = arguments.question.judge(&position)?;
    let extent = match arguments.to_conversion {
        true => Extent::Conversion,
        false => Extent::Mate,
    };
    let line = judge.line(&position, arguments.question.metric, extent)?;
    if arguments.json {
        output::json(&line)?;
    } else {
        pgn::write(&mut io::stdout().lock(), &position, &line)?;
    }
    Ok(ExitCode::SUCCESS)
}
