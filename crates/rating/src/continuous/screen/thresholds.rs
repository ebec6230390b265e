//! Labels and their thresholds.

use serde::{Deserialize, Serialize};

use super::super::calibration::Calibration;

/// The probability that, if all screened players are honest, somebody is labelled *watch*.
pub const WATCH_CHANCE: f64 = 0.05;
/// The probability that, if all are honest, somebody is labelled *full test*.
pub const FULL_TEST_CHANCE: f64 = 0.001;
/// The lowest thresholds, however few players are screened.
const LEAST_WATCH: f64 = 2.5;
const LEAST_FULL_TEST: f64 = 4.0;

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Label {
    /// Nothing.
    #[serde(rename = "normal")]
    Normal,
    /// Look at more games.
    #[serde(rename = "watch")]
    Watch,
    /// Have the games examined by a deeper test.
    #[serde(rename = "full test")]
    FullTest,
    /// No statement: too few turns.
    #[serde(rename = "too few turns")]
    TooFewTurns,
    /// No statement: the calibration does not cover this rating.
    #[serde(rename = "outside the calibration")]
    OutsideCalibration,
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.pad(match self {
            Label::Normal => "normal",
            Label::Watch => "watch",
            Label::FullTest => "full test",
            Label::TooFewTurns => "too few turns",
            Label::OutsideCalibration => "outside the calibration",
        })
    }
}

/// The z from which players are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thresholds {
    /// The number of screened players who can get a label.
    pub players: usize,
    /// The *watch* threshold.
    pub watch: f64,
    /// The *full test* threshold.
    pub full_test: f64,
    /// The probabilities that somebody among this many honest players is labelled *watch*, and *full test*.
    /// They are upper bounds where thresholds are at their minimum.
    pub chances: [f64; 2],
    /// Are there enough honest players to know these probabilities? If not, they are extrapolated from the tail
    /// fitted to them.
    pub known: [bool; 2],
}

impl Thresholds {
    /// The label for a z.
    #[must_use]
    pub fn label(&self, z: f64) -> Label {
        if z >= self.full_test {
            Label::FullTest
        } else if z >= self.watch {
            Label::Watch
        } else {
            Label::Normal
        }
    }
}

impl Calibration {
    /// The thresholds for this many players: the z that, according to the tail of honest players, any of them
    /// exceeds with the probabilities [`WATCH_CHANCE`] and [`FULL_TEST_CHANCE`].
    #[must_use]
    pub fn thresholds(&self, players: usize) -> Thresholds {
        let count = players.max(1) as f64;
        let single = |chance: f64| -((-chance).ln_1p() / count).exp_m1();
        let threshold = |chance: f64, least: f64| {
            let z = self.honest.z_of_chance(single(chance));
            z.unwrap_or(least).max(least)
        };
        let watch = threshold(WATCH_CHANCE, LEAST_WATCH);
        let full_test = threshold(FULL_TEST_CHANCE, LEAST_FULL_TEST).max(watch);
        let together = |z: f64| -(count * (-self.honest.chance(z)).ln_1p()).exp_m1();
        let known = |z: f64| self.honest.chance(z) >= self.honest.least_chance();
        Thresholds {
            players,
            watch,
            full_test,
            chances: [watch, full_test].map(together),
            known: [watch, full_test].map(known),
        }
    }
}
