//! Options shared by verbs that search a chess position.

use errare_minimax::{Alpha, Terminals, Ties};
use errare_service::minimax::{search, typed};

use crate::prelude::*;

/// A position to search.
#[derive(Args)]
pub(super) struct Arguments {
    #[command(flatten)]
    root: Root,
    #[command(flatten)]
    options: Options,
}

/// The root of a tree.
#[derive(Args)]
pub(super) struct Root {
    /// The position, as FEN or `start`.
    pub(super) fen: String,
    /// How many plies to search.
    #[arg(long, value_parser = typed::depth)]
    pub(super) depth: NonZero<u32>,
}

/// The tree below it.
#[derive(Args, Clone, Copy)]
pub(super) struct Tree {
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    pub(super) alpha: Alpha,
    /// What an end of the game inside the tree is worth: `recognised`, or a random score (`paper`).
    #[arg(long, default_value = "recognised")]
    pub(super) terminals: Terminals,
    #[command(flatten)]
    pub(super) consent: Consent,
}

/// Leave to start what may take long.
#[derive(Args, Clone, Copy)]
pub(super) struct Consent {
    /// Start even if it may take more than an hour.
    #[arg(long)]
    pub(super) yes: bool,
}

/// Options of a search.
#[derive(Args)]
pub(super) struct Options {
    #[command(flatten)]
    pub(super) tree: Tree,
    /// Of several best moves: `uniform` takes one at random, `all` counts every one.
    #[arg(long, default_value = "uniform")]
    ties: Ties,
    /// The error allowed in the sum of all probabilities.
    #[arg(long, default_value = "1e-6")]
    tol: f64,
}

impl Arguments {
    pub(super) fn request(&self) -> search::Request {
        search::Request {
            fen: self.root.fen.clone(),
            depth: self.root.depth,
            options: self.options.get(),
        }
    }
}

impl Options {
    pub(super) fn get(&self) -> search::SearchOptions {
        search::SearchOptions {
            alpha: self.tree.alpha,
            terminals: self.tree.terminals,
            ties: self.ties,
            tolerance: self.tol,
            long: self.tree.consent.yes,
        }
    }
}
