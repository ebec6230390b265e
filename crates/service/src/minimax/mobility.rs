//! Compares measures of mobility with the probabilities they approximate.

use std::num::NonZeroU32;

use errare_core::Watch;
use errare_minimax::mobility::{index, median, product, rank_correlation};
use serde::{Deserialize, Serialize};

use super::search::{self, MoveProbability, Request};
use crate::Error;

/// The measures, and how well each ranks the moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxMobilityAnswer))]
pub struct Answer {
    /// The search depth in plies.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1))]
    pub depth: NonZeroU32,
    /// The moves, likeliest first.
    pub moves: Vec<MobilityMove>,
    /// Kendall's τ_b of each measure with the probabilities.
    pub correlation: Correlation,
}

/// A move with its measures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MobilityMove {
    /// The move and its probability.
    #[serde(flatten)]
    pub found: MoveProbability,
    /// The mean numbers of children at levels 1, 2, ...
    pub children: Vec<f64>,
    /// The median of the distribution of its score.
    pub median: f64,
    /// The paper's nested logarithms.
    pub index: Option<f64>,
    /// The paper's conjecture.
    pub product: f64,
}

/// How well each measure ranks the moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Correlation {
    /// The median.
    pub median: Option<f64>,
    /// The index.
    pub index: Option<f64>,
    /// The product.
    pub product: Option<f64>,
}

/// Computes the measures.
pub fn answer(request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let depth = request.depth;
    if depth.get() == 1 {
        return Err(Error::bad_request(
            "at depth 1 all moves are equally likely; mobility needs a depth of 2 or more",
        ));
    }
    let position = search::position(&request.fen)?;
    let found = request.options.search(&position, depth, watch)?;
    let error = found.estimate.error;
    let measured = found.moves.into_iter().zip(found.shape.mean_children());
    // A move after which the game always ends too early has no counts to measure.
    let measured = measured.filter(|(_, children)| children.len() + 1 == depth.get() as usize);
    let mut moves: Vec<MobilityMove> = measured
        .map(|(found, children)| MobilityMove {
            found,
            median: median(&children),
            index: index(&children),
            product: product(&children),
            children,
        })
        .collect();
    moves.sort_by(|a, b| b.found.probability.total_cmp(&a.found.probability));
    let correlate = |measure: &dyn Fn(&MobilityMove) -> Option<f64>| {
        let known = moves
            .iter()
            .filter_map(|each| Some((each.found.probability, measure(each)?)));
        let (probabilities, measures): (Vec<f64>, Vec<f64>) = known.unzip();
        rank_correlation(&probabilities, &measures, error)
    };
    let correlation = Correlation {
        median: correlate(&|each| Some(each.median)),
        index: correlate(&|each| each.index),
        product: correlate(&|each| Some(each.product)),
    };
    Ok(Answer {
        depth,
        moves,
        correlation,
    })
}
