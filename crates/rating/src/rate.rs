//! Intrinsic ratings: the rating whose agent agrees best with the moves played, always with its
//! interval.

use errare_choice::{Agent, Parameter};
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::{
    AgentCalibration, AgentFitError, Convergence, Estimator, Sample,
    estimator::chunks,
    fit::{covariance, search},
    model::Family,
};

/// A rating with an interval that contains the true one with probability `level`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Rating {
    /// The best estimate.
    pub mean: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// How often such intervals contain the true rating.
    pub level: f64,
    /// Is the estimate or an end only the limit of the calibration?
    pub open: bool,
    /// Does it extend below `low`, which is only the limit of the calibration?
    pub open_below: bool,
    /// Does it extend above `high`, which is only the limit of the calibration?
    pub open_above: bool,
}

/// Why there is no rating.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum AgentRateError {
    /// There is nothing to rate.
    #[error(transparent)]
    Fit(#[from] AgentFitError),
    /// The search failed.
    #[error("the search for the rating that agrees best does not converge")]
    NotConverged,
}

/// The unit of the search, in Elo.
const UNIT: f64 = 100.0;

impl AgentCalibration {
    /// Rates the choices of a sample.
    ///
    /// For the likelihood, the interval contains all ratings that are not much less likely than the
    /// best one; for the other estimators, all ratings at which the pull of the turns can be explained
    /// by chance. Either is widened by the scatter of z and by the error of the reference line.
    ///
    /// ```
    /// use errare_rating::{AgentCalibration, Sample};
    ///
    /// let mut sample = Sample::default();
    /// for played in [0, 0, 1, 0, 2, 0, 0, 1, 0, 3] {
    ///     sample.push(&[0.5, 0.4, 0.1, -1.0], played);
    /// }
    /// let calibration = AgentCalibration::all_shipped().next().ok_or("none is shipped")?;
    /// let rating = calibration.rate(&sample, 0.95)?;
    /// assert!(rating.open, "ten turns leave an end of the interval open");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rate(&self, sample: &Sample, level: f64) -> Result<Rating, AgentRateError> {
        if sample.is_empty() {
            return Err(AgentFitError::NoTurns.into());
        }
        let family = ByElo(self);
        let best = search(sample, &family, self.estimator, &()).map_err(AgentFitError::from)?;
        if best.convergence == Convergence::NotConverged {
            return Err(AgentRateError::NotConverged);
        }
        let mean = best.at[0] * UNIT;
        let normal = Normal::standard();
        let quantile = normal.inverse_cdf(0.5 + 0.5 * level);
        let error = covariance(sample, &family, self.estimator, &best.at)
            .map(|covariance| covariance[(0, 0)].sqrt() * UNIT)
            .filter(|error| error.is_finite() && *error > 0.0);
        let wide = quantile * self.inflation.of_rating();
        let guess = error.unwrap_or(UNIT) * wide;
        let off = |elo: f64| {
            let off = match self.estimator {
                Estimator::Likelihood => self.unlikeliness(sample, elo, best.local.value),
                Estimator::Percentile | Estimator::MmAd => self.pull(sample, elo),
            };
            off - wide
        };
        let [low, high] = [-1.0, 1.0].map(|side| self.cross(mean, side * guess, off));
        let line = quantile
            * self
                .reference_line
                .error_at(self.reference_line.inverse(mean));
        let [lowest, highest] = self.range();
        let low = mean - (mean - low).hypot(line);
        let high = mean + (high - mean).hypot(line);
        Ok(Rating {
            mean,
            low: low.max(lowest),
            high: high.min(highest),
            level,
            open: best.convergence == Convergence::AtBound || low <= lowest || high >= highest,
            open_below: low <= lowest,
            open_above: high >= highest,
        })
    }

    /// The square root of twice the log-likelihood ratio to the best rating: the distance in standard
    /// errors, if likelihoods were normal.
    fn unlikeliness(&self, sample: &Sample, elo: f64, best: f64) -> f64 {
        let ranges = chunks(sample);
        let tally = Estimator::Likelihood.tally(sample, &self.agent(elo), &[], &ranges);
        let value = Estimator::Likelihood.value(&tally);
        (2.0 * sample.turns() as f64 * (value - best))
            .max(0.0)
            .sqrt()
    }

    /// How many standard deviations the turns together pull away from a rating.
    fn pull(&self, sample: &Sample, elo: f64) -> f64 {
        let family = ByElo(self);
        let at = DVector::from_vec(vec![elo / UNIT]);
        let each: Vec<_> = (0..sample.turns()).map(|i| (i..i + 1, 1.0)).collect();
        let agent = family.agent(&at);
        let parts = self
            .estimator
            .tallies(sample, &agent, family.parameters(), &each);
        let (sum, squares) = self.estimator.pulls(&parts, &family.chain(&at));
        sum.abs() / squares.sqrt()
    }

    /// Where a function that rises away from `mean` crosses 0, or the limit of the calibration.
    fn cross(&self, mean: f64, step: f64, function: impl Fn(f64) -> f64) -> f64 {
        let [lowest, highest] = self.range();
        let end = if step < 0.0 { lowest } else { highest };
        let beyond = |elo: f64| (elo - end) * step.signum() >= 0.0;
        let mut inside = mean;
        let mut outside = mean + step;
        while !beyond(outside) && function(outside) < 0.0 {
            inside = outside;
            outside += step;
        }
        if beyond(outside) {
            outside = end;
            if function(outside) < 0.0 {
                return end;
            }
        }
        while (outside - inside).abs() > 0.05 {
            let middle = 0.5 * (inside + outside);
            if function(middle) < 0.0 {
                inside = middle;
            } else {
                outside = middle;
            }
        }
        0.5 * (inside + outside)
    }
}

/// The agents of a calibration, by Elo in hundreds.
struct ByElo<'a>(&'a AgentCalibration);

impl Family for ByElo<'_> {
    fn parameters(&self) -> &[Parameter] {
        &[Parameter::LogS, Parameter::LogC]
    }

    fn agent(&self, at: &DVector<f64>) -> Agent {
        self.0.agent(at[0] * UNIT)
    }

    fn chain(&self, at: &DVector<f64>) -> DMatrix<f64> {
        let elo = at[0] * UNIT;
        let [_, by_log_s] = self.0.log_s(elo);
        let [c, by_c] = self.0.c(elo);
        DMatrix::from_column_slice(2, 1, &[by_log_s * UNIT, by_c / c * UNIT])
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        let [lowest, highest] = self.0.range();
        vec![(lowest / UNIT, highest / UNIT)]
    }

    fn starts(&self) -> Vec<DVector<f64>> {
        let [lowest, highest] = self.0.range();
        let at = |share: f64| (lowest + share * (highest - lowest)) / UNIT;
        [0.5, 0.25, 0.75]
            .map(|share| DVector::from_vec(vec![at(share)]))
            .to_vec()
    }
}
