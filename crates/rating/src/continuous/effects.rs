//! Random effects: how much the quality of play differs from the rating.
//!
//! A player of rating R plays a game with quality R + p + g + o: p belongs to the player permanently, g to
//! the game and is shared by the opponents, o to the player in this game alone. Their variances are
//! estimated by moments of the scores S at the players' own ratings, with information J: the mean of S S' is
//! J J' var p for two games of a player and J J' var g for the two opponents of a game, and that of S^2 is
//! J + J^2 (var p + var g + var o). Each moment is weighted by its precision; errors come from the scatter of
//! players and games.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use statrs::distribution::{Continuous, ContinuousCDF, Normal};

use super::{
    choices::{Choices, Stretch},
    lines::{Lines, UNIT},
    measure::Measure,
};

/// A variance, in Elo squared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Effect {
    /// The estimate, which may be negative by chance.
    pub variance: f64,
    /// Its standard error.
    pub error: f64,
    /// The number of stretches, or pairs of them, behind the estimate.
    pub count: usize,
}

impl Effect {
    /// The posterior mean of the variance, given the estimate and its error, with a uniform prior over
    /// nonnegative variances. Where little is known, this exceeds the estimate.
    #[must_use]
    pub fn posterior_mean(&self) -> f64 {
        if self.error <= 0.0 {
            return self.variance.max(0.0);
        }
        let normal = Normal::standard();
        let z = self.variance / self.error;
        if z < -8.0 {
            return self.error / -z;
        }
        self.variance + self.error * normal.pdf(z) / normal.cdf(z)
    }

    /// Its root, in Elo.
    #[must_use]
    pub fn sd(&self) -> f64 {
        self.posterior_mean().sqrt()
    }
}

/// The variances of the three effects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Effects {
    /// Of a player, permanently.
    pub player: Effect,
    /// Of a game, shared by the opponents.
    pub shared: Effect,
    /// Of all three together, for one player in one game.
    pub total: Effect,
}

/// The score of a stretch at the player's own rating.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pull {
    pub(super) player: Option<usize>,
    pub(super) game: i64,
    pub(super) score: f64,
    pub(super) information: f64,
}

impl Effects {
    /// Estimates the effects from choices of rated players.
    #[must_use]
    pub fn new(choices: &Choices, lines: &Lines) -> Effects {
        Effects::of(choices, lines, |_| true)
    }

    /// The same, from stretches that satisfy a predicate.
    pub(super) fn of(
        choices: &Choices,
        lines: &Lines,
        which: impl Fn(&Stretch) -> bool,
    ) -> Effects {
        let used = choices.stretches().iter().filter(|it| which(it));
        let pulls = used.filter_map(|stretch| {
            let elo = stretch.elo?;
            let quality = Measure::of_quality(choices, stretch.turns.clone(), lines, elo);
            Some(Pull {
                player: stretch.player,
                game: stretch.game.0,
                score: quality.surplus(),
                information: quality.variance,
            })
        });
        Effects::of_pulls(&pulls.collect::<Vec<_>>())
    }

    /// From scores; those of turns that say nothing about ratings are left out.
    pub(super) fn of_pulls(pulls: &[Pull]) -> Effects {
        let pulls: Vec<&Pull> = pulls.iter().filter(|it| it.information > 0.0).collect();
        let mut effects = Effects::default();
        let mut total = 0.0;
        // The weights depend on the total, which converges in a few rounds.
        for _ in 0..8 {
            let spread = |pull: &Pull| pull.information + pull.information.powi(2) * total;
            let single = pulls.iter().map(|pull| {
                let weight = (pull.information / spread(pull)).powi(2);
                let excess = pull.score.powi(2) - pull.information;
                [weight * excess, weight * pull.information.powi(2)]
            });
            effects.total = ratio(&single.collect::<Vec<_>>());
            let part = |pull: &Pull| {
                let weight = pull.information / spread(pull);
                [weight * pull.score, weight * pull.information]
            };
            let by_player = pulls
                .iter()
                .filter_map(|pull| Some((pull.player? as i64, part(pull))));
            effects.player = pairs(by_player);
            effects.shared = pairs(pulls.iter().map(|pull| (pull.game, part(pull))));
            total = effects.total.variance.max(0.0);
        }
        let scale = UNIT * UNIT;
        for effect in [&mut effects.total, &mut effects.player, &mut effects.shared] {
            effect.variance *= scale;
            effect.error *= scale;
        }
        effects
    }

    /// The variance of a player from game to game, in Elo squared.
    #[must_use]
    pub fn of_game(&self) -> f64 {
        (self.total.posterior_mean() - self.player.posterior_mean()).max(0.0)
    }

    /// The same in units of x, and the player's permanent variance.
    pub(super) fn in_x(&self) -> [f64; 2] {
        let scale = UNIT * UNIT;
        [self.of_game() / scale, self.player.posterior_mean() / scale]
    }
}

/// The ratio of two sums, with its error from the scatter of their terms.
fn ratio(terms: &[[f64; 2]]) -> Effect {
    let sum = |i: usize| -> f64 { terms.iter().map(|term| term[i]).sum() };
    let below = sum(1);
    if below <= 0.0 {
        return Effect::default();
    }
    let variance = sum(0) / below;
    let squares: f64 = terms
        .iter()
        .map(|[above, below]| (above - variance * below).powi(2))
        .sum();
    Effect {
        variance,
        error: squares.sqrt() / below,
        count: terms.iter().filter(|term| term[1] > 0.0).count(),
    }
}

/// The ratio over all pairs within each group.
fn pairs(parts: impl Iterator<Item = (i64, [f64; 2])>) -> Effect {
    // The sum over pairs follows from sums and sums of squares.
    let mut groups: BTreeMap<i64, [[f64; 2]; 2]> = BTreeMap::new();
    for (group, part) in parts {
        let sums = groups.entry(group).or_default();
        for i in 0..2 {
            sums[i][0] += part[i];
            sums[i][1] += part[i].powi(2);
        }
    }
    let terms: Vec<[f64; 2]> = groups
        .values()
        .map(|sums| sums.map(|[sum, squares]| 0.5 * (sum.powi(2) - squares)))
        .map(|[above, below]| [above, below.max(0.0)])
        .collect();
    ratio(&terms)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn normal(random: &mut ChaCha8Rng) -> f64 {
        Normal::standard().inverse_cdf(random.random())
    }

    /// Recovers effects of 120, 100 and 150 Elo in a simulation of 400 players with 12 games each.
    #[test]
    fn effects_are_found_again() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let players: Vec<f64> = (0..400).map(|_| 120.0 * normal(&mut random)).collect();
        let mut pulls = Vec::new();
        for game in 0..2400_i64 {
            let shared = 100.0 * normal(&mut random);
            for side in 0..2 {
                let player = ((game * 2 + side) * 7 % 400) as usize;
                let information = 1.5 + random.random::<f64>();
                let quality = players[player] + shared + 150.0 * normal(&mut random);
                let score = information * quality / UNIT + information.sqrt() * normal(&mut random);
                pulls.push(Pull {
                    player: Some(player),
                    game,
                    score,
                    information,
                });
            }
        }
        let found = Effects::of_pulls(&pulls);
        let truth = [
            (found.player, 120.0_f64.powi(2)),
            (found.shared, 100.0_f64.powi(2)),
            (
                found.total,
                120.0_f64.powi(2) + 100.0_f64.powi(2) + 150.0_f64.powi(2),
            ),
        ];
        for (effect, truth) in truth {
            assert!(
                (effect.variance - truth).abs() < 2.5 * effect.error,
                "{effect:?} {truth}"
            );
            assert!(effect.error < 0.35 * truth, "{effect:?} {truth}");
        }
        assert!((found.player.sd() - 120.0).abs() < 25.0);
    }

    /// A stretch whose turns do not depend on the rating changes nothing.
    #[test]
    fn no_information_is_no_evidence() {
        let pull = |game, score, information| Pull {
            player: Some(1),
            game,
            score,
            information,
        };
        let pulls = [pull(1, 0.4, 0.9), pull(1, -1.1, 0.7), pull(2, 0.8, 1.2)];
        let with = [&pulls[..], &[pull(2, 0.0, 0.0)]].concat();
        let effects = Effects::of_pulls(&with);
        assert!(effects.total.variance.is_finite());
        assert_eq!(effects, Effects::of_pulls(&pulls));
    }

    #[test]
    fn the_posterior_mean_allows_for_the_error() {
        let effect = |variance, error| Effect {
            variance,
            error,
            count: 9,
        };
        assert_eq!(effect(100.0, 0.0).posterior_mean(), 100.0);
        assert!((effect(0.0, 1.0).posterior_mean() - 0.797_884_56).abs() < 1e-6);
        assert!(effect(-20.0, 1.0).posterior_mean() > 0.0);
        assert!((effect(100.0, 1.0).posterior_mean() - 100.0).abs() < 1e-9);
    }
}
