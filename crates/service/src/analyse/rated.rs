//! How competently players of known rating play, which gives the scale of competence a meaning.
//!
//! Each side of each game has a likelihood over the competences. The model: ln c is normally distributed among players,
//! with a mean that is linear in the rating and one standard deviation for all. The three parameters maximise the
//! likelihood of the games, with every side's competence integrated out; their errors come from a bootstrap over games.
//! Pooled estimates for bands of ratings, without this model, are given for comparison.

use std::collections::BTreeSet;

use errare_choice::{Estimate, Grid, Kappa, PriorShape};
use errare_core::Elo;
use errare_endgame::{Analyser, Choice, MoveReport, Turn};
use errare_games::{Game, name_key};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::model::ValueRule;

/// Players of a band of ratings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EloBand {
    /// The lowest rating of the band.
    pub from: u32,
    /// The end of the band, exclusive.
    pub to: u32,
    /// The number of different players.
    pub players: usize,
    /// The number of sides of games.
    pub sides: usize,
    /// Moves.
    pub moves: usize,
    /// The winner's moves ceded.
    pub ceded: u32,
    /// Moves that lost value.
    pub value_losses: usize,
    /// The competence of all moves pooled, as if one player had made them; none if no error counts.
    pub pooled: Option<Estimate>,
}

/// The distribution of competence among players of known rating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Population {
    /// The number of sides of games.
    pub sides: usize,
    /// Their moves.
    pub moves: usize,
    /// The rating at which `mean` holds.
    pub elo: f64,
    /// The mean of ln c there.
    pub mean: f64,
    /// Its increase per 100 Elo.
    pub slope: f64,
    /// The 95 % interval of the slope.
    pub slope_interval: [f64; 2],
    /// The standard deviation of ln c among players of one rating.
    pub deviation: f64,
    /// Typical players at some ratings.
    pub typical: Vec<Typical>,
}

/// Typical players of a rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Typical {
    /// The rating.
    pub elo: f64,
    /// The median competence.
    pub median: f64,
    /// The 95 % interval of the median.
    pub median_interval: [f64; 2],
    /// The interval that contains two thirds of them.
    pub usual: [f64; 2],
}

/// The grid of competences.
const GRID: &str = "0.5(0.5)100";
/// The number of bootstrap replicates.
const DRAWS: usize = 200;
/// A fixed seed, so that the numbers are reproducible.
const SEED: u64 = 1;
/// The minimum number of sides of games for a population estimate.
const LEAST_SIDES: usize = 10;
/// The share on each side of a 95 % interval.
const TAIL: f64 = 0.025;

/// Summarises players by rating.
#[derive(Debug)]
pub(super) struct Bands {
    kappa: Kappa,
    value: ValueRule,
    width: u32,
    grid: Grid,
    sides: Vec<Side>,
}

/// A side of a game.
#[derive(Debug)]
struct Side {
    game: usize,
    color: Color,
    name: String,
    elo: f64,
    analyser: Analyser,
}

impl Bands {
    pub(super) fn new(kappa: Kappa, value: ValueRule, width: u32) -> Bands {
        Bands {
            kappa,
            value,
            width: width.max(1),
            grid: GRID.parse().expect("it is a grid"),
            sides: Vec::new(),
        }
    }

    pub(super) fn observe(
        &mut self,
        game: &Game,
        report: &MoveReport,
        turn: &Turn,
        choice: &Choice,
    ) {
        let color: Color = report.color.into();
        let tag = color.fold_wb("WhiteElo", "BlackElo");
        let elo = game.tags.get(tag).and_then(|text| text.parse::<Elo>().ok());
        let Some(elo) = elo else {
            return;
        };
        let known = self
            .sides
            .iter()
            .rposition(|side| side.game == game.number && side.color == color);
        let number = known.unwrap_or_else(|| {
            self.sides.push(Side {
                game: game.number,
                color,
                name: game.name(color).to_owned(),
                elo: elo.get(),
                analyser: Analyser::new(self.kappa, self.grid, &PriorShape::Uniform)
                    .with_values(self.value.into()),
            });
            self.sides.len() - 1
        });
        self.sides[number].analyser.observe(turn, choice);
    }

    /// The players of each band.
    pub(super) fn bands(&self) -> Vec<EloBand> {
        let band = |side: &Side| side.elo as u32 / self.width * self.width;
        let bands: BTreeSet<u32> = self.sides.iter().map(band).collect();
        let of = |from: u32| {
            let sides: Vec<&Side> = self.sides.iter().filter(|s| band(s) == from).collect();
            let names: BTreeSet<String> = sides.iter().map(|side| name_key(&side.name)).collect();
            let sum = |count: &dyn Fn(&Analyser) -> usize| {
                sides
                    .iter()
                    .map(|side| count(&side.analyser))
                    .sum::<usize>()
            };
            let erred = |side: &&Side| side.analyser.competence().is_some();
            EloBand {
                from,
                to: from + self.width,
                players: names.len(),
                sides: sides.len(),
                moves: sum(&Analyser::moves),
                ceded: sides.iter().map(|side| side.analyser.ceded()).sum(),
                value_losses: sum(&Analyser::value_losses),
                pooled: match sides.iter().any(erred) {
                    true => self.pooled(&sides),
                    false => None,
                },
            }
        };
        bands.into_iter().map(of).collect()
    }

    /// The competence of all moves of some sides.
    fn pooled(&self, sides: &[&Side]) -> Option<Estimate> {
        let mut logs = vec![0.0; self.grid.len()];
        for side in sides {
            let weights = side.analyser.posterior().log_weights();
            logs.iter_mut()
                .zip(weights)
                .for_each(|(sum, log)| *sum += log);
        }
        Estimate::of_log_weights(&self.grid.points(), &logs)
    }

    /// The distribution of competence; `None` if there are too few games.
    pub(super) fn population(&self, mileposts: &[f64]) -> Option<Population> {
        let sides: Vec<Likelihood> = self.sides.iter().map(Likelihood::of).collect();
        if sides.len() < LEAST_SIDES {
            return None;
        }
        let elo = sides.iter().map(|side| side.elo).sum::<f64>() / sides.len() as f64;
        let logs: Vec<f64> = self.grid.points().map(f64::ln).collect();
        let data = Data { elo, logs };
        let all: Vec<&Likelihood> = sides.iter().collect();
        let fit = data.fit(&all);
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let draws: Vec<Fit> = (0..DRAWS)
            .map(|_| {
                let drawn: Vec<&Likelihood> = (0..sides.len())
                    .map(|_| &sides[rng.random_range(0..sides.len())])
                    .collect();
                data.fit(&drawn)
            })
            .collect();
        let interval = |value: &dyn Fn(&Fit) -> f64| {
            let mut values: Vec<f64> = draws.iter().map(value).collect();
            values.sort_by(f64::total_cmp);
            let at = |share: f64| values[((values.len() - 1) as f64 * share).round() as usize];
            [at(TAIL), at(1.0 - TAIL)]
        };
        let typical = mileposts.iter().map(|&rating| {
            let mean = |fit: &Fit| fit.mean + fit.slope * (rating - elo) / 100.0;
            let [low, high] = interval(&mean);
            Typical {
                elo: rating,
                median: mean(&fit).exp(),
                median_interval: [low.exp(), high.exp()],
                usual: [-1.0, 1.0].map(|side| (mean(&fit) + side * fit.deviation).exp()),
            }
        });
        Some(Population {
            sides: sides.len(),
            moves: self.sides.iter().map(|side| side.analyser.moves()).sum(),
            elo,
            mean: fit.mean,
            slope: fit.slope,
            slope_interval: interval(&|fit| fit.slope),
            deviation: fit.deviation,
            typical: typical.collect(),
        })
    }
}

/// The likelihood of a player's competence from one side of a game.
struct Likelihood {
    elo: f64,
    /// By point of the grid, relative to the maximum.
    weights: Vec<f64>,
}

impl Likelihood {
    fn of(side: &Side) -> Likelihood {
        let logs = side.analyser.posterior().log_weights();
        let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        Likelihood {
            elo: side.elo,
            weights: logs.iter().map(|log| (log - greatest).exp()).collect(),
        }
    }
}

/// The rating at which the mean holds, and the logarithms of the grid's competences.
struct Data {
    elo: f64,
    logs: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Fit {
    mean: f64,
    slope: f64,
    deviation: f64,
}

impl Data {
    /// The log-likelihood of some sides' moves, up to a constant.
    fn log_likelihood(&self, sides: &[&Likelihood], fit: &Fit) -> f64 {
        let of = |side: &&Likelihood| {
            let mean = fit.mean + fit.slope * (side.elo - self.elo) / 100.0;
            // A density in ln c: the grid is regular in c, so each point stands for 1/c of it.
            let (mut sum, mut total) = (0.0, 0.0);
            for (log, weight) in self.logs.iter().zip(&side.weights) {
                let density = (-((log - mean) / fit.deviation).powi(2) / 2.0 - log).exp();
                sum += density * weight;
                total += density;
            }
            (sum / total).max(f64::MIN_POSITIVE).ln()
        };
        sides.iter().map(of).sum()
    }

    /// The maximum-likelihood parameters, by steps that are halved.
    fn fit(&self, sides: &[&Likelihood]) -> Fit {
        let mut best = Fit {
            mean: 20f64.ln(),
            slope: 0.0,
            deviation: 0.5,
        };
        let mut most = self.log_likelihood(sides, &best);
        let mut step = 0.4;
        while step > 0.005 {
            let mut improved = false;
            for (mean, slope, deviation) in [
                (step, 0.0, 0.0),
                (-step, 0.0, 0.0),
                (0.0, step / 4.0, 0.0),
                (0.0, -step / 4.0, 0.0),
                (0.0, 0.0, step),
                (0.0, 0.0, -step),
            ] {
                let next = Fit {
                    mean: best.mean + mean,
                    slope: best.slope + slope,
                    deviation: (best.deviation + deviation).clamp(0.05, 2.0),
                };
                let likelihood = self.log_likelihood(sides, &next);
                if likelihood > most + 1e-9 {
                    (best, most, improved) = (next, likelihood, true);
                }
            }
            if !improved {
                step /= 2.0;
            }
        }
        best
    }
}
