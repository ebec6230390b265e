//! Calibration by agents: which agent plays like people of a given rating.
//!
//! 1. s and c are fitted to each class of players; where the link blends, with the same share for all.
//! 2. c is made a line over the rating, and s is fitted again with c from that line, as in the paper:
//!    s and c together are ill-determined.
//! 3. Each class's agent plays through one set of turns, the same for all. Elo against the ad it is
//!    projected to have there is the *reference line*.
//! 4. The agent of a rating is the one with c from its line and the s that puts it on the reference
//!    line. Only this table of s is kept, not the turns.
//! 5. The z of the players in the classes, by the agents of their own ratings, scatter more than the
//!    model says: turns are not quite independent, and ratings not quite right. The factors by which
//!    they do so are kept to adjust later z.
//!
//! A calibration holds for one engine, version, net and depth, and says so.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, section 7.

mod error;

use errare_choice::{Agent, Curve, Link};
use errare_engine::EngineKey;
use serde::{Deserialize, Serialize};

pub use self::error::CalibrationError;
use crate::{Estimator, StraightLine};

/// Agents by rating, for one engine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AgentCalibration {
    /// The version of the file.
    pub version: u32,
    /// The engine whose evaluations it is made of.
    pub engine: EngineKey,
    /// The curve of all agents.
    #[serde(with = "text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub curve: Curve,
    /// The link of all agents.
    #[serde(with = "text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub link: Link,
    /// The estimator with which agents were, and are to be, fitted.
    #[serde(with = "text")]
    #[cfg_attr(feature = "schema", schema(value_type = String))]
    pub estimator: Estimator,
    /// c over Elo.
    pub c_line: StraightLine,
    /// ln s over Elo, for information.
    pub log_s_line: StraightLine,
    /// Elo over the ad projected on the reference set.
    pub reference_line: StraightLine,
    /// Turns in the reference set.
    pub reference_turns: usize,
    /// The agents: s at ratings in equal steps.
    pub table: Vec<CalibrationRow>,
    /// How much z scatter beyond their nominal standard deviation.
    pub inflation: Inflation,
    /// The classes it is made from.
    pub classes: Vec<CalibratedClass>,
    /// Warnings about the calibration.
    pub warnings: Vec<String>,
}

/// An agent of the table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CalibrationRow {
    /// The rating.
    pub elo: f64,
    /// s.
    pub s: f64,
    /// The ad projected on the reference set.
    pub ad: f64,
}

/// The standard deviations of z, nominally 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Inflation {
    /// Of first-move matches.
    pub mm: f64,
    /// Of matches of the best value.
    pub equal: f64,
    /// Of the average difference.
    pub ad: f64,
    /// The number of players they are estimated from.
    pub players: usize,
}

impl Inflation {
    /// Used where too few players are known.
    pub const NONE: Inflation = Inflation {
        mm: 1.0,
        equal: 1.0,
        ad: 1.0,
        players: 0,
    };

    /// The larger of the two that concern a rating.
    #[must_use]
    pub(crate) fn of_rating(&self) -> f64 {
        self.mm.max(self.ad)
    }
}

/// A class that a calibration is made from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CalibratedClass {
    /// The rating of the players.
    pub milepost: u16,
    /// Turns used.
    pub turns: usize,
    /// s, fitted together with c.
    pub s: f64,
    /// c, fitted together with s.
    pub c: f64,
    /// c from the line.
    pub c_fit: f64,
    /// s, fitted with that c.
    pub s_fit: f64,
    /// The standard error of `s_fit`, if the fit gives one.
    pub s_fit_error: Option<f64>,
    /// First-move matches, actual and projected with `s_fit` and `c_fit`.
    pub mm: [f64; 2],
    /// Average difference, actual and projected.
    pub ad: [f64; 2],
    /// The quality of the fit.
    pub q_fit: f64,
    /// The ad projected on the reference set.
    pub reference_ad: f64,
}

impl AgentCalibration {
    /// The version that is read; other versions are of the [continuous family](crate::continuous).
    pub const VERSION: u32 = 1;

    /// Parses and checks a calibration.
    pub fn from_json(text: &str) -> Result<AgentCalibration, CalibrationError> {
        CalibrationError::check_version(text, AgentCalibration::VERSION)?;
        let calibration: AgentCalibration = serde_json::from_str(text)?;
        calibration.check()?;
        Ok(calibration)
    }

    fn check(&self) -> Result<(), CalibrationError> {
        if self.table.len() < 2 {
            return Err(CalibrationError::Damaged(
                "its table of agents has less than two rows",
            ));
        }
        let steady = |pair: &[CalibrationRow]| {
            (pair[1].elo - pair[0].elo - self.step()).abs() < 1e-6 && pair[1].s < pair[0].s
        };
        if !self.table.windows(2).all(steady) || self.step().is_nan() || self.step() <= 0.0 {
            return Err(CalibrationError::Damaged(
                "the ratings of its table do not rise in equal steps, or s does not fall",
            ));
        }
        let [low, high] = self.range();
        let sound = |elo| self.agent(elo).check().is_ok();
        if !(sound(low) && sound(high)) {
            return Err(CalibrationError::Damaged(
                "an agent's parameters are out of range",
            ));
        }
        Ok(())
    }

    /// Checks that it is valid for evaluations of this engine.
    pub fn must_fit(&self, engine: &EngineKey) -> Result<(), CalibrationError> {
        CalibrationError::check_engine(&self.engine, engine)
    }

    /// The lowest and highest rating with an agent.
    #[must_use]
    pub fn range(&self) -> [f64; 2] {
        [self.table[0].elo, self.table[self.table.len() - 1].elo]
    }

    /// The lowest and highest rating of the players it is made from; beyond these it extrapolates.
    #[must_use]
    pub fn mileposts(&self) -> [u16; 2] {
        let mileposts = || self.classes.iter().map(|class| class.milepost);
        [
            mileposts().min().unwrap_or(0),
            mileposts().max().unwrap_or(0),
        ]
    }

    /// The agent that plays like people of this rating, or of the nearest rating in the table.
    ///
    /// ```
    /// use errare_rating::AgentCalibration;
    ///
    /// let calibration = AgentCalibration::all_shipped().next().ok_or("none is shipped")?;
    /// assert!(calibration.agent(2600.0).s < calibration.agent(1800.0).s, "the smaller s, the better");
    /// # Ok::<(), &str>(())
    /// ```
    #[must_use]
    pub fn agent(&self, elo: f64) -> Agent {
        let [log_s, _] = self.log_s(elo);
        Agent {
            curve: self.curve,
            link: self.link,
            s: log_s.exp(),
            c: self.c(elo)[0],
            weights: Vec::new(),
        }
    }

    /// ln s and its slope at a rating, from a smooth curve through the table.
    pub(crate) fn log_s(&self, elo: f64) -> [f64; 2] {
        let last = self.table.len() - 1;
        let step = self.step();
        let place = ((elo - self.table[0].elo) / step).clamp(0.0, last as f64);
        let i = (place.floor() as usize).min(last - 1);
        let t = place - i as f64;
        let value = |i: usize| self.table[i].s.ln();
        let slope = |i: usize| {
            let (before, after) = (i.saturating_sub(1), (i + 1).min(last));
            (value(after) - value(before)) / (after - before) as f64
        };
        let (from, to) = (value(i), value(i + 1));
        let (leave, arrive) = (slope(i), slope(i + 1));
        let (square, cube) = (
            3.0 * (to - from) - 2.0 * leave - arrive,
            2.0 * (from - to) + leave + arrive,
        );
        [
            from + t * (leave + t * (square + t * cube)),
            (leave + t * (2.0 * square + t * 3.0 * cube)) / step,
        ]
    }

    /// c and its slope at a rating; c stays positive far outside human ratings.
    pub(crate) fn c(&self, elo: f64) -> [f64; 2] {
        let c = self.c_line.at(elo);
        if c > LEAST_C {
            [c, self.c_line.slope]
        } else {
            [LEAST_C, 0.0]
        }
    }

    fn step(&self) -> f64 {
        self.table[1].elo - self.table[0].elo
    }
}

/// The lower limit of c.
pub(crate) const LEAST_C: f64 = 0.1;

/// Serialises values as text.
mod text {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub(super) fn serialize<T: Display, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub(super) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}
