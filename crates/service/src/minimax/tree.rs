//! Exact probabilities in a small tree.

use errare_core::FaultKind;
use errare_minimax::{Alpha, LevelRegular, Ties, Tree, exact_probabilities};
use serde::{Deserialize, Serialize};

use crate::Error;

/// A tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxTreeRequest))]
pub struct Request {
    /// Nested lists, where a number is a node with that many leaves: `((3 3)(2 2 2))`.
    pub tree: String,
    /// Is the tree written as one list of child counts per move instead: `[2 3][3 2]`?
    #[serde(default)]
    pub level_regular: bool,
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// What counts as choosing a move when several are best.
    pub ties: Ties,
}

/// The probabilities as fractions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxTreeAnswer))]
pub struct Answer {
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// What counts as choosing a move when several are best.
    pub ties: Ties,
    /// The number of leaves.
    pub leaves: u64,
    /// The moves, in order.
    pub moves: Vec<TreeMove>,
}

/// The probability of a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TreeMove {
    /// As a fraction.
    pub probability: String,
    /// As a number.
    pub value: f64,
}

/// With more leaves, exact arithmetic takes minutes: numbers with that many digits, or polynomials of
/// that degree.
const MOST_LEAVES: u64 = 4096;
/// One number is stored per score.
const MOST_SCORES: u32 = 1 << 16;

/// Computes the probabilities.
pub fn answer(request: &Request) -> Result<Answer, Error> {
    let tree = if request.level_regular {
        LevelRegular::root(&LevelRegular::parse_moves(&request.tree)?)
    } else {
        request.tree.parse::<Tree>()?
    };
    let leaves = tree.leaves();
    if leaves > MOST_LEAVES {
        return Err(Error::bad_request(format!(
            "the tree has {leaves} leaves; exact fractions are for trees of up to {MOST_LEAVES}"
        )));
    }
    if let Some(scores) = request.alpha.scores()
        && scores > MOST_SCORES
    {
        return Err(Error::bad_request(format!(
            "exact fractions are for up to {MOST_SCORES} scores, or for continuous ones"
        )));
    }
    let exact = exact_probabilities(&tree, request.alpha, request.ties);
    let moves = exact.iter().map(|probability| {
        let value = num_traits::ToPrimitive::to_f64(probability)
            .ok_or_else(|| Error::new(FaultKind::Internal, "a fraction is out of range"))?;
        Ok(TreeMove {
            probability: probability.to_string(),
            value,
        })
    });
    Ok(Answer {
        alpha: request.alpha,
        ties: request.ties,
        leaves,
        moves: moves.collect::<Result<_, Error>>()?,
    })
}
