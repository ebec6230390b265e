//! Aggregation and disaggregation: a factor for each depth that brings values closer to a solution.
//!
//! Sweeps quickly smooth the error between positions a few moves apart; the remaining error varies slowly, above all with the depth.
//! So all values of a depth are corrected by one factor, chosen such that the equations hold on average at each depth.
//!
//! The system is solved for the correction, not the value, so rounding in a small system of equations, which loses many digits
//! where play takes long, only costs some digits of the correction.

use crate::exact::eliminate;

/// Sums over the positions of a depth.
pub(super) struct DepthRow {
    /// V.
    pub(super) total: f64,
    /// 1 - (V - P V).
    pub(super) missing: f64,
    /// P V, by the depth moved to.
    pub(super) sums: Vec<f64>,
}

impl DepthRow {
    pub(super) fn new(depths: usize) -> DepthRow {
        DepthRow {
            total: 0.0,
            missing: 0.0,
            sums: vec![0.0; depths],
        }
    }

    pub(super) fn merge(&mut self, part: &DepthRow) {
        self.total += part.total;
        self.missing += part.missing;
        for (sum, part) in self.sums.iter_mut().zip(&part.sums) {
            *sum += part;
        }
    }
}

/// The factor of each depth for which the equations hold on average; `None` if rounding leaves nothing useful.
pub(super) fn factors(rows: &[DepthRow]) -> Option<Vec<f64>> {
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
    for (&depth, correction) in used.iter().zip(corrections) {
        factors[depth] += correction;
    }
    let sound = |factor: &f64| factor.is_finite() && *factor > 0.0;
    factors.iter().all(sound).then_some(factors)
}
