//! The engine's first choice.

use super::{Feature, Seen};

/// 1 for the engine's first move, 0 for the others.
#[derive(Clone, Copy, Debug)]
pub struct First;

impl Feature for First {
    fn name(&self) -> String {
        "first".to_owned()
    }

    fn fill(&self, _: &Seen, values: &mut [f64]) {
        values.fill(0.0);
        values[0] = 1.0;
    }
}
