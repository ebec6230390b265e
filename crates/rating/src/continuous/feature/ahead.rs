//! Costs when ahead or behind.

use super::{Feature, Seen};

/// Minus the scaled cost times tanh of the best move's score in pawns.
///
/// The scale of costs accounts for half a pawn weighing less when one side is far ahead, but not for
/// players valuing it differently when they are the ones ahead. The weight is the same for all ratings.
#[derive(Clone, Copy, Debug)]
pub struct CostAhead;

impl Feature for CostAhead {
    fn name(&self) -> String {
        "cost-ahead".to_owned()
    }

    fn varies(&self) -> bool {
        false
    }

    fn fill(&self, seen: &Seen, values: &mut [f64]) {
        let ahead = seen.pawns[0].tanh();
        for (value, cost) in values.iter_mut().zip(&seen.costs) {
            *value = -cost * ahead;
        }
    }
}
