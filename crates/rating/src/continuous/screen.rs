//! Screening: whose moves agree with the engine more than his rating explains?
//!
//! Each player is compared with people of his own rating. Positive z mean more agreement: more matches,
//! smaller differences. Raw z take turns to be independent; adjusted z have the effects of games and of
//! the player, and the errors of the calibration, in their variance. What adjusted z honest players have is
//! known from those of the calibration, and thresholds are from there. A label says what to do next, never
//! more.

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

/// With fewer turns nobody gets a label.
pub const FEWEST_SCREENED_TURNS: usize = 50;
/// Players this far outside the calibrated ratings still get labels.
const MARGIN: f64 = 50.0;
/// How often the smallest effect that is stated would be seen.
pub const POWER: f64 = 0.8;
/// The z that a normal variable exceeds with that chance, turned.
const POWER_Z: f64 = 0.841_621_2;

/// A player to screen.
#[derive(Clone, Debug)]
pub struct Screenee {
    /// The name.
    pub name: String,
    /// The rating he plays under; without one there is nothing to compare with.
    pub elo: Option<f64>,
    /// What he played.
    pub choices: Choices,
}

/// z with all effects in their variance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Adjusted {
    /// Of first-move matches.
    pub z_mm: f64,
    /// Of matches of the best value.
    pub z_equal: f64,
    /// Of the average difference, positive if it is small.
    pub z_ad: f64,
    /// Of the quality of play.
    pub z_quality: f64,
}

/// What the sample could have shown: effects that reach the threshold of *watch* in four of five cases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SmallestEffect {
    /// The share of turns at which an engine's first move is played instead of the player's own; none if not
    /// even all would be seen.
    pub engine_share: Option<f64>,
    /// Elo above the player's own, as matches show it; none if it is beyond what the calibration can speak of.
    pub elo: Option<f64>,
    /// How often it would be seen.
    pub power: f64,
}

/// What is to be said of a player.
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
    /// z of first-move matches, if turns were independent.
    pub z_mm: f64,
    /// z of matches of the best value, if turns were independent.
    pub z_equal: f64,
    /// z of the average difference, if turns were independent; positive if it is small.
    pub z_ad: f64,
    /// The same with all effects in their variance.
    pub adjusted: Adjusted,
    /// The greater of the adjusted z of mm and of ad, which the label goes by.
    pub z: f64,
    /// The share of honest players with such a z or a higher one.
    pub chance: f64,
    /// Whether that is what was seen among honest players, and not an extrapolation of their tail.
    pub chance_is_known: bool,
    /// What to do next.
    pub label: Label,
    /// What the sample could have shown.
    pub smallest_effect: SmallestEffect,
    /// The sums behind z of mm, equal value, ad and quality.
    pub evidence: [Evidence; 4],
    /// What the reader must know.
    pub warnings: Vec<String>,
}

impl Screened {
    /// Whether there are too few turns for a label.
    #[must_use]
    pub fn has_few_turns(&self) -> bool {
        self.turns < FEWEST_SCREENED_TURNS
    }
}

impl Calibration {
    /// Screens players, each by his own rating.
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

    /// Puts together what several events say of one player, each screened by this calibration.
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

    /// The adjusted z of mm, equal value, ad and quality of somebody's stretches.
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

    /// From the evidence to z, label and all that follows.
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

/// The effects that matches would have shown.
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

/// Players in the order of how much a further look is warranted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Screening {
    /// From the highest z down, those without a label last.
    pub players: Vec<Screened>,
    /// The thresholds.
    pub thresholds: Thresholds,
    /// Players without a rating or without a turn, who could not be screened.
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
