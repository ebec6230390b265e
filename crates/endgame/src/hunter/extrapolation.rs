//! Anderson's extrapolation over several rounds.
//!
//! A round turns values x into g(x), a change of f(x) = g(x) - x. Near a solution g is linear. The next round begins
//! with the combination of the last rounds whose change is least, relative to x: for linear g this is GMRES (Walker and
//! Ni 2011, *Anderson acceleration for fixed-point iterations*).

use rayon::prelude::*;

use super::nodes::CHUNK;
use crate::exact::eliminate;

/// The number of earlier rounds that are combined.
const DEPTH: usize = 5;

/// The values before a round, the last two rounds, and the steps.
pub(super) const BYTES_A_NODE: u64 = 8 + 2 * (4 + 8) + (DEPTH as u64 + 1) * 2 * 4;

/// A round: its change and its result.
struct Round {
    change: Vec<f32>,
    result: Vec<f64>,
}

/// The last rounds.
#[derive(Default)]
pub(super) struct Extrapolation {
    last: Option<Round>,
    /// The differences between successive earlier rounds: of the change, and of the result.
    steps: Vec<[Vec<f32>; 2]>,
}

impl Extrapolation {
    /// Improves the result of a round that began with these values; leaves it alone if a value would not stay positive.
    pub(super) fn improve(&mut self, before: &[f64], result: &mut [f64]) {
        let round = Round {
            change: each(result, before, |g, x| g - x),
            result: result.to_vec(),
        };
        if let Some(last) = &self.last {
            let change = round.change.par_iter().zip(&last.change);
            self.steps.push([
                change.map(|(new, old)| new - old).collect(),
                each(result, &last.result, |new, old| new - old),
            ]);
            if self.steps.len() > DEPTH {
                self.steps.remove(0);
            }
        }
        let shares = self.shares(before, &round.change);
        self.last = Some(round);
        if !shares.iter().all(|share| share.is_finite()) {
            return self.forget();
        }
        let least = result.par_iter_mut().enumerate().map(|(node, value)| {
            let steps = self.steps.iter().zip(&shares);
            let better: f64 = steps
                .map(|([_, step], share)| share * f64::from(step[node]))
                .sum();
            *value -= better;
            *value
        });
        let least = least.reduce(|| f64::INFINITY, f64::min);
        if least <= 0.0 {
            if let Some(last) = &self.last {
                result.copy_from_slice(&last.result);
            }
            self.forget();
        }
    }

    /// Forgets the rounds so far.
    pub(super) fn forget(&mut self) {
        *self = Extrapolation::default();
    }

    /// The share of each step that minimises the change, relative to the values: normal equations.
    fn shares(&self, values: &[f64], change: &[f32]) -> Vec<f64> {
        let steps = self.steps.iter().map(|[step, _]| &step[..]);
        let changes: Vec<&[f32]> = steps.chain([change]).collect();
        let (rows, columns) = (self.steps.len(), changes.len());
        let products = |first: usize| {
            let mut sums = vec![vec![0.0; columns]; rows];
            let mut at_node = vec![0.0; columns];
            let end = values.len().min(first + CHUNK);
            for (node, value) in (first..).zip(&values[first..end]) {
                for (relative, change) in at_node.iter_mut().zip(&changes) {
                    *relative = f64::from(change[node]) / value;
                }
                for (sums, row) in sums.iter_mut().zip(&at_node) {
                    for (sum, column) in sums.iter_mut().zip(&at_node) {
                        *sum += row * column;
                    }
                }
            }
            sums
        };
        let chunks = (0..values.len()).into_par_iter().step_by(CHUNK);
        let parts: Vec<Vec<Vec<f64>>> = chunks.map(products).collect();
        let mut equations = vec![vec![0.0; columns]; rows];
        for part in &parts {
            for (sums, part) in equations.iter_mut().zip(part) {
                for (sum, part) in sums.iter_mut().zip(part) {
                    *sum += part;
                }
            }
        }
        eliminate(equations)
    }
}

/// Some function of two values of each node.
fn each(a: &[f64], b: &[f64], of: impl Fn(f64, f64) -> f64 + Sync) -> Vec<f32> {
    a.par_iter()
        .zip(b)
        .map(|(a, b)| of(*a, *b) as f32)
        .collect()
}
