//! Labels and the z from which on players get them.

use serde::{Deserialize, Serialize};

use super::super::calibration::Calibration;

/// The chance that among all players screened, all of them honest, somebody is to be watched.
pub const WATCH_CHANCE: f64 = 0.05;
/// The chance that among them somebody is to be tested in full.
pub const FULL_TEST_CHANCE: f64 = 0.001;
/// z below these mean nothing, however few are screened.
const LEAST_WATCH: f64 = 2.5;
const LEAST_FULL_TEST: f64 = 4.0;

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Label {
    /// Nothing.
    #[serde(rename = "normal")]
    Normal,
    /// Look at further games.
    #[serde(rename = "watch")]
    Watch,
    /// Have the games examined by a deeper test.
    #[serde(rename = "full test")]
    FullTest,
    /// Nothing can be said: too few turns.
    #[serde(rename = "too few turns")]
    TooFewTurns,
    /// Nothing can be said: the calibration knows no such players.
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

/// z from which on players are watched or tested.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thresholds {
    /// Players screened who can get a label.
    pub players: usize,
    /// From this z on: watch.
    pub watch: f64,
    /// From this z on: full test.
    pub full_test: f64,
    /// The chances that of so many honest players somebody is to be watched, and tested in full. They are upper
    /// bounds where thresholds are at the least they can be.
    pub chances: [f64; 2],
    /// Whether as many honest players are known as it takes to know these chances; if not, the chances are what
    /// the tail that was fitted to them says, and nobody has seen it.
    pub known: [bool; 2],
}

impl Thresholds {
    /// The label of a z.
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
    /// The thresholds for so many players: the z which, by the tail of honest players, all of them together
    /// exceed with the chances of [`WATCH_CHANCE`] and [`FULL_TEST_CHANCE`].
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
