//! `errare minimax play`: one sampled move.

use std::num::NonZeroU32;

use errare_minimax::{Alpha, Terminals};
use errare_service::minimax::play::{self, Request};

use super::search::{self, Consent};
use crate::prelude::*;

#[derive(Args)]
pub(super) struct Arguments {
    /// The position, as FEN or `start`.
    fen: String,
    /// How many plies to search.
    #[arg(long, value_parser = search::depth)]
    depth: NonZeroU32,
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    alpha: Alpha,
    /// What an end of the game inside the tree is worth: `recognised` or `paper`.
    #[arg(long, default_value = "recognised")]
    terminals: Terminals,
    #[command(flatten)]
    seed: Seed,
    #[command(flatten)]
    consent: Consent,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let answer = play::answer(&Request {
        fen: arguments.fen.clone(),
        depth: arguments.depth,
        alpha: arguments.alpha,
        terminals: arguments.terminals,
        seed: Some(arguments.seed.get()),
        long: arguments.consent.yes,
    })?;
    output::show(&answer, json)
}
