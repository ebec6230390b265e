//! How move probabilities change with depth, or with alpha.

use std::num::NonZeroU32;

use errare_core::Watch;
use errare_minimax::Alpha;
use serde::{Deserialize, Serialize};

use super::search::{self, SearchOptions};
use crate::Error;

/// The searches to compare.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxSweepRequest))]
pub struct Request {
    /// The position, as FEN or `start`.
    pub fen: String,
    /// The depth and alpha of each search.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<(u32, Option<u32>)>))]
    pub steps: Vec<(NonZeroU32, Alpha)>,
    /// Search settings; alpha is taken from the step.
    #[serde(flatten)]
    pub options: SearchOptions,
}

/// The probabilities, search by search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxSweepAnswer))]
pub struct Answer {
    /// The searches.
    pub steps: Vec<SweepStep>,
    /// The moves, sorted by their probability in the last search.
    pub moves: Vec<SweepMove>,
}

/// A search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SweepStep {
    /// The search depth in plies.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1))]
    pub depth: NonZeroU32,
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// The number of leaves.
    #[cfg_attr(feature = "schema", schema(value_type = u64))]
    pub leaves: u128,
    /// The sum of the probabilities.
    pub certificate: f64,
    /// A bound of the sum of their errors.
    pub error: f64,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SweepMove {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// One probability per search.
    pub probabilities: Vec<f64>,
}

/// Runs the searches.
pub fn answer(request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let position = search::position(&request.fen)?;
    if request.steps.is_empty() {
        return Err(Error::bad_request("there is no depth to search"));
    }
    for &(depth, alpha) in &request.steps {
        search::check_cost(&position, depth, alpha, 1, request.options.long)?;
    }
    let mut answer = Answer {
        steps: Vec::new(),
        moves: Vec::new(),
    };
    for &(depth, alpha) in &request.steps {
        let options = SearchOptions {
            alpha,
            ..request.options
        };
        let found = options.search(&position, depth, watch)?;
        answer.steps.push(SweepStep {
            depth,
            alpha,
            leaves: found.shape.leaves(),
            certificate: found.estimate.certificate(),
            error: found.estimate.error,
        });
        if answer.moves.is_empty() {
            let empty = found.moves.iter().map(|each| SweepMove {
                uci: each.uci.clone(),
                san: each.san.clone(),
                probabilities: Vec::new(),
            });
            answer.moves = empty.collect();
        }
        for (each, found) in answer.moves.iter_mut().zip(found.moves) {
            each.probabilities.push(found.probability);
        }
    }
    let last = |each: &SweepMove| *each.probabilities.last().expect("there is a step");
    answer.moves.sort_by(|a, b| last(b).total_cmp(&last(a)));
    Ok(answer)
}
