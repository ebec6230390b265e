//! The results of screening, whatever the calibration: labels, thresholds, and each player's result.
//!
//! Positive z mean more agreement with the engine than the rating explains: more matches, smaller differences. Among many
//! honest players some have high z by chance, which the thresholds take into account. A label says what to do next, never
//! more.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Compared;

/// The probability that, if all screened players are honest, somebody is labelled *watch*.
pub const WATCH_CHANCE: f64 = 0.05;
/// The probability that, if all are honest, somebody is labelled *full test*.
pub const FULL_TEST_CHANCE: f64 = 0.001;
/// The lowest thresholds, however few players are screened.
pub(crate) const LEAST_WATCH: f64 = 2.5;
pub(crate) const LEAST_FULL_TEST: f64 = 4.0;
/// The minimum number of turns for a label: with fewer, z is unreliable.
pub const FEWEST_SCREENED_TURNS: usize = 50;
/// Labels are given up to this far outside the calibrated ratings.
const MARGIN: f64 = 50.0;
/// The power of the smallest effect reported.
const POWER: f64 = 0.8;
/// The normal quantile of that power.
const POWER_Z: f64 = 0.841_621_2;

/// What to do next, or why there is no statement.
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

impl Label {
    /// Could the player be tested at all?
    #[must_use]
    pub fn is_tested(self) -> bool {
        !matches!(self, Label::TooFewTurns | Label::OutsideCalibration)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Label::Normal => "normal",
            Label::Watch => "watch",
            Label::FullTest => "full test",
            Label::TooFewTurns => "too few turns",
            Label::OutsideCalibration => "outside the calibration",
        })
    }
}

/// z adjusted for their scatter among honest players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Adjusted {
    /// For first-move matches.
    pub z_mm: f64,
    /// For matches of the best value.
    pub z_equal: f64,
    /// For the average difference, positive if it is small.
    pub z_ad: f64,
}

/// The smallest effects that the sample would reveal: those that reach the *watch* threshold four times out of
/// five.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SmallestEffect {
    /// The share of turns on which the engine's first move replaces the player's own; none if not even all of them
    /// would be detected.
    pub engine_share: Option<f64>,
    /// Elo above the player's own; none if it is outside the range of the calibration.
    pub elo: Option<f64>,
    /// How often it would be detected.
    pub power: f64,
}

/// The result of screening a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Screened {
    /// The name.
    pub player: String,
    /// The rating compared with.
    pub elo: f64,
    /// Games.
    pub games: usize,
    /// Turns used.
    pub turns: usize,
    /// First-move matches.
    pub mm: Compared,
    /// Matches of the best value.
    pub equal: Compared,
    /// Average difference.
    pub ad: Compared,
    /// z of first-move matches, assuming independent turns. A player who cannot be tested has no z, here and below:
    /// it would mislead.
    pub z_mm: Option<f64>,
    /// z of matches of the best value, assuming independent turns.
    pub z_equal: Option<f64>,
    /// z of the average difference, assuming independent turns; positive if it is small.
    pub z_ad: Option<f64>,
    /// The same, adjusted.
    pub adjusted: Option<Adjusted>,
    /// The share of honest players with at least this z, if enough of them are known.
    pub chance: Option<f64>,
    /// What to do next.
    pub label: Label,
    /// What the sample could have shown.
    pub smallest_effect: SmallestEffect,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

impl Screened {
    /// The larger of the adjusted z for mm and ad, which determines the label; none if the player cannot be tested.
    #[must_use]
    pub fn z(&self) -> Option<f64> {
        let adjusted = self.adjusted?;
        Some(adjusted.z_mm.max(adjusted.z_ad))
    }

    /// Sets the label by a calibration of these ratings; a player who cannot be tested gets a warning, and no
    /// z.
    pub(crate) fn judge(&mut self, thresholds: &Thresholds, [lowest, highest]: [f64; 2]) {
        self.label = if self.turns < FEWEST_SCREENED_TURNS {
            let turns = self.turns;
            self.warnings
                .push(format!("only {turns} turns: too few to be tested"));
            Label::TooFewTurns
        } else if is_covered(self.elo, [lowest, highest]) {
            self.z().map_or(Label::Normal, |z| thresholds.label(z))
        } else {
            self.warnings.push(format!(
                "{:.0} is outside the calibrated range, {lowest:.0} to {highest:.0}",
                self.elo
            ));
            Label::OutsideCalibration
        };
        if !self.label.is_tested() {
            (self.z_mm, self.z_equal, self.z_ad) = (None, None, None);
            (self.adjusted, self.chance) = (None, None);
        }
    }
}

/// Can a player with this many turns and this rating be tested with a calibration of some ratings?
pub(crate) fn can_be_tested(turns: usize, elo: f64, calibrated: [f64; 2]) -> bool {
    turns >= FEWEST_SCREENED_TURNS && is_covered(elo, calibrated)
}

/// Does a calibration of some ratings cover this one?
fn is_covered(elo: f64, [lowest, highest]: [f64; 2]) -> bool {
    (lowest - MARGIN..=highest + MARGIN).contains(&elo)
}

/// The z from which players are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thresholds {
    /// The number of players who can be tested, on which thresholds depend: those with enough turns and a rating that the
    /// calibration covers.
    pub players: usize,
    /// The *watch* threshold for adjusted z.
    pub watch: f64,
    /// The *full test* threshold for adjusted z.
    pub full_test: f64,
    /// The probabilities that somebody among this many honest players is labelled *watch*, and *full test*; none
    /// where too few honest players are known.
    pub chances: [Option<f64>; 2],
    /// The same probabilities from the tail fitted to the honest players of the calibration, even where none of
    /// them has such a z; none if the calibration keeps no honest players.
    #[serde(default)]
    pub by_tail: Option<[f64; 2]>,
}

impl Thresholds {
    /// The label for a z.
    ///
    /// ```
    /// use errare_rating::{Label, Thresholds};
    ///
    /// let thresholds = Thresholds { players: 10, watch: 2.8, full_test: 4.0, chances: [None; 2], by_tail: None };
    /// assert_eq!(thresholds.label(3.0), Label::Watch);
    /// ```
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

    /// The effects that matches would have revealed: `sd` is the standard deviation of an honest player's number of
    /// matches, `misses` the number of turns without a match, `slope` the number of matches gained per Elo, and `room` the
    /// Elo between the player and the end of the calibration's range.
    pub(crate) fn smallest_effect(
        &self,
        sd: f64,
        misses: f64,
        slope: f64,
        room: f64,
    ) -> SmallestEffect {
        let needed = (self.watch + POWER_Z) * sd;
        let (share, elo) = (needed / misses, needed / slope);
        SmallestEffect {
            engine_share: (misses > 0.0 && share <= 1.0).then_some(share),
            elo: (slope > 0.0 && elo <= room).then_some(elo),
            power: POWER,
        }
    }
}

/// Players, those who most warrant a further look first.
#[derive(Clone, Debug, PartialEq)]
pub struct Screening {
    /// Highest z first; those without a label last.
    pub players: Vec<Screened>,
    /// The thresholds.
    pub thresholds: Thresholds,
    /// Players without a rating or turns, who could not be screened.
    pub unscreened: Vec<String>,
}

impl Screening {
    /// A screening with its players in order.
    #[must_use]
    pub fn new(
        mut players: Vec<Screened>,
        thresholds: Thresholds,
        unscreened: Vec<String>,
    ) -> Screening {
        let rank = |one: &Screened| one.z().unwrap_or(f64::NEG_INFINITY);
        players.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        Screening {
            players,
            thresholds,
            unscreened,
        }
    }
}
