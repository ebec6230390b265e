//! Summary of an uncertain competence.

use serde::{Deserialize, Serialize};

/// Summary of a distribution over competences.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    /// Summarises a distribution given as the logarithms of weights at ascending competences; `None` if all weights
    /// are 0.
    pub fn of_log_weights(
        points: &(impl Iterator<Item = f64> + Clone),
        logs: &[f64],
    ) -> Option<Estimate> {
        let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if greatest == f64::NEG_INFINITY {
            return None;
        }
        let weights: Vec<f64> = logs.iter().map(|log| (log - greatest).exp()).collect();
        let total: f64 = weights.iter().sum();
        let points = || {
            points
                .clone()
                .zip(weights.iter().map(|weight| weight / total))
        };
        let mean: f64 = points().map(|(c, weight)| c * weight).sum();
        let variance: f64 = points()
            .map(|(c, weight)| (c - mean).powi(2) * weight)
            .sum();
        let (mode, _) = points().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let quantile = |share: f64| {
            let mut below = 0.0;
            let at = points().find(|(_, weight)| {
                below += *weight;
                below >= share
            });
            at.or_else(|| points().last()).map(|(c, _)| c)
        };
        Some(Estimate {
            mean,
            sd: variance.sqrt(),
            mode,
            low: quantile(Estimate::TAIL)?,
            high: quantile(1.0 - Estimate::TAIL)?,
        })
    }

    /// Probability mass of the credible interval.
    pub const LEVEL: f64 = 0.95;

    /// Probability mass left out on either side of the interval.
    pub(crate) const TAIL: f64 = (1.0 - Estimate::LEVEL) / 2.0;
}
