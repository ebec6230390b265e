//! The move probabilities of A^depth in a chess position.

use std::num::NonZeroU32;

use errare_core::Watch;
use errare_minimax::{Alpha, Terminals, Ties};
use serde::{Deserialize, Serialize};

use super::search::{self, MoveProbability, Request};
use crate::Error;

/// The probability of each move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxProbAnswer))]
pub struct Answer {
    /// The search depth in plies.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1))]
    pub depth: NonZeroU32,
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// The value of terminal positions.
    pub terminals: Terminals,
    /// What counts as choosing a move when several are best.
    pub ties: Ties,
    /// The number of leaves.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub leaves: u128,
    /// The number of nodes stored, with equal positions of a level merged.
    pub nodes: usize,
    /// The sum of the probabilities, which is not normalised.
    pub certificate: f64,
    /// A bound of the sum of their errors.
    pub error: f64,
    /// The moves, likeliest first.
    pub moves: Vec<MoveProbability>,
}

/// Computes the probabilities.
///
/// ```
/// use errare_service::minimax::{prob, search::{Request, SearchOptions}};
///
/// let request = Request {
///     fen: "start".to_owned(),
///     depth: 2.try_into()?,
///     options: SearchOptions::default(),
/// };
/// let answer = prob::answer(&request, &())?;
/// assert_eq!(answer.moves.len(), 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
