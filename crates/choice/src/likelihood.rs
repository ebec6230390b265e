//! The Analyser without a grid. R_c is an exponential family, so the log-likelihood is concave in c,
//! and with a uniform or normal prior so is the log-posterior. It has a single mode and falls off on
//! both sides, so quadrature over the range where it is not negligible is accurate.

use gauss_quad::GaussLegendre;

use crate::{Estimate, PriorShape, Profile};

/// The range of competences to search; the ends may be infinite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

/// The likelihood of the observed choices as a function of the competence.
#[derive(Debug, Clone, Default)]
pub struct Likelihood {
    turns: Vec<(Profile, f64)>,
}

/// Densities this far below the maximum, in logarithms, are negligible.
const NEGLIGIBLE: f64 = 50.0;
/// Number of panels into which the support is divided, and of quadrature nodes in each.
const PANELS: usize = 64;
const NODES: usize = 12;
/// Search limit that stands in for infinite bounds.
const FARTHEST: f64 = 1e6;

impl Likelihood {
    /// Adds an observation: an option with this aversion was chosen from a turn's profile.
    pub fn observe(&mut self, profile: &Profile, chosen: f64) {
        if profile.is_informative() {
            self.turns.push((profile.clone(), chosen));
        }
    }

    /// The logarithm of the likelihood.
    pub fn log_likelihood(&self, competence: f64) -> f64 {
        let log = |(profile, chosen): &(Profile, f64)| profile.log_probability(competence, *chosen);
        self.turns.iter().map(log).sum()
    }

    /// Its derivative: the sum of expected minus chosen aversions.
    fn slope(&self, competence: f64) -> f64 {
        let slope = |(profile, chosen): &(Profile, f64)| {
            let expected = profile.expected_aversion(competence);
            // If the only options with a chance are infinitely preferred, competence makes no
            // difference.
            if expected == *chosen {
                0.0
            } else {
                expected - chosen
            }
        };
        self.turns.iter().map(slope).sum()
    }

    /// Summarises the posterior; `None` if no competence within the bounds explains the observations,
    /// or if the likelihood never falls off (a faultless side and no upper bound).
    pub fn summary(&self, bounds: Bounds, prior: &PriorShape) -> Option<Estimate> {
        let log_density = |c: f64| self.log_likelihood(c) + prior.log_density(c);
        let bounds = Bounds {
            min: bounds.min.max(-FARTHEST),
            max: bounds.max.min(FARTHEST),
        };
        let mode = root(bounds.min, bounds.max, |c| self.slope(c) + prior.slope(c));
        let greatest = log_density(mode);
        if !greatest.is_finite() || mode.abs() == FARTHEST {
            return None;
        }
        let excess = |c: f64| log_density(c) - greatest + NEGLIGIBLE;
        let low = root(bounds.min, mode, |c| -excess(c));
        let high = root(mode, bounds.max, excess);
        let density = |c: f64| (log_density(c) - greatest).exp();
        Some(Distribution::new(low, high, density).summary(mode))
    }
}

/// The root of a decreasing function, or the end of the range nearest to it.
fn root(mut low: f64, mut high: f64, function: impl Fn(f64) -> f64) -> f64 {
    if function(high) >= 0.0 {
        return high;
    }
    if function(low) <= 0.0 {
        return low;
    }
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if function(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
}

/// A density on an interval divided into panels.
struct Distribution<F> {
    rule: GaussLegendre,
    density: F,
    /// The ends of the panels.
    ends: Vec<f64>,
    /// The integral of each panel.
    masses: Vec<f64>,
}

impl<F: Fn(f64) -> f64> Distribution<F> {
    fn new(low: f64, high: f64, density: F) -> Distribution<F> {
        let rule = GaussLegendre::new(NODES.try_into().expect("there are nodes"));
        let width = (high - low) / PANELS as f64;
        let ends: Vec<_> = (0..=PANELS)
            .map(|panel| low + panel as f64 * width)
            .collect();
        let panels = ends.windows(2);
        let masses = panels
            .map(|ends| rule.integrate(ends[0], ends[1], &density))
            .collect();
        Distribution {
            rule,
            density,
            ends,
            masses,
        }
    }

    fn integral(&self, function: impl Fn(f64) -> f64) -> f64 {
        let integrand = |c: f64| (self.density)(c) * function(c);
        let panels = self.ends.windows(2);
        panels
            .map(|ends| self.rule.integrate(ends[0], ends[1], integrand))
            .sum()
    }

    fn quantile(&self, share: f64) -> f64 {
        let mut left = share * self.masses.iter().sum::<f64>();
        for (ends, mass) in self.ends.windows(2).zip(&self.masses) {
            if left <= *mass {
                let missing = |c| left - self.rule.integrate(ends[0], c, &self.density);
                return root(ends[0], ends[1], missing);
            }
            left -= mass;
        }
        self.ends[PANELS]
    }

    fn summary(&self, mode: f64) -> Estimate {
        let mass: f64 = self.masses.iter().sum();
        let mean = self.integral(|c| c) / mass;
        Estimate {
            mean,
            sd: (self.integral(|c| (c - mean).powi(2)) / mass).sqrt(),
            mode,
            low: self.quantile(Estimate::TAIL),
            high: self.quantile(1.0 - Estimate::TAIL),
        }
    }
}
