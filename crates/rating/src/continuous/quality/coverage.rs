//! How often intervals contain the Elo of held-out players.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::{
    super::{
        FEWEST_RATED_TURNS,
        calibration::Calibration,
        choices::{Choices, Stretch},
        rate::Interval,
    },
    Coverage,
};

/// The level of the intervals whose coverage is checked.
const LEVEL: f64 = 0.95;
/// Candidates for the minimum number of games of an aggregate: the first that enough players have is
/// used.
const AGGREGATE_GAMES: [usize; 5] = [8, 6, 4, 3, 2];
/// How many players are enough.
const FEWEST_AGGREGATES: usize = 20;

/// How often the intervals that users see contain the Elo. `calibration` is the one to rate a stretch with, such as
/// one that leaves out its player.
pub(in super::super) fn coverage<'a>(
    choices: &Choices,
    calibration: impl Fn(&Stretch) -> &'a Calibration + Sync,
) -> Coverage {
    let mut players: BTreeMap<usize, Vec<&Stretch>> = BTreeMap::new();
    let mut singles = Vec::new();
    for stretch in choices.stretches() {
        if stretch.elo.is_none() || stretch.turns.len() < FEWEST_RATED_TURNS {
            continue;
        }
        singles.push(vec![stretch]);
        if let Some(player) = stretch.player {
            players.entry(player).or_default().push(stretch);
        }
    }
    let having = |games: usize| players.values().filter(|it| it.len() >= games).count();
    let fewest_games = AGGREGATE_GAMES
        .into_iter()
        .find(|&games| having(games) >= FEWEST_AGGREGATES)
        .unwrap_or(2);
    let aggregates: Vec<Vec<&Stretch>> = players
        .into_values()
        .filter(|it| it.len() >= fewest_games)
        .collect();
    let rate = |which: &Vec<&Stretch>, player: bool| {
        let calibration = calibration(which[0]);
        let [game, permanent] = calibration.effects.in_x();
        let effects = match player {
            true => [game, permanent],
            false => [game + permanent, 0.0],
        };
        let elo = mean_elo(which);
        Trial {
            elo,
            z: calibration.z_of_elo(choices, which, elo, effects),
            interval: calibration
                .elo_interval(choices, which, LEVEL, effects)
                .ok(),
        }
    };
    let trials = |groups: &[Vec<&Stretch>], player: bool| -> Summary {
        let all = groups.par_iter().map(|which| rate(which, player));
        Summary::new(&all.collect::<Vec<_>>())
    };
    let single = trials(&singles, true);
    let aggregate = trials(&aggregates, true);
    Coverage {
        singles: singles.len(),
        single: single.covered,
        single_z: single.z,
        single_half_width: single.half_width,
        single_open: single.open,
        aggregates: aggregates.len(),
        fewest_games,
        aggregate: aggregate.covered,
        aggregate_z: aggregate.z,
        aggregate_half_width: aggregate.half_width,
        aggregate_open: aggregate.open,
        aggregate_without_player: trials(&aggregates, false).covered,
    }
}

/// The mean rating of stretches, weighted by turns.
pub(in super::super) fn mean_elo(stretches: &[&Stretch]) -> f64 {
    let turns: usize = stretches.iter().map(|it| it.turns.len()).sum();
    let sum: f64 = stretches
        .iter()
        .map(|it| it.turns.len() as f64 * it.elo.unwrap_or_default())
        .sum();
    sum / turns.max(1) as f64
}

/// An interval, beside the Elo that it should contain and the z of the score there.
struct Trial {
    elo: f64,
    z: f64,
    /// None if the search failed, which users would be told: no interval, no coverage.
    interval: Option<Interval>,
}

#[derive(Default)]
struct Summary {
    covered: f64,
    z: f64,
    half_width: Option<f64>,
    open: Option<f64>,
}

impl Summary {
    fn new(trials: &[Trial]) -> Summary {
        if trials.is_empty() {
            return Summary::default();
        }
        let count = trials.len() as f64;
        let contains = |it: &&Trial| {
            it.interval
                .is_some_and(|interval| interval.contains(it.elo))
        };
        let squares: f64 = trials.iter().map(|it| it.z.powi(2)).sum();
        let closed = trials.iter().filter_map(|it| it.interval);
        let closed = closed.filter(|interval| !interval.open);
        let mut widths: Vec<f64> = closed.map(|it| 0.5 * (it.high - it.low)).collect();
        widths.sort_by(f64::total_cmp);
        Summary {
            covered: trials.iter().filter(contains).count() as f64 / count,
            z: (squares / count).sqrt(),
            half_width: widths.get(widths.len() / 2).copied(),
            open: Some(1.0 - widths.len() as f64 / count),
        }
    }
}
