//! The move probabilities of A^depth in a chess position.

use std::num::NonZeroU32;

use errare_core::Watch;
use errare_minimax::{Alpha, Terminals, Ties};
use serde::{Deserialize, Serialize};

use super::search::{self, MoveProbability, Request};
use crate::Error;

/// How likely each move is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Answer {
    /// How many plies were searched.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1))]
    pub depth: NonZeroU32,
    /// How many scores a leaf can have; null for continuous ones.
    pub alpha: Alpha,
    /// What ends of the game are worth.
    pub terminals: Terminals,
    /// What counts as choosing a move when several are best.
    pub ties: Ties,
    /// The leaves of the tree.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub leaves: u128,
    /// The nodes kept, equal positions of a level being one.
    pub nodes: usize,
    /// The sum of the probabilities, which nothing forces to be 1.
    pub certificate: f64,
    /// A bound of the sum of their errors.
    pub error: f64,
    /// The moves, likeliest first.
    pub moves: Vec<MoveProbability>,
}

/// Computes the probabilities.
pub fn answer(request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let Request {
        fen,
        depth,
        options,
    } = request;
    let mut found = options.search(&search::position(fen)?, *depth, watch)?;
    found
        .moves
        .sort_by(|a, b| b.probability.total_cmp(&a.probability));
    Ok(Answer {
        depth: *depth,
        alpha: options.alpha,
        terminals: options.terminals,
        ties: options.ties,
        leaves: found.shape.leaves(),
        nodes: found.shape.nodes(),
        certificate: found.estimate.certificate(),
        error: found.estimate.error,
        moves: found.moves,
    })
}
