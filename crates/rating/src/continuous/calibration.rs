//! A calibration: how people of every rating choose, according to one engine at one depth.

use errare_engine::EngineKey;
use serde::{Deserialize, Serialize};

use super::{effects::Effects, feature::Seen, honest::Honest, lines::Lines, quality::Quality};
use crate::CalibrationError;
use errare_choice::Softmax;

/// The file format version. Version 1 files hold agents of the paper's kind.
pub const VERSION: u32 = 2;
/// How far below the lowest and above the highest rated player ratings are searched.
const BELOW: f64 = 500.0;
const ABOVE: f64 = 600.0;

/// Lines, effects and the scatter of honest players, for one engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Calibration {
    /// The version of the file.
    pub version: u32,
    /// The engine whose evaluations it is made of.
    pub engine: EngineKey,
    /// The sample it is made from.
    pub origin: Origin,
    /// The weights of the features.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<super::Weight>))]
    pub lines: Lines,
    /// The covariance of their coefficients, row by row, from the scatter of games and players.
    pub covariance: Vec<Vec<f64>>,
    /// How much play differs from ratings.
    pub effects: Effects,
    /// The distribution of honest players' z.
    pub honest: Honest,
    /// Its accuracy.
    pub quality: Quality,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

/// The sample that a calibration is made from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Origin {
    /// Games.
    pub games: usize,
    /// Players.
    pub players: usize,
    /// Turns.
    pub turns: usize,
    /// The lowest and highest rating: the 1st and 99th percentiles over turns.
    pub elo: [f64; 2],
    /// The first and last year of the games, if known.
    pub years: Option<[u16; 2]>,
}

impl Calibration {
    /// Parses and checks a calibration.
    ///
    /// ```
    /// use errare_rating::continuous::Calibration;
    ///
    /// let shipped = Calibration::all_shipped().next().ok_or("none is shipped")?;
    /// let read = Calibration::from_json(&serde_json::to_string(&shipped)?)?;
    /// read.must_fit(&shipped.engine)?;
    /// assert!(read.must_fit(&shipped.engine.at_depth(20)).is_err(), "a calibration is for one depth");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_json(text: &str) -> Result<Calibration, CalibrationError> {
        CalibrationError::check_version(text, VERSION)?;
        let calibration: Calibration = serde_json::from_str(text)?;
        calibration.check()?;
        Ok(calibration)
    }

    fn check(&self) -> Result<(), CalibrationError> {
        let damaged = |what| Err(CalibrationError::Damaged(what));
        let count = self.lines.coefficients().len();
        let square =
            self.covariance.len() == count && self.covariance.iter().all(|row| row.len() == count);
        if !square || self.covariance.iter().flatten().any(|it| !it.is_finite()) {
            return damaged("the covariance does not belong to the weights");
        }
        if self.lines.depth() > self.engine.depth {
            return damaged("a feature looks deeper than the engine");
        }
        let [lowest, highest] = self.origin.elo;
        if !(lowest.is_finite() && highest.is_finite() && lowest < highest) {
            return damaged("it has no range of ratings");
        }
        if !self.honest.is_sound() {
            return damaged("the scatter of honest players makes no sense");
        }
        Ok(())
    }

    /// Checks that it is valid for evaluations of this engine.
    pub fn must_fit(&self, engine: &EngineKey) -> Result<(), CalibrationError> {
        CalibrationError::check_engine(&self.engine, engine)
    }

    /// The lowest and highest rating of the players it is made from; beyond these it extrapolates.
    #[must_use]
    pub fn calibrated(&self) -> [f64; 2] {
        self.origin.elo
    }

    /// The lowest and highest rating it supports at all.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        let [lowest, highest] = self.origin.elo;
        [lowest - BELOW, highest + ABOVE]
    }

    /// The probability that people of a rating, or of the nearest supported one, choose each option.
    ///
    /// ```
    /// use errare_rating::continuous::{Calibration, Seen};
    ///
    /// let calibration = Calibration::all_shipped().next().ok_or("none is shipped")?;
    /// let seen = Seen::new(vec![vec![0.4, 0.3, 0.1, -1.0]; 8]);
    /// let [expert, beginner] = [2600.0, 1600.0].map(|elo| calibration.chances(&seen, elo));
    /// assert!(expert[0] > beginner[0] && expert[3] < beginner[3]);
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn chances(&self, seen: &Seen, elo: f64) -> Vec<f64> {
        let [lowest, highest] = self.range();
        let weights = self.lines.weights(elo.clamp(lowest, highest));
        let options = seen.costs.len();
        let mut values = vec![0.0; options * weights.len()];
        let rows = values.chunks_exact_mut(options);
        for (feature, row) in self.lines.features().iter().zip(rows) {
            feature.fill(seen, row);
        }
        let mut choice = Softmax::default();
        choice.make(&values, &weights);
        choice.probabilities().to_vec()
    }

    /// The variance of a sum due to the errors of the coefficients, given its derivatives by the weights.
    pub(super) fn variance_of(&self, by_weight: &[f64], elo: f64) -> f64 {
        self.variance_by_coefficient(&self.lines.by_coefficient(by_weight, elo))
    }

    /// The variance of a sum's slope by x, given the sum's derivatives by the weights.
    pub(super) fn variance_of_slope(&self, by_weight: &[f64]) -> f64 {
        let mut by = vec![0.0; self.lines.coefficients().len()];
        for (&(_, slope), value) in self.lines.places().iter().zip(by_weight) {
            if let Some(slope) = slope {
                by[slope] = *value;
            }
        }
        self.variance_by_coefficient(&by)
    }

    /// The variance of a sum, given its derivatives by the coefficients.
    pub(super) fn variance_by_coefficient(&self, by: &[f64]) -> f64 {
        let rows = self.covariance.iter().zip(by);
        let sum: f64 = rows
            .map(|(row, by_row)| {
                let each = row.iter().zip(by);
                by_row * each.map(|(value, by)| value * by).sum::<f64>()
            })
            .sum();
        sum.max(0.0)
    }
}
