//! How far lengths are from a solution, and the bounds that follow.
//!
//! Let r = V - P V with the best replies to V, and l <= r <= h at all nodes, l > 0. Then the solution
//! lies between V / h and V / l. If the hunter maximises, r is the least of all policies' residuals: V >= l N 1
//! for N = 1 + P + P² + ... of every policy, hence for the best; and V <= h N 1 for the policy that is
//! best for V, which is no better than the best. If it minimises, the same holds the other way round.
//!
//! Residuals are differences of rounded numbers, so that l and h are moved apart by the rounding error before the bounds are
//! given. What they do not include is the rounding of the prey's weights, which are part of the model.

use super::{HuntError, Solved};

/// The required relative distance of the bounds.
const TOLERANCE: f64 = 1e-9;
/// After this many rounds wider bounds are accepted, and having none is an error: play takes very long then, and each
/// further digit takes as many rounds again.
const PATIENCE: usize = 200;
const LATE_TOLERANCE: f64 = 1e-6;
/// The rounding error of a residual, in units of the greatest value: a mean over n moves is off by at most about n units of
/// 1.1e-16, and positions of five men have fewer than 90 moves.
const ROUNDING: f64 = 1e-14;
/// If play takes longer, differences of its lengths are lost to rounding.
pub(super) const LONGEST: f64 = 1e9;

/// The range of some residuals.
#[derive(Clone, Copy)]
pub(super) struct Residuals {
    low: f64,
    high: f64,
}

impl Residuals {
    pub(super) const EMPTY: Residuals = Residuals {
        low: f64::INFINITY,
        high: f64::NEG_INFINITY,
    };

    #[inline]
    pub(super) fn add(&mut self, residual: f64) {
        self.low = self.low.min(residual);
        self.high = self.high.max(residual);
    }

    pub(super) fn merge(self, other: Residuals) -> Residuals {
        Residuals {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// Bounds of the solution as multiples of the values.
pub(super) struct Factors {
    low: f64,
    high: f64,
}

impl Factors {
    /// Their distance.
    pub(super) fn apart(&self) -> f64 {
        self.high - self.low
    }

    /// A description of their distance, for display; empty while they say nothing.
    pub(super) fn words(&self) -> String {
        match self.apart() {
            ..1.0 => format!("bounds are {:.1e} apart", self.apart()),
            _ => String::new(),
        }
    }

    /// The first values as a solution: those of nodes, without those of ends.
    pub(super) fn solved(&self, mut values: Vec<f64>, nodes: usize) -> Solved {
        values.truncate(nodes);
        Solved {
            values,
            low: self.low,
            high: self.high,
            error: 0.0,
        }
    }
}

impl Residuals {
    /// The bounds as computed.
    pub(super) fn bounds(&self) -> Factors {
        self.widened(0.0)
    }

    /// The bounds if every residual is off by at most this much.
    fn widened(&self, error: f64) -> Factors {
        let Residuals { low, high } = *self;
        let low = low - error;
        Factors {
            low: 1.0 / (high + error),
            high: if low > 0.0 { 1.0 / low } else { f64::INFINITY },
        }
    }

    /// The bounds, including rounding, once they are close enough: as computed, closer than the tolerance or than rounding
    /// can tell.
    pub(super) fn settled(&self, round: usize, values: &[f64]) -> Option<Factors> {
        let tolerance = match round {
            ..PATIENCE => TOLERANCE,
            _ => LATE_TOLERANCE,
        };
        let rounding = ROUNDING * values.iter().copied().fold(0.0, f64::max);
        let close = self.bounds().apart() <= tolerance.max(rounding);
        close.then(|| self.widened(rounding))
    }

    /// Refuses lengths that the bounds show to be too great, or that have no bounds after many rounds: there rounding
    /// hides the rest.
    pub(super) fn refuse_too_long(&self, round: usize, values: &[f64]) -> Result<(), HuntError> {
        let bounds = self.bounds();
        let greatest = values.iter().copied().fold(0.0, f64::max);
        match bounds.high.is_finite() {
            true if bounds.low * greatest > LONGEST => Err(HuntError::TooLong {
                about: bounds.low * greatest,
            }),
            false if round >= PATIENCE => Err(HuntError::TooLong { about: greatest }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives up after PATIENCE rounds without bounds.
    #[test]
    fn what_has_no_bounds_is_given_up() {
        let mut residuals = Residuals::EMPTY;
        residuals.add(-1.0);
        residuals.add(3.0);
        let refused = |round| residuals.refuse_too_long(round, &[3.0, 1e7]).err();
        assert!(refused(PATIENCE - 1).is_none());
        assert!(matches!(refused(PATIENCE), Some(HuntError::TooLong { .. })));
    }

    /// Rounding hides an error of 1e-8 in a residual where values are a million: bounds that were computed as equal are not.
    #[test]
    fn bounds_include_rounding() {
        let mut residuals = Residuals::EMPTY;
        residuals.add(1.0);
        assert_eq!(residuals.bounds().apart(), 0.0);
        let settled = residuals.settled(0, &[3.0, 1e6]).expect("they are close");
        assert!(settled.low < 1.0 - 0.9e-8 && settled.high > 1.0 + 0.9e-8);
        assert!(settled.apart() < 2.1e-8);
        let solved = settled.solved(vec![3.0, 1e6, 0.0], 2);
        assert_eq!(solved.values(), [3.0, 1e6]);
        let million = solved.at(1);
        assert!(million.low < 1e6 && 1e6 < million.high);
    }
}
