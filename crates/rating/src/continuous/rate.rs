//! Ratings: how well moves were played, and what that implies for the player's Elo.
//!
//! At each rating the moves pull up or down: the score S of a game, with information J. *Quality of play* is
//! where the sum of S is 0, and its interval contains all ratings at which the distance of the sum from 0 can
//! be explained by independent turns and the errors of the calibration.
//!
//! A player's Elo is something else: a player plays some games above it and others below, and may permanently
//! play better or worse than it says. So for Elo, games are weighted by 1 / (1 + J tau^2), where tau is the
//! effect of a game, and the player's own effect is added to the variance. If the Elo is known, it is combined
//! with the games into an estimate of strength.

use errare_core::{Fault, FaultKind};
use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal};

use super::{
    calibration::Calibration,
    choices::{Choices, Stretch},
    lines::UNIT,
    measure::{Measure, Measures},
};
use crate::Compared;

/// The minimum number of turns for a rating.
pub const FEWEST_RATED_TURNS: usize = 10;
/// Ratings are searched in steps of this size, then refined.
const STEP: f64 = 50.0;
/// The precision of ratings.
const PRECISION: f64 = 0.05;

/// A rating with an interval that contains the true one with the probability of the level.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Interval {
    /// The best estimate.
    pub mean: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Is the estimate or an end only the limit of the calibration?
    pub open: bool,
    /// Does it extend below `low`, which is only the limit of the calibration?
    pub open_below: bool,
    /// Does it extend above `high`, which is only the limit of the calibration?
    pub open_above: bool,
}

impl Interval {
    /// Does it contain a rating? An open end contains all ratings beyond it.
    #[must_use]
    pub fn contains(&self, elo: f64) -> bool {
        (self.open_below || self.low <= elo) && (self.open_above || elo <= self.high)
    }
}

/// The rating of some moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Rated {
    /// How well these moves were played, as a rating.
    pub quality: Interval,
    /// What that implies for the player's Elo.
    pub elo: Interval,
    /// The player's strength, from these moves and the known Elo together.
    pub combined: Option<Interval>,
    /// The level of the intervals.
    pub level: f64,
    /// Games.
    pub games: usize,
    /// Turns.
    pub turns: usize,
    /// First-move matches, compared with those of people of that quality.
    pub mm: Compared,
    /// Matches of the best value.
    pub equal: Compared,
    /// Average difference.
    pub ad: Compared,
}

/// Why there is no rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RateError {
    /// Too few turns.
    #[error("{turns} turns are too few to rate: {FEWEST_RATED_TURNS} are needed")]
    TooFewTurns {
        /// The number of turns.
        turns: usize,
    },
    /// The level is not a probability.
    #[error("the level of an interval is between 0 and 1")]
    Level,
    /// The search failed.
    #[error("the search for the rating that agrees best does not converge")]
    NotConverged,
}

impl Fault for RateError {
    fn kind(&self) -> FaultKind {
        match self {
            RateError::TooFewTurns { .. } | RateError::Level => FaultKind::BadRequest,
            RateError::NotConverged => FaultKind::Internal,
        }
    }
}

/// The sum of scores at a rating, its variance, and its information.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score {
    pub(super) sum: f64,
    pub(super) variance: f64,
    pub(super) information: f64,
}

impl Score {
    /// Standard deviations from 0; not a number where sums overflowed.
    fn z(&self) -> f64 {
        if !(self.sum.is_finite() && self.variance.is_finite()) {
            f64::NAN
        } else if self.variance > 0.0 {
            self.sum / self.variance.sqrt()
        } else {
            0.0
        }
    }
}

impl Calibration {
    /// Rates choices, all of which are taken to be one player's. `known` is the player's Elo.
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
    /// let rated = calibration.rate(&choices, player.rating(), 0.95)?;
    /// assert_eq!((rated.games, rated.turns), (2, 20));
    /// assert!(rated.elo.contains(rated.quality.mean), "Elo is less certain than the quality of these moves");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn rate(
        &self,
        choices: &Choices,
        known: Option<f64>,
        level: f64,
    ) -> Result<Rated, RateError> {
        if !(level > 0.0 && level < 1.0) {
            return Err(RateError::Level);
        }
        let turns = choices.turns();
        if turns < FEWEST_RATED_TURNS {
            return Err(RateError::TooFewTurns { turns });
        }
        let all: Vec<&Stretch> = choices.stretches().iter().collect();
        let interval = |effects| self.elo_interval(choices, &all, level, effects);
        let quality = interval([0.0, 0.0])?;
        let elo = interval(self.effects.in_x())?;
        let measures = self.measures(choices, quality.mean);
        Ok(Rated {
            combined: known.map(|known| self.with_known(choices, known, quantile(level))),
            quality,
            elo,
            level,
            games: choices.games(),
            turns,
            mm: measures.mm.compared(turns),
            equal: measures.equal.compared(turns),
            ad: measures.ad.compared(turns),
        })
    }

    /// The measures of all choices at one rating.
    #[must_use]
    pub fn measures(&self, choices: &Choices, elo: f64) -> Measures {
        Measures::new(choices, 0..choices.turns(), &self.lines, elo)
    }

    /// The z of the score of some stretches at a rating, with effects of these variances.
    pub(super) fn z_of_elo(
        &self,
        choices: &Choices,
        which: &[&Stretch],
        elo: f64,
        effects: [f64; 2],
    ) -> f64 {
        self.score(choices, which, elo, effects).z()
    }

    /// The interval for Elo from some stretches, with effects of these variances.
    pub(super) fn elo_interval(
        &self,
        choices: &Choices,
        which: &[&Stretch],
        level: f64,
        effects: [f64; 2],
    ) -> Result<Interval, RateError> {
        self.invert(quantile(level), |elo| {
            self.score(choices, which, elo, effects)
        })
    }

    /// The score at a rating. `effects` are variances in units of x: games are weighted for the effect of a game, and
    /// the player's own adds to the variance.
    fn score(
        &self,
        choices: &Choices,
        which: &[&Stretch],
        elo: f64,
        [game, player]: [f64; 2],
    ) -> Score {
        let features = choices.features();
        let (mut sum, mut information) = (0.0, 0.0);
        let mut by_weight = vec![0.0; features];
        for stretch in which {
            let quality = Measure::of_quality(choices, stretch.turns.clone(), &self.lines, elo);
            let weight = 1.0 / (1.0 + game * quality.variance);
            sum += weight * quality.surplus();
            information += weight * quality.variance;
            for (sum, by) in by_weight.iter_mut().zip(&quality.by_weight) {
                *sum += weight * by;
            }
        }
        let variance =
            information + information.powi(2) * player + self.variance_of(&by_weight, elo);
        Score {
            sum,
            variance,
            information,
        }
    }

    /// The root of the score, and all ratings at which it is at most this many standard deviations from zero.
    fn invert(&self, quantile: f64, score: impl Fn(f64) -> Score) -> Result<Interval, RateError> {
        let [lowest, highest] = self.range();
        let steps = ((highest - lowest) / STEP).ceil() as usize;
        let elo = |i: usize| lowest + (highest - lowest) * i as f64 / steps as f64;
        let z: Vec<f64> = (0..=steps).map(|i| score(elo(i)).z()).collect();
        if z.iter().any(|z| !z.is_finite()) {
            return Err(RateError::NotConverged);
        }
        // z falls as the rating rises, except at far ends with little information: take the lowest root, and the
        // crossings nearest to it as ends.
        let crossing = |level: f64, from: usize, up: bool| -> Option<f64> {
            let crosses = |i: &usize| z[*i] >= level && z[i + 1] < level;
            let place = if up {
                (from..steps).find(crosses)
            } else {
                (0..from.min(steps)).rev().find(crosses)
            }?;
            Some(bisect(elo(place), elo(place + 1), |elo| {
                score(elo).z() >= level
            }))
        };
        let root = (0..steps).find(|&i| z[i] >= 0.0 && z[i + 1] < 0.0);
        let (mean, place) = match root {
            Some(i) => (bisect(elo(i), elo(i + 1), |elo| score(elo).z() >= 0.0), i),
            None if z[0] < 0.0 => (lowest, 0),
            None => (highest, steps),
        };
        let low = crossing(quantile, place + 1, false);
        let high = crossing(-quantile, place, true);
        Ok(Interval {
            mean,
            low: low.unwrap_or(lowest),
            high: high.unwrap_or(highest),
            open: root.is_none() || low.is_none() || high.is_none(),
            open_below: low.is_none(),
            open_above: high.is_none(),
        })
    }

    /// The permanent strength of a player of known Elo: the Elo, whose error is the player's effect, combined
    /// with the estimate from the games, each weighted by its variance.
    fn with_known(&self, choices: &Choices, known: f64, quantile: f64) -> Interval {
        let [lowest, highest] = self.range();
        let inside = known.clamp(lowest, highest);
        let [game, player] = self.effects.in_x();
        let all: Vec<&Stretch> = choices.stretches().iter().collect();
        let score = self.score(choices, &all, inside, [game, 0.0]);
        if score.information <= 0.0 || player <= 0.0 {
            return Interval {
                mean: known,
                low: known,
                high: known,
                open: false,
                open_below: false,
                open_above: false,
            };
        }
        // How far the games are from the known Elo; beyond the range of the calibration, scores are taken as linear.
        let off = (inside - known) / UNIT + score.sum / score.information;
        let variance = score.variance / score.information.powi(2);
        let share = player / (player + variance);
        let half = quantile * UNIT * (share * variance).sqrt();
        let mean = known + UNIT * share * off;
        Interval {
            mean,
            low: mean - half,
            high: mean + half,
            open: false,
            open_below: false,
            open_above: false,
        }
    }
}

/// The normal quantile of a level.
fn quantile(level: f64) -> f64 {
    Normal::standard().inverse_cdf(0.5 + 0.5 * level)
}

/// Bisects for the point at which a condition ceases to hold.
fn bisect(mut holds: f64, mut fails: f64, test: impl Fn(f64) -> bool) -> f64 {
    while (fails - holds).abs() > PRECISION {
        let middle = 0.5 * (holds + fails);
        if test(middle) {
            holds = middle;
        } else {
            fails = middle;
        }
    }
    0.5 * (holds + fails)
}
