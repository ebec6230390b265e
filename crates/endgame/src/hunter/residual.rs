//! How far lengths are from a solution, and what follows from it: bounds, and factors that bring them closer.
//!
//! Let r = V - P V with the best replies to V, and l <= r <= h at all nodes, l > 0. Then the solution
//! lies between V / h and V / l. If the hunter maximises, r is the least of all policies' residuals: V >= l N 1
//! for N = 1 + P + P² + ... of every policy, hence for the best; and V <= h N 1 for the policy that is
//! best for V, which is no better than the best. If it minimises, the same holds the other way round.

use super::{HuntError, Solved};
use crate::exact::eliminate;

/// As close together as bounds shall be, relatively.
const TOLERANCE: f64 = 1e-9;
/// After so many rounds bounds will do that are farther apart: play takes very long then, and each further digit
/// takes as many rounds again.
const PATIENCE: usize = 200;
const LATE_TOLERANCE: f64 = 1e-6;
/// The rounding error of a residual, in units of the greatest value.
const ROUNDING: f64 = 1e-14;
/// Where play takes longer, differences of its lengths are lost in rounding.
pub(super) const LONGEST: f64 = 1e9;

/// How far values are from a solution, over some nodes of one depth.
pub(super) struct Row {
    low: f64,
    high: f64,
    total: f64,
    count: f64,
    /// By depth moved to: the sum of P V.
    pub(super) sums: Vec<f64>,
}

impl Row {
    pub(super) fn new() -> Row {
        Row {
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            total: 0.0,
            count: 0.0,
            sums: vec![0.0; 256],
        }
    }

    #[inline]
    pub(super) fn add(&mut self, value: f64, mean: f64) {
        self.low = self.low.min(value - mean);
        self.high = self.high.max(value - mean);
        self.total += value;
        self.count += 1.0;
    }

    pub(super) fn merge(&mut self, part: &Row) {
        self.low = self.low.min(part.low);
        self.high = self.high.max(part.high);
        self.total += part.total;
        self.count += part.count;
        for (sum, part) in self.sums.iter_mut().zip(&part.sums) {
            *sum += part;
        }
    }
}

/// How far values are from a solution.
pub(super) struct Residual {
    pub(super) rows: Vec<Row>,
}

/// The solution lies between these multiples of the values.
pub(super) struct Factors {
    low: f64,
    high: f64,
}

impl Factors {
    /// How far apart they are.
    pub(super) fn apart(&self) -> f64 {
        self.high - self.low
    }

    /// How close they are, for people.
    pub(super) fn words(&self) -> String {
        match self.apart() {
            apart if apart.is_finite() => format!("bounds are {apart:.1e} apart"),
            _ => "no bounds yet".to_owned(),
        }
    }

    pub(super) fn solved(&self, values: &[f64]) -> Solved {
        Solved {
            values: values.to_vec(),
            low: self.low,
            high: self.high,
            error: 0.0,
        }
    }
}

impl Residual {
    pub(super) fn new(depths: usize) -> Residual {
        Residual {
            rows: (0..depths).map(|_| Row::new()).collect(),
        }
    }

    pub(super) fn bounds(&self) -> Factors {
        let low = self
            .rows
            .iter()
            .map(|row| row.low)
            .fold(f64::INFINITY, f64::min);
        let high = self
            .rows
            .iter()
            .map(|row| row.high)
            .fold(f64::NEG_INFINITY, f64::max);
        Factors {
            low: 1.0 / high,
            high: if low > 0.0 { 1.0 / low } else { f64::INFINITY },
        }
    }

    /// The bounds, once they are close together.
    pub(super) fn settled(&self, round: usize, values: &[f64]) -> Option<Factors> {
        let tolerance = match round {
            ..PATIENCE => TOLERANCE,
            _ => LATE_TOLERANCE,
        };
        let greatest = values.iter().copied().fold(0.0, f64::max);
        let bounds = self.bounds();
        (bounds.apart() <= tolerance.max(ROUNDING * greatest)).then_some(bounds)
    }

    pub(super) fn refuse_too_long(&self, values: &[f64]) -> Result<(), HuntError> {
        let bounds = self.bounds();
        let greatest = values.iter().copied().fold(0.0, f64::max);
        let least = greatest * bounds.low;
        if bounds.high.is_finite() && least > LONGEST {
            return Err(HuntError::TooLong { least });
        }
        Ok(())
    }

    /// Factors for the values of each depth, such that the equations hold on average.
    pub(super) fn factors(&self) -> Option<Vec<f64>> {
        let depths: Vec<usize> = (0..self.rows.len())
            .filter(|&depth| self.rows[depth].count > 0.0)
            .collect();
        let equations = depths
            .iter()
            .map(|&from| {
                let row = &self.rows[from];
                let entry = |&to: &usize| {
                    let own = if to == from { row.total } else { 0.0 };
                    own - row.sums[to]
                };
                let entries = depths.iter().map(entry).chain([row.count]);
                entries.map(|entry| entry / row.total).collect()
            })
            .collect();
        let solution = eliminate(equations);
        let sound = |factor: &f64| factor.is_finite() && *factor > 0.0;
        solution.iter().all(sound).then(|| {
            let mut factors = vec![1.0; self.rows.len()];
            for (&depth, factor) in depths.iter().zip(solution) {
                factors[depth] = factor;
            }
            factors
        })
    }
}
