//! `errare minimax tree`: exact probabilities in a small tree.

use errare_minimax::{Alpha, Ties};
use errare_service::minimax::tree;

use crate::prelude::*;

#[derive(Args)]
pub(super) struct Arguments {
    /// Nested lists, a number being a node with that many leaves: "((3 3)(2 2 2))".
    tree: String,
    /// Read one list of child counts a move instead: "[2 3][3 2]".
    #[arg(long)]
    level_regular: bool,
    /// How many scores a leaf can have, or `continuous`, the limit of ever more.
    #[arg(long, default_value = "continuous")]
    alpha: Alpha,
    /// Of several best moves: `all` counts every one, `uniform` takes one at random.
    #[arg(long, default_value = "all")]
    ties: Ties,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let answer = tree::answer(&tree::Request {
        tree: arguments.tree.clone(),
        level_regular: arguments.level_regular,
        alpha: arguments.alpha,
        ties: arguments.ties,
    })?;
    output::show(&answer, json)
}
