//! Screening: finds players whose moves agree with the engine more than their ratings explain.
//!
//! Each player is compared with the agent of the same rating. Positive z mean more agreement: more
//! matches, smaller differences. Among many honest players some have high z by chance, which the
//! thresholds take into account. A label says what to do next, never more.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use crate::{Calibration, Compared, Projection, Sample};

/// The probability that, if no screened player is aided, somebody is labelled *watch*.
pub const WATCH_CHANCE: f64 = 0.05;
/// The probability that somebody is then labelled *full test*.
pub const FULL_TEST_CHANCE: f64 = 0.001;
/// The lowest thresholds, however few players are screened.
const LEAST_WATCH: f64 = 2.5;
const LEAST_FULL_TEST: f64 = 4.0;
/// Tests per player: mm and ad.
const TESTS: usize = 2;
/// The minimum number of turns for a label: with fewer, z is unreliable.
pub const FEWEST_SCREENED_TURNS: usize = 50;

/// A player to screen.
#[derive(Clone, Debug)]
pub struct Screenee {
    /// The name.
    pub name: String,
    /// The player's rating; without one there is nothing to compare with.
    pub elo: Option<f64>,
    /// Games.
    pub games: usize,
    /// The player's turns.
    pub sample: Sample,
}

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
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.pad(match self {
            Label::Normal => "normal",
            Label::Watch => "watch",
            Label::FullTest => "full test",
        })
    }
}

/// z divided by their scatter among players of known rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Adjusted {
    /// For first-move matches.
    pub z_mm: f64,
    /// For matches of the best value.
    pub z_equal: f64,
    /// For the average difference, positive if it is small.
    pub z_ad: f64,
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
    /// z of first-move matches.
    pub z_mm: f64,
    /// z of matches of the best value.
    pub z_equal: f64,
    /// z of the average difference, positive if it is small.
    pub z_ad: f64,
    /// The same, adjusted.
    pub adjusted: Adjusted,
    /// What to do next.
    pub label: Label,
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

impl Screened {
    /// Are there too few turns for a test?
    #[must_use]
    pub fn has_few_turns(&self) -> bool {
        self.turns < FEWEST_SCREENED_TURNS
    }
}

/// The z from which players are labelled.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Thresholds {
    /// Players screened.
    pub players: usize,
    /// The *watch* threshold for adjusted z.
    pub watch: f64,
    /// The *full test* threshold for adjusted z.
    pub full_test: f64,
}

impl Thresholds {
    /// The thresholds for this many players, by Šidák's rule.
    #[must_use]
    pub fn new(players: usize) -> Thresholds {
        let tests = (TESTS * players.max(1)) as f64;
        let threshold = |chance: f64| {
            let single = -((-chance).ln_1p() / tests).exp_m1();
            -Normal::standard().inverse_cdf(single)
        };
        Thresholds {
            players,
            watch: threshold(WATCH_CHANCE).max(LEAST_WATCH),
            full_test: threshold(FULL_TEST_CHANCE).max(LEAST_FULL_TEST),
        }
    }

    fn label(&self, z: f64) -> Label {
        if z >= self.full_test {
            Label::FullTest
        } else if z >= self.watch {
            Label::Watch
        } else {
            Label::Normal
        }
    }
}

/// Players, those who most warrant a further look first.
#[derive(Clone, Debug, PartialEq)]
pub struct Screening {
    /// Highest adjusted z first; those with few turns last.
    pub players: Vec<Screened>,
    /// The thresholds.
    pub thresholds: Thresholds,
    /// Players without a rating or turns, who could not be screened.
    pub unscreened: Vec<String>,
}

impl Calibration {
    /// Screens players, each against the agent of the same rating.
    #[must_use]
    pub fn screen(&self, players: &[Screenee]) -> Screening {
        let can = |player: &&Screenee| player.elo.is_some() && !player.sample.is_empty();
        let thresholds = Thresholds::new(players.iter().filter(can).count());
        let mut screening = Screening {
            players: Vec::new(),
            thresholds,
            unscreened: Vec::new(),
        };
        for player in players {
            match player.elo {
                Some(elo) if can(&player) => {
                    screening
                        .players
                        .push(self.screen_one(player, elo, &thresholds));
                }
                _ => screening.unscreened.push(player.name.clone()),
            }
        }
        let z = |one: &Screened| one.adjusted.z_mm.max(one.adjusted.z_ad);
        screening.players.sort_by(|a, b| {
            let few = a.has_few_turns().cmp(&b.has_few_turns());
            few.then(z(b).total_cmp(&z(a)))
        });
        screening
    }

    fn screen_one(&self, player: &Screenee, elo: f64, thresholds: &Thresholds) -> Screened {
        let projection = Projection::new(&player.sample, &self.agent(elo));
        let (z_mm, z_equal, z_ad) = (projection.mm.z(), projection.equal.z(), -projection.ad.z());
        let adjusted = Adjusted {
            z_mm: z_mm / self.inflation.mm,
            z_equal: z_equal / self.inflation.equal,
            z_ad: z_ad / self.inflation.ad,
        };
        let mut warnings = Vec::new();
        let few = projection.turns < FEWEST_SCREENED_TURNS;
        if few {
            warnings.push(format!(
                "only {} turns: too few to be tested",
                projection.turns
            ));
        }
        let [lowest, highest] = self.mileposts().map(f64::from);
        if elo < lowest - 50.0 || elo > highest + 50.0 {
            warnings.push(format!(
                "{elo:.0} is outside of what was calibrated, {lowest} to {highest}"
            ));
        }
        Screened {
            player: player.name.clone(),
            elo,
            games: player.games,
            turns: projection.turns,
            mm: projection.mm,
            equal: projection.equal,
            ad: projection.ad,
            z_mm,
            z_equal,
            z_ad,
            label: if few {
                Label::Normal
            } else {
                thresholds.label(adjusted.z_mm.max(adjusted.z_ad))
            },
            adjusted,
            warnings,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_rise_with_the_number_of_players() {
        let [one, ten, thousand] = [1, 10, 1000].map(Thresholds::new);
        assert_eq!((one.watch, one.full_test), (LEAST_WATCH, LEAST_FULL_TEST));
        // 1 - 0.95^(1/20) = 0.00256, one-sided.
        assert!((ten.watch - 2.799).abs() < 0.001, "{ten:?}");
        // 1 - 0.999^(1/2000) = 5.0e-7.
        assert!(
            thousand.watch > 4.0 && (thousand.full_test - 4.8915).abs() < 0.001,
            "{thousand:?}"
        );
    }

    #[test]
    fn labels_are_by_thresholds() {
        let thresholds = Thresholds::new(10);
        assert_eq!(thresholds.label(1.0), Label::Normal);
        assert_eq!(thresholds.label(3.0), Label::Watch);
        assert_eq!(thresholds.label(5.0), Label::FullTest);
    }
}
