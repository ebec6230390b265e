//! The distribution functions of the moves' scores, evaluated at many points at once.

use crate::polynomial::products_of_others;
use crate::tree::{Propagated, Tree};

/// How many points are evaluated together: one panel of the quadrature.
pub const LANES: usize = 16;

/// One number for each of [`LANES`] points.
pub type ScoreRow = [f64; LANES];

/// A score to compare with: its place on the scale of the leaves, and on which side of a draw it
/// lies.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScorePoint {
    /// The probability that a leaf is at most this score.
    pub below: f64,
    /// The probability that a leaf is above it. Stored separately, for where `below` rounds to 1.
    pub above: f64,
    /// 1 if a draw is at most this score, else 0.
    pub draw: f64,
}

impl ScorePoint {
    /// Just above a loss, below every other score.
    pub(crate) const LOSS: ScorePoint = ScorePoint {
        below: 0.0,
        above: 1.0,
        draw: 0.0,
    };
    /// Just below a draw, which is in the middle of the leaves.
    pub(crate) const BEFORE_DRAW: ScorePoint = ScorePoint {
        below: 0.5,
        above: 0.5,
        draw: 0.0,
    };
    /// Just above a draw.
    pub(crate) const AFTER_DRAW: ScorePoint = ScorePoint {
        below: 0.5,
        above: 0.5,
        draw: 1.0,
    };
    /// Just below a win, above every other score.
    pub(crate) const WIN: ScorePoint = ScorePoint {
        below: 1.0,
        above: 0.0,
        draw: 1.0,
    };

    /// The point with this logit: ln(below / above).
    pub(crate) fn at_logit(logit: f64) -> ScorePoint {
        ScorePoint {
            below: 1.0 / (1.0 + (-logit).exp()),
            above: 1.0 / (1.0 + logit.exp()),
            draw: if logit < 0.0 { 0.0 } else { 1.0 },
        }
    }
}

/// The scores of the moves at the root of a tree, as independent random numbers.
pub trait Scores {
    /// The number of moves.
    fn moves(&self) -> usize;

    /// For each move, the probability that its score is at most each of the points.
    fn distributions(&self, points: &[ScorePoint; LANES]) -> Vec<ScoreRow>;
}

/// A probability with its complement, so that neither loses digits when it is close to 0.
#[derive(Debug, Clone, Copy)]
struct Chance {
    yes: f64,
    no: f64,
}

impl Propagated for Chance {
    fn times(self, other: Chance) -> Chance {
        Chance {
            yes: self.yes * other.yes,
            no: self.no + self.yes * other.no,
        }
    }

    fn power(self, copies: u32) -> Chance {
        let logarithm = if self.yes < 0.5 {
            self.yes.ln()
        } else {
            (-self.no).ln_1p()
        };
        let exponent = f64::from(copies) * logarithm;
        Chance {
            yes: exponent.exp(),
            no: -exponent.exp_m1(),
        }
    }

    fn complement(self) -> Chance {
        Chance {
            yes: self.no,
            no: self.yes,
        }
    }
}

/// The plain recursion: the slow twin of [`Shape`](crate::Shape).
impl Scores for Tree {
    fn moves(&self) -> usize {
        self.moves().len()
    }

    fn distributions(&self, points: &[ScorePoint; LANES]) -> Vec<ScoreRow> {
        let distribution = |node: &Tree, point: &ScorePoint| {
            let at_most = Chance {
                yes: point.below,
                no: point.above,
            };
            let leaf = |level| {
                if level % 2 == 1 {
                    at_most
                } else {
                    at_most.complement()
                }
            };
            node.propagate(1, &leaf).yes
        };
        let row = |node: &Tree| points.each_ref().map(|point| distribution(node, point));
        self.moves().into_iter().map(row).collect()
    }
}

/// The probabilities with which each move is the best within a stretch of scores: the integral of
/// its density times the product of the others' distribution functions, by a rule with these
/// weights; `values` and `slopes` hold, for each move, the function and its derivative at the nodes.
pub(crate) fn best_within<V: AsRef<[f64]>>(
    values: &[V],
    slopes: &[V],
    weights: impl Iterator<Item = f64>,
) -> Vec<f64> {
    let mut best = vec![0.0; values.len()];
    for (node, weight) in weights.enumerate() {
        let column: Vec<f64> = values.iter().map(|row| row.as_ref()[node]).collect();
        let others = products_of_others(&column, 1.0, |a, b| a * b);
        for ((best, slope), others) in best.iter_mut().zip(slopes).zip(others) {
            *best += weight * slope.as_ref()[node] * others;
        }
    }
    best
}
