//! Screening: finds players whose moves agree with the engine more than their ratings explain.
//!
//! Each player is compared with people of the same rating. Positive z mean more agreement: more matches,
//! smaller differences. Raw z assume independent turns; the variance of adjusted z includes the effects of
//! games and of the player, and the errors of the calibration. The distribution of adjusted z among honest
//! players is known from those of the calibration, and determines the thresholds. A label says what to do
//! next, never more.

mod evidence;
mod thresholds;

use serde::{Deserialize, Serialize};

use evidence::At;
pub use evidence::Evidence;
pub use thresholds::{FULL_TEST_CHANCE, Label, Thresholds, WATCH_CHANCE};

use super::{
    calibration::Calibration,
    choices::{Choices, Stretch},
    lines::UNIT,
    measure::{Measure, Measures},
};
use crate::Compared;

/// The minimum number of turns for a label.
pub const FEWEST_SCREENED_TURNS: usize = 50;
/// Labels are given up to this far outside the calibrated ratings.
const MARGIN: f64 = 50.0;
/// The power of the smallest effect reported.
pub const POWER: f64 = 0.8;
/// The normal quantile of that power.
const POWER_Z: f64 = 0.841_621_2;

/// A player to screen.
#[derive(Clone, Debug)]
pub struct Screenee {
    /// The name.
    pub name: String,
    /// The player's rating; without one there is nothing to compare with.
    pub elo: Option<f64>,
    /// The player's choices.
    pub choices: Choices,
}

/// z whose variance includes all effects.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Adjusted {
    /// For first-move matches.
    pub z_mm: f64,
    /// For matches of the best value.
    pub z_equal: f64,
    /// For the average difference, positive if it is small.
    pub z_ad: f64,
    /// For the quality of play.
    pub z_quality: f64,
}

/// The smallest effects that the sample would reveal: those that reach the *watch* threshold four times out of
/// five.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SmallestEffect {
    /// The share of turns on which the engine's first move replaces the player's own; none if not even all of
    /// them would be detected.
    pub engine_share: Option<f64>,
    /// Elo above the player's own, as visible in matches; none if it is outside the range of the calibration.
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
    /// z of first-move matches, assuming independent turns.
    pub z_mm: f64,
    /// z of matches of the best value, assuming independent turns.
    pub z_equal: f64,
    /// z of the average difference, assuming independent turns; positive if it is small.
    pub z_ad: f64,
    /// The same with all effects in the variance.
    pub adjusted: Adjusted,
    /// The larger of the adjusted z for mm and ad, which determines the label.
    pub z: f64,
    /// The share of honest players with at least this z.
    pub chance: f64,
    /// Was that observed among honest players, rather than extrapolated from their tail?
    pub chance_is_known: bool,
    /// What to do next.
    pub label: Label,
    /// What the sample could have shown.
    pub smallest_effect: SmallestEffect,
    /// The sums behind the z of mm, equal value, ad and quality.
    pub evidence: [Evidence; 4],
    /// Warnings for the reader.
    pub warnings: Vec<String>,
}

impl Screened {
    /// Are there too few turns for a label?
    #[must_use]
    pub fn has_few_turns(&self) -> bool {
        self.turns < FEWEST_SCREENED_TURNS
    }
}

impl Calibration {
    /// Screens players, each against people of the same rating.
    #[must_use]
    pub fn screen(&self, players: &[Screenee]) -> Screening {
        let can = |player: &&Screenee| player.elo.is_some() && !player.choices.is_empty();
        let labelled = |player: &&Screenee| {
            can(player)
                && player.choices.turns() >= FEWEST_SCREENED_TURNS
                && player.elo.is_some_and(|elo| self.knows(elo))
        };
        let thresholds = self.thresholds(players.iter().filter(labelled).count());
        let mut screening = Screening {
            players: Vec::new(),
            thresholds,
            unscreened: Vec::new(),
        };
        for player in players {
            match player.elo {
                Some(elo) if can(&player) => {
                    let one = self.screen_one(player, elo, &thresholds);
                    screening.players.push(one);
                }
                _ => screening.unscreened.push(player.name.clone()),
            }
        }
        screening.sort();
        screening
    }

    /// Combines the results of one player in several events, each screened with this calibration.
    #[must_use]
    pub fn combine(&self, events: &[Screened], thresholds: &Thresholds) -> Option<Screened> {
        let first = events.first()?;
        let turns: usize = events.iter().map(|event| event.turns).sum();
        let share = |event: &Screened| event.turns as f64 / turns.max(1) as f64;
        let mean = |of: &dyn Fn(&Screened) -> f64| -> f64 {
            events.iter().map(|event| share(event) * of(event)).sum()
        };
        let compared = |of: fn(&Screened) -> Compared| {
            let variance: f64 = events
                .iter()
                .map(|it| (share(it) * of(it).sd).powi(2))
                .sum();
            Compared {
                actual: mean(&|event| of(event).actual),
                projected: mean(&|event| of(event).projected),
                sd: variance.sqrt(),
            }
        };
        let add = |i: usize| {
            let all = events.iter().map(|event| event.evidence[i]);
            all.reduce(Evidence::and).unwrap_or_default()
        };
        let mut one = Screened {
            elo: mean(&|event| event.elo),
            games: events.iter().map(|event| event.games).sum(),
            turns,
            mm: compared(|event| event.mm),
            equal: compared(|event| event.equal),
            ad: compared(|event| event.ad),
            evidence: std::array::from_fn(add),
            warnings: Vec::new(),
            ..first.clone()
        };
        self.judge(&mut one, thresholds);
        Some(one)
    }

    /// The adjusted z of mm, equal value, ad and quality for some stretches.
    pub(super) fn adjusted(&self, choices: &Choices, which: &[&Stretch], elo: f64) -> [f64; 4] {
        let [game, player] = self.effects.in_x();
        let at = At {
            calibration: self,
            elo,
            game,
        };
        let measures = which
            .iter()
            .map(|it| Measures::new(choices, it.turns.clone(), &self.lines, elo));
        let evidence = at.evidence(&measures.collect::<Vec<_>>());
        evidence.map(|one| one.adjusted(player))
    }

    fn knows(&self, elo: f64) -> bool {
        let [lowest, highest] = self.calibrated();
        elo >= lowest - MARGIN && elo <= highest + MARGIN
    }

    fn screen_one(&self, player: &Screenee, elo: f64, thresholds: &Thresholds) -> Screened {
        let choices = &player.choices;
        let [lowest, highest] = self.range();
        let inside = elo.clamp(lowest, highest);
        let at = At {
            calibration: self,
            elo: inside,
            game: self.effects.in_x()[0],
        };
        let stretches: Vec<Measures> = choices
            .stretches()
            .iter()
            .map(|it| Measures::new(choices, it.turns.clone(), &self.lines, inside))
            .collect();
        let evidence = at.evidence(&stretches);
        let turns = choices.turns();
        let mut whole = Measures::none(choices.features());
        for stretch in &stretches {
            whole.add(stretch);
        }
        let compared = |of: &Measure| Compared {
            actual: of.actual / turns as f64,
            projected: of.projected / turns as f64,
            sd: of.variance.sqrt() / turns as f64,
        };
        let mut one = Screened {
            player: player.name.clone(),
            elo,
            games: choices.games(),
            turns,
            mm: compared(&whole.mm),
            equal: compared(&whole.equal),
            ad: compared(&whole.ad),
            z_mm: 0.0,
            z_equal: 0.0,
            z_ad: 0.0,
            adjusted: Adjusted {
                z_mm: 0.0,
                z_equal: 0.0,
                z_ad: 0.0,
                z_quality: 0.0,
            },
            z: 0.0,
            chance: 1.0,
            chance_is_known: false,
            label: Label::Normal,
            smallest_effect: SmallestEffect {
                engine_share: None,
                elo: None,
                power: POWER,
            },
            evidence,
            warnings: Vec::new(),
        };
        self.judge(&mut one, thresholds);
        one
    }

    /// Computes z, label and everything that follows from the evidence.
    fn judge(&self, one: &mut Screened, thresholds: &Thresholds) {
        let player = self.effects.in_x()[1];
        let [mm, equal, ad, quality] = one.evidence;
        (one.z_mm, one.z_equal, one.z_ad) = (mm.raw(), equal.raw(), ad.raw());
        one.adjusted = Adjusted {
            z_mm: mm.adjusted(player),
            z_equal: equal.adjusted(player),
            z_ad: ad.adjusted(player),
            z_quality: quality.adjusted(player),
        };
        one.z = one.adjusted.z_mm.max(one.adjusted.z_ad);
        one.chance = self.honest.chance(one.z);
        one.chance_is_known = one.chance >= self.honest.least_chance();
        one.smallest_effect = smallest_effect(one, thresholds, player);
        let [lowest, highest] = self.calibrated();
        if one.has_few_turns() {
            one.label = Label::TooFewTurns;
            one.warnings.push(format!(
                "{} turns are too few for a label: {FEWEST_SCREENED_TURNS} are needed",
                one.turns
            ));
        } else if self.knows(one.elo) {
            one.label = thresholds.label(one.z);
        } else {
            one.label = Label::OutsideCalibration;
            one.warnings.push(format!(
                "{:.0} is outside of what was calibrated, {lowest:.0} to {highest:.0}",
                one.elo
            ));
        }
    }
}

/// The effects that matches would have revealed.
fn smallest_effect(one: &Screened, thresholds: &Thresholds, player: f64) -> SmallestEffect {
    let mm = one.evidence[0];
    let sd = mm.sd(player);
    let needed = (thresholds.watch + POWER_Z) * sd;
    let misses = one.turns as f64 * (1.0 - one.mm.projected);
    let share = needed / misses;
    let elo = UNIT * needed / mm.slope;
    SmallestEffect {
        engine_share: (misses > 0.0 && share <= 1.0).then_some(share),
        elo: (mm.slope > 0.0 && elo < 1000.0).then_some(elo),
        power: POWER,
    }
}

/// Players, those who most warrant a further look first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Screening {
    /// Highest z first; those without a label last.
    pub players: Vec<Screened>,
    /// The thresholds.
    pub thresholds: Thresholds,
    /// Players without a rating or turns, who could not be screened.
    pub unscreened: Vec<String>,
}

impl Screening {
    fn sort(&mut self) {
        let unlabelled =
            |one: &Screened| matches!(one.label, Label::TooFewTurns | Label::OutsideCalibration);
        self.players.sort_by(|a, b| {
            let last = unlabelled(a).cmp(&unlabelled(b));
            last.then(b.z.total_cmp(&a.z))
        });
    }
}
