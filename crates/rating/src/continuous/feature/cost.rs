//! The cost of a move.

use super::{Feature, Seen};

/// Minus the scaled cost: the weight is an agent's sensitivity to cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost;

impl Feature for Cost {
    fn name(&self) -> String {
        "cost".to_owned()
    }

    fn fill(&self, seen: &Seen, values: &mut [f64]) {
        for (value, cost) in values.iter_mut().zip(&seen.costs) {
            *value = -cost;
        }
    }
}
