//! Options that verbs which search a chess position share.

use std::num::NonZeroU32;

use errare_minimax::{Alpha, Terminals, Ties};
use errare_service::minimax::search;

use crate::prelude::*;

/// A position to search.
#[derive(Args)]
pub(super) struct Arguments {
    /// The position, as FEN or `start`.
    pub(super) fen: String,
    /// How many plies to search.
    #[arg(long, value_parser = depth)]
    pub(super) depth: NonZeroU32,
    #[command(flatten)]
    pub(super) options: Options,
}

/// Options of a search.
#[derive(Args)]
pub(super) struct Options {
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    pub(super) alpha: Alpha,
    /// What an end of the game inside the tree is worth: `recognised`, or a random score (`paper`).
    #[arg(long, default_value = "recognised")]
    terminals: Terminals,
    /// Of several best moves: `uniform` takes one at random, `all` counts every one.
    #[arg(long, default_value = "uniform")]
    ties: Ties,
    /// The error allowed in the sum of all probabilities.
    #[arg(long, default_value = "1e-6")]
    tol: f64,
    #[command(flatten)]
    consent: Consent,
}

/// Leave to start what may take long.
#[derive(Args, Clone, Copy)]
pub(super) struct Consent {
    /// Start even if it may take more than an hour.
    #[arg(long)]
    pub(super) yes: bool,
}

impl Arguments {
    pub(super) fn request(&self) -> search::Request {
        search::Request {
            fen: self.fen.clone(),
            depth: self.depth,
            options: self.options.get(),
        }
    }
}

impl Options {
    pub(super) fn get(&self) -> search::Options {
        search::Options {
            alpha: self.alpha,
            terminals: self.terminals,
            ties: self.ties,
            tolerance: self.tol,
            long: self.consent.yes,
        }
    }
}

/// Reads a depth.
pub(super) fn depth(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| "a depth is a whole number of plies, at least 1".to_owned())
}

/// Depths in the order given: `1..6` (both included), `2,4,6` or `3`.
#[derive(Clone)]
pub(super) struct Depths(pub(super) Vec<NonZeroU32>);

/// Reads depths.
pub(super) fn depths(text: &str) -> Result<Depths, String> {
    let depths = match text.split_once("..") {
        Some((first, last)) => {
            let (first, last) = (
                depth(first)?.get(),
                depth(last.trim_start_matches('='))?.get(),
            );
            (first..=last).filter_map(NonZeroU32::new).collect()
        }
        None => text.split(',').map(depth).collect::<Result<Vec<_>, _>>()?,
    };
    if depths.is_empty() {
        return Err("the first depth is above the last; write as in 1..6 or 2,4,6".to_owned());
    }
    Ok(Depths(depths))
}
