//! `errare minimax play`: one sampled move.

use errare_service::minimax::play;

use super::search::{Root, Tree};
use crate::prelude::*;

#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    root: Root,
    #[command(flatten)]
    tree: Tree,
    #[command(flatten)]
    seed: Seed,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let Arguments { root, tree, seed } = arguments;
    let request = play::Request {
        fen: root.fen.clone(),
        depth: root.depth,
        alpha: tree.alpha,
        terminals: tree.terminals,
        seed: Some(seed.get()),
        long: tree.consent.yes,
    };
    let answer = watched(|watch| play::answer(&request, watch))?;
    output::show(&answer, json)
}
