//! What is said of a competence that is not known exactly.

use serde::Serialize;

/// A distribution over competences, summed up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub sd: f64,
    /// The most likely competence.
    pub mode: f64,
    /// The lower end of the central credible interval.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Estimate {
    /// How much of the distribution the credible interval holds.
    pub const LEVEL: f64 = 0.95;

    /// What is left out on either side of the interval.
    pub(crate) const TAIL: f64 = (1.0 - Estimate::LEVEL) / 2.0;
}
