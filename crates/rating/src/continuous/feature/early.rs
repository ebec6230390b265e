//! Costs in the first moves after the opening.

use super::{Feature, Seen};

/// The last move that counts as early.
const LAST_EARLY_MOVE: u32 = 12;

/// Minus the scaled cost up to move 12, then 0.
///
/// In these moves people still play from memory, and would be taken for better players than they are. The
/// weight is the same for all ratings.
#[derive(Clone, Copy, Debug)]
pub struct CostEarly;

impl Feature for CostEarly {
    fn name(&self) -> String {
        "cost-early".to_owned()
    }

    fn varies(&self) -> bool {
        false
    }

    fn fill(&self, seen: &Seen, values: &mut [f64]) {
        values.fill(0.0);
        if seen.move_number.is_some_and(|it| it <= LAST_EARLY_MOVE) {
            for (value, cost) in values.iter_mut().zip(&seen.costs) {
                *value = -cost;
            }
        }
    }
}
