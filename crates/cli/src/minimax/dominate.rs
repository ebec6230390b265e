//! `errare minimax dominate`: domination and the thresholds of increased lookahead.

use errare_minimax::Alpha;
use errare_service::minimax::{dominate, typed};

use crate::prelude::*;

#[derive(Args)]
pub(super) struct Arguments {
    /// The good move, by its child counts at levels 1, 2, ...: "[2 3]".
    good: String,
    /// The bad move, of the same depth: "[3 2]".
    bad: String,
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    alpha: Alpha,
    /// The smaller depth to compare with, by default two plies less than the moves have, or 1.
    #[arg(long, value_parser = typed::depth)]
    shallow: Option<NonZero<u32>>,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let answer = dominate::answer(&dominate::Request {
        good: arguments.good.clone(),
        bad: arguments.bad.clone(),
        alpha: arguments.alpha,
        shallow: arguments.shallow,
    })?;
    output::show(&answer, json)?;
    Ok(exit_code(answer.domination.is_some()))
}
