//! Aggregation and disaggregation: factors that bring values closer to a solution.
//!
//! Sweeps quickly smooth the error between positions a few moves apart; the remaining error varies slowly. So positions are
//! grouped into classes, by their depth and by how far the equation is from holding, and all values of a class are corrected
//! by one factor, chosen such that the equations hold on average in each class. Classes by residual are due to Bertsekas and
//! Castañon (1989), *Adaptive aggregation methods for infinite horizon dynamic programming*.
//!
//! The system is solved for the correction, not the value, so rounding in a small system of equations, which loses many digits
//! where play takes long, only costs some digits of the correction.

use super::residual::Residual;
use crate::exact::eliminate;

/// The number of classes per depth.
pub(super) const CLASSES: usize = 4;

/// The class of a position of some depth, by the distance of its residual from 1. Before there are bounds, residuals say
/// little, and each depth is one class.
pub(super) fn class(residual: &Residual, depth: usize) -> impl Fn(f32) -> u16 {
    let parts = match residual.bounds().apart().is_finite() {
        true => CLASSES,
        false => 1,
    };
    let (low, high) = residual.range(depth);
    move |off| {
        let share = f64::from(off - low) / f64::from(high - low);
        // NaN, if all are equal, becomes 0.
        let part = ((share * parts as f64) as usize).min(parts - 1);
        (depth * CLASSES + part) as u16
    }
}

/// Sums over the positions of a class.
#[derive(Clone)]
pub(super) struct ClassRow {
    /// V.
    pub(super) total: f64,
    /// 1 - (V - P V).
    pub(super) missing: f64,
    /// P V, by the class moved to.
    pub(super) sums: Vec<f64>,
}

impl ClassRow {
    pub(super) fn new(classes: usize) -> ClassRow {
        ClassRow {
            total: 0.0,
            missing: 0.0,
            sums: vec![0.0; classes],
        }
    }

    pub(super) fn merge(&mut self, part: &ClassRow) {
        self.total += part.total;
        self.missing += part.missing;
        for (sum, part) in self.sums.iter_mut().zip(&part.sums) {
            *sum += part;
        }
    }
}

/// The factor of each class for which the equations hold on average; `None` if rounding leaves nothing useful.
pub(super) fn factors(rows: &[ClassRow]) -> Option<Vec<f64>> {
    let used: Vec<usize> = (0..rows.len()).filter(|&k| rows[k].total > 0.0).collect();
    let equations = used.iter().map(|&from| {
        let row = &rows[from];
        let entry = |&to: &usize| {
            let own = if to == from { row.total } else { 0.0 };
            own - row.sums[to]
        };
        let entries = used.iter().map(entry).chain([row.missing]);
        entries.map(|entry| entry / row.total).collect()
    });
    let corrections = eliminate(equations.collect());
    let mut factors = vec![1.0; rows.len()];
    for (&class, correction) in used.iter().zip(corrections) {
        factors[class] += correction;
    }
    let sound = |factor: &f64| factor.is_finite() && *factor > 0.0;
    factors.iter().all(sound).then_some(factors)
}
