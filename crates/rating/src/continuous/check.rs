//! Checks a calibration against games that it is not made from.
//!
//! The games may come from other years, events or federations: how well are their moves predicted, do intervals for Elo
//! contain the Elo of their players, and do players play better or worse than players of the same rating in the games of
//! the calibration?

use std::collections::BTreeMap;

use errare_core::{Stopped, Watch};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use super::{
    calibration::Calibration,
    choices::{Choices, Stretch},
    lines::UNIT,
    measure::Measure,
    quality::{self, ClassQuality, Coverage, Situation, hundred, mean_elo},
    rate::Score,
};

/// The level of the intervals of offsets.
const CHECK_LEVEL: f64 = 0.95;
/// Fewer turns get no offset, neither all together nor those of a class.
pub const FEWEST_CHECKED_TURNS: usize = 100;
/// The search for an offset ends when it moves by less than this, in Elo.
const PRECISION: f64 = 0.05;
/// The maximum number of steps; five are usual.
const STEPS: usize = 50;

/// The results of checking a calibration against games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CalibrationCheck {
    /// Games of rated players.
    pub games: usize,
    /// Rated players.
    pub players: usize,
    /// Their turns.
    pub turns: usize,
    /// Mean -ln p of the moves played.
    pub log_loss: f64,
    /// Matches and differences by class of rating.
    pub classes: Vec<ClassQuality>,
    /// The root mean squares of the classes' z for mm and ad; none if no class has a z.
    pub rms_z: Option<[f64; 2]>,
    /// How often intervals for Elo contain the Elo.
    pub coverage: Coverage,
    /// How much better play was than the ratings predict: over all turns, then by class; not for fewer than 100 turns.
    pub offsets: Vec<Offset>,
    /// How much play is overrated or underrated in certain situations.
    pub situations: Vec<Situation>,
}

/// By how many Elo players did better than players of the same rating in the games of the calibration.
///
/// The interval accounts for all randomness: turns, the effects of games and players, and the errors of the calibration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Offset {
    /// The middle of the class; none for all turns.
    pub elo: Option<u16>,
    /// Games.
    pub games: usize,
    /// Turns.
    pub turns: usize,
    /// The offset in Elo.
    pub offset: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Calibration {
    /// Checks the calibration against choices. Players whose games it is made from make it look better than it is.
    ///
    /// ```
    /// use errare_rating::{Contestant, GameId, continuous::{Calibration, Choices, Seen}};
    ///
    /// let calibration = Calibration::all_shipped().next().ok_or("none is shipped")?;
    /// let features = calibration.lines.features();
    /// let player = Contestant { name: "White".to_owned(), elo: Some(2200), ..Contestant::default() };
    /// let mut choices = Choices::new(features.len());
    /// for game in [1, 2] {
    ///     choices.begin(GameId(game), &player);
    ///     for played in [0, 1, 0, 0, 2, 0, 1, 0, 0, 3] {
    ///         let seen = Seen::new(vec![vec![0.4, 0.3, 0.1, -1.0]; 8]);
    ///         choices.push(&seen, features, played);
    ///     }
    /// }
    /// let check = calibration.held_against(&choices, &())?;
    /// assert_eq!((check.games, check.players, check.turns), (2, 1, 20));
    /// assert!(check.offsets.is_empty(), "too few turns for an offset");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn held_against(
        &self,
        choices: &Choices,
        watch: &dyn Watch,
    ) -> Result<CalibrationCheck, Stopped> {
        watch.begin("checking", None);
        let seen = quality::foresee(choices, |_| &self.lines);
        watch.check()?;
        let classes = quality::classes(&seen);
        let coverage = quality::coverage(choices, |_| self);
        watch.check()?;
        let rated: Vec<&Stretch> = choices
            .stretches()
            .iter()
            .filter(|it| it.elo.is_some() && !it.turns.is_empty())
            .collect();
        let mut by_class: BTreeMap<u16, Vec<&Stretch>> = BTreeMap::new();
        for &stretch in &rated {
            let class = hundred(stretch.elo.unwrap_or_default());
            by_class.entry(class).or_default().push(stretch);
        }
        let mut offsets = Vec::new();
        let classes_of_turns = by_class.iter().map(|(class, which)| (Some(*class), which));
        for (class, which) in [(None, &rated)].into_iter().chain(classes_of_turns) {
            if count(which) >= FEWEST_CHECKED_TURNS {
                offsets.extend(self.offset(choices, which, class));
            }
        }
        let distinct = |of: &dyn Fn(&Stretch) -> Option<i64>| {
            let all = rated.iter().filter_map(|it| of(it));
            all.collect::<std::collections::BTreeSet<i64>>().len()
        };
        Ok(CalibrationCheck {
            games: distinct(&|it| Some(it.game.0)),
            players: distinct(&|it| it.player.map(|player| player as i64)),
            turns: count(&rated),
            log_loss: quality::mean_loss(&seen),
            rms_z: quality::rms_z(&classes),
            classes,
            coverage,
            offsets,
            situations: quality::situations(choices, &seen),
        })
    }

    /// The number of Elo that must be added to the ratings of some stretches for their weighted scores to sum to 0;
    /// `None` if the turns say nothing about ratings, or point to ratings beyond those of the calibration.
    fn offset(&self, choices: &Choices, which: &[&Stretch], elo: Option<u16>) -> Option<Offset> {
        let mut offset = 0.0;
        let mut score = self.offset_score(choices, which, offset)?;
        let mut converged = false;
        for _ in 0..STEPS {
            // Scores are nearly linear; limit steps to the width of a class.
            let step = (UNIT * score.sum / score.information).clamp(-100.0, 100.0);
            offset += step;
            score = self.offset_score(choices, which, offset)?;
            converged = step.abs() < PRECISION;
            if converged {
                break;
            }
        }
        let [lowest, highest] = self.range();
        if !converged || !(lowest..=highest).contains(&(mean_elo(which) + offset)) {
            return None;
        }
        let quantile = Normal::standard().inverse_cdf(0.5 + 0.5 * CHECK_LEVEL);
        let half = quantile * UNIT * score.variance.sqrt() / score.information;
        let games: std::collections::BTreeSet<i64> = which.iter().map(|it| it.game.0).collect();
        Some(Offset {
            elo,
            games: games.len(),
            turns: count(which),
            offset,
            low: offset - half,
            high: offset + half,
        })
    }

    /// The sum of scores if everybody were better than the rating by this offset, with each stretch weighted by its
    /// precision.
    fn offset_score(&self, choices: &Choices, which: &[&Stretch], offset: f64) -> Option<Score> {
        let scale = UNIT * UNIT;
        let [total, shared, player] = [
            self.effects.total.posterior_mean() / scale,
            self.effects.shared.posterior_mean() / scale,
            self.effects.player.posterior_mean() / scale,
        ];
        let (mut sum, mut information, mut variance) = (0.0, 0.0, 0.0);
        let mut by_coefficient = vec![0.0; self.lines.coefficients().len()];
        let mut games = Pairs::default();
        let mut players = Pairs::default();
        for stretch in which {
            let elo = stretch.elo? + offset;
            let quality = Measure::of_quality(choices, stretch.turns.clone(), &self.lines, elo);
            let weight = 1.0 / (1.0 + total * quality.variance);
            let weighed = weight * quality.variance;
            sum += weight * quality.surplus();
            information += weighed;
            variance += weight * weight * quality.variance + total * weighed.powi(2);
            games.add(stretch.game.0, weighed);
            if let Some(player) = stretch.player {
                players.add(player as i64, weighed);
            }
            let by = self.lines.by_coefficient(&quality.by_weight, elo);
            for (all, by) in by_coefficient.iter_mut().zip(by) {
                *all += weight * by;
            }
        }
        variance += shared * games.sum() + player * players.sum();
        variance += self.variance_by_coefficient(&by_coefficient);
        (information > 0.0).then_some(Score {
            sum,
            variance,
            information,
        })
    }
}

/// Sums over the ordered pairs within groups.
#[derive(Default)]
struct Pairs(BTreeMap<i64, [f64; 2]>);

impl Pairs {
    fn add(&mut self, group: i64, value: f64) {
        let sums = self.0.entry(group).or_default();
        sums[0] += value;
        sums[1] += value * value;
    }

    fn sum(&self) -> f64 {
        let each = self.0.values().map(|[sum, squares]| sum * sum - squares);
        each.sum::<f64>().max(0.0)
    }
}

fn count(stretches: &[&Stretch]) -> usize {
    stretches.iter().map(|it| it.turns.len()).sum()
}
