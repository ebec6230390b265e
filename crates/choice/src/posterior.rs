//! The Analyser's distribution over a grid of competences (Haworth and Andrist 2004, section 3.2).
//!
//! The likelihood of c after some choices is exp(-c Σ g) / Π Z(c), where g are the chosen aversions
//! and Z the normalisers of the turns. The sum is a single number. The greatest term is divided out of
//! each Z, which leaves it between the smallest weight and the sum of the weights; products of many Z
//! then stay within floating-point range, and logarithms are rarely taken. Along the grid every term
//! is a geometric progression.

use std::ops::Range;

use crate::{Estimate, Grid, Profile};

/// The belief about the competence before any choice is observed.
#[derive(Debug, Clone, PartialEq)]
pub enum PriorShape {
    /// All competences are equally likely.
    Uniform,
    /// A normal distribution.
    Normal {
        /// Its mean.
        mean: f64,
        /// Its standard deviation.
        sd: f64,
    },
}

impl PriorShape {
    /// The logarithm of its density, up to a constant.
    pub(crate) fn log_density(&self, competence: f64) -> f64 {
        match *self {
            PriorShape::Uniform => 0.0,
            PriorShape::Normal { mean, sd } => -((competence - mean) / sd).powi(2) / 2.0,
        }
    }

    /// The derivative of that.
    pub(crate) fn slope(&self, competence: f64) -> f64 {
        match *self {
            PriorShape::Uniform => 0.0,
            PriorShape::Normal { mean, sd } => (mean - competence) / (sd * sd),
        }
    }
}

/// A distribution over a grid of competences, updated with every observed choice.
#[derive(Debug, Clone)]
pub struct Posterior {
    grid: Grid,
    /// The indices where negative points, the point 0 (if any) and positive points begin, and the end.
    sign_changes: [usize; 4],
    /// The logarithm of the prior divided by all Z that are no longer in `normalisers`.
    log_prior: Vec<f64>,
    /// The product of the turns' Z, relative to their greatest terms.
    normalisers: Vec<f64>,
    /// The logarithm of the largest value that product, or its inverse, can have.
    range: f64,
    /// Sums of the chosen aversions, relative to the least of their turn (for c >= 0) and the greatest
    /// (for c < 0).
    above_least: f64,
    below_greatest: f64,
}

/// The options that matter for competences of one sign.
struct Side {
    /// Aversions relative to that of the greatest term, with weights.
    terms: Vec<(f64, f64)>,
    /// The chosen aversion on the same scale; `None` if R_c cannot choose it.
    chosen: Option<f64>,
}

impl Posterior {
    /// The distribution before any observation.
    pub fn new(grid: Grid, prior: &PriorShape) -> Posterior {
        Posterior::from_log_weights(grid, grid.points().map(|c| prior.log_density(c)).collect())
    }

    /// A distribution with these log-weights at the grid's points.
    fn from_log_weights(grid: Grid, log_prior: Vec<f64>) -> Posterior {
        let below = |end: &dyn Fn(f64) -> bool| grid.points().take_while(|&c| end(c)).count();
        Posterior {
            grid,
            sign_changes: [0, below(&|c| c < 0.0), below(&|c| c <= 0.0), grid.len()],
            normalisers: vec![1.0; grid.len()],
            log_prior,
            range: 0.0,
            above_least: 0.0,
            below_greatest: 0.0,
        }
    }

    /// The grid.
    pub const fn grid(&self) -> Grid {
        self.grid
    }

    /// Adds an observation: an option with this aversion was chosen from a turn's profile.
    pub fn observe(&mut self, profile: &Profile, chosen: f64) {
        if !profile.is_informative() {
            return;
        }
        let ends = self.sign_changes;
        for (sign, ends) in [-1.0, 0.0, 1.0].into_iter().zip(ends.windows(2)) {
            if ends[0] < ends[1] {
                self.observe_side(&Side::new(profile, chosen, sign), sign, ends[0]..ends[1]);
            }
        }
        self.widen(profile);
    }

    fn observe_side(&mut self, side: &Side, sign: f64, range: Range<usize>) {
        let Some(chosen) = side.chosen else {
            self.log_prior[range].fill(f64::NEG_INFINITY);
            return;
        };
        match sign {
            -1.0 => self.below_greatest += chosen,
            1.0 => self.above_least += chosen,
            _ => {}
        }
        let (grid, start) = (self.grid, range.start);
        for (number, points) in self.normalisers[range].chunks_mut(BLOCK).enumerate() {
            let first = start + number * BLOCK;
            multiply(points, &side.terms, grid.point(first), grid.step());
        }
    }

    /// Takes logarithms before the products of normalisers can leave floating-point range.
    fn widen(&mut self, profile: &Profile) {
        let weights = || profile.entries().map(|(_, weight)| weight);
        let sum: f64 = weights().sum();
        let least = weights().fold(f64::INFINITY, f64::min);
        self.range += sum.ln().abs().max(least.ln().abs());
        if self.range > 500.0 {
            for (log, product) in self.log_prior.iter_mut().zip(&mut self.normalisers) {
                *log -= product.ln();
                *product = 1.0;
            }
            self.range = 0.0;
        }
    }

    /// The logarithms of the points' weights, up to a constant.
    pub fn log_weights(&self) -> Vec<f64> {
        let points = self.grid.points();
        let parts = self.log_prior.iter().zip(&self.normalisers);
        points
            .zip(parts)
            .map(|(c, (log, product))| {
                let aversion = if c < 0.0 {
                    self.below_greatest
                } else {
                    self.above_least
                };
                log - product.ln() - c * aversion
            })
            .collect()
    }

    /// The probability of each point of the grid; `None` if no point explains the observations.
    pub fn weights(&self) -> Option<Vec<f64>> {
        let mut weights = self.log_weights();
        let greatest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if greatest == f64::NEG_INFINITY {
            return None;
        }
        weights
            .iter_mut()
            .for_each(|weight| *weight = (*weight - greatest).exp());
        let sum: f64 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= sum);
        Some(weights)
    }

    /// Summarises the distribution; `None` if no point of the grid explains the observations.
    pub fn summary(&self) -> Option<Estimate> {
        Estimate::of_log_weights(&self.grid.points(), &self.log_weights())
    }

    /// This posterior as the prior for another game.
    pub fn as_prior(&self) -> Posterior {
        Posterior::from_log_weights(self.grid, self.log_weights())
    }
}

impl Side {
    fn new(profile: &Profile, chosen: f64, sign: f64) -> Side {
        let entries = || profile.entries();
        let aversions = || entries().map(|(aversion, _)| aversion);
        let greatest_term = match sign {
            1.0 => aversions().fold(f64::INFINITY, f64::min),
            -1.0 => aversions().fold(f64::NEG_INFINITY, f64::max),
            _ => 0.0,
        };
        // The difference is 0 if both are the same infinity, or if c = 0 makes all options equal.
        let relative = |aversion: f64| match () {
            () if sign == 0.0 || aversion == greatest_term => Some(0.0),
            () => Some(aversion - greatest_term).filter(|difference| difference.is_finite()),
        };
        Side {
            terms: entries()
                .filter_map(|(aversion, weight)| Some((relative(aversion)?, weight)))
                .collect(),
            chosen: aversions().find(|&a| a == chosen).and_then(relative),
        }
    }
}

/// A progression restarts after this many points, so that rounding errors do not accumulate.
const BLOCK: usize = 512;
const LANES: usize = 8;

/// Multiplies the points from `first` on by the sum over the terms of weight exp(-c aversion).
fn multiply(points: &mut [f64], terms: &[(f64, f64)], first: f64, step: f64) {
    let mut sums = [0.0; BLOCK];
    let sums = &mut sums[..points.len()];
    for &(aversion, weight) in terms {
        let ratio = (-aversion * step).exp();
        let mut lanes = [weight * (-aversion * first).exp(); LANES];
        for lane in 1..LANES {
            lanes[lane] = lanes[lane - 1] * ratio;
        }
        let stride = ratio.powi(LANES as i32);
        let (whole, rest) = sums.as_chunks_mut::<LANES>();
        for sums in whole {
            for (sum, lane) in sums.iter_mut().zip(&mut lanes) {
                *sum += *lane;
                *lane *= stride;
            }
        }
        for (sum, lane) in rest.iter_mut().zip(lanes) {
            *sum += lane;
        }
    }
    for (point, sum) in points.iter_mut().zip(sums) {
        *point *= *sum;
    }
}
