//! How often intervals contain the Elo of held-out players.

use std::collections::BTreeMap;

use super::{
    super::{
        FEWEST_RATED_TURNS,
        calibration::Calibration,
        choices::{Choices, Stretch},
        effects::Effect,
    },
    Coverage,
    folds::part_of_player,
};

/// The normal quantile of the intervals whose coverage is checked: 95 %.
const LEVEL_Z: f64 = 1.959_964;
/// Candidates for the minimum number of games of an aggregate: the first that enough players have is
/// used.
const AGGREGATE_GAMES: [usize; 5] = [8, 6, 4, 3, 2];
/// How many players are enough.
const FEWEST_AGGREGATES: usize = 20;

/// How often the intervals from calibrations without a player contain that player's Elo. `without` has
/// a calibration for each fold of players.
pub(in super::super) fn coverage(choices: &Choices, without: &[Calibration]) -> Coverage {
    let mut players: BTreeMap<usize, Vec<&Stretch>> = BTreeMap::new();
    let mut singles = Vec::new();
    for stretch in choices.stretches() {
        let Some(elo) = stretch.elo else { continue };
        if stretch.turns.len() < FEWEST_RATED_TURNS {
            continue;
        }
        let calibration = &without[part_of_player(stretch)];
        singles.push(calibration.z_of_elo(choices, &[stretch], elo));
        if let Some(player) = stretch.player {
            players.entry(player).or_default().push(stretch);
        }
    }
    let having = |games: usize| players.values().filter(|it| it.len() >= games).count();
    let fewest_games = AGGREGATE_GAMES
        .into_iter()
        .find(|&games| having(games) >= FEWEST_AGGREGATES)
        .unwrap_or(2);
    let (mut aggregates, mut bare) = (Vec::new(), Vec::new());
    for stretches in players.values() {
        if stretches.len() < fewest_games {
            continue;
        }
        let elo = mean_elo(stretches);
        let calibration = &without[part_of_player(stretches[0])];
        aggregates.push(calibration.z_of_elo(choices, stretches, elo));
        let mut plain = calibration.clone();
        plain.effects.player = Effect::default();
        bare.push(plain.z_of_elo(choices, stretches, elo));
    }
    let [single, single_z, single_half_width] = summary(&singles);
    let [aggregate, aggregate_z, aggregate_half_width] = summary(&aggregates);
    Coverage {
        singles: singles.len(),
        single,
        single_z,
        single_half_width,
        aggregates: aggregates.len(),
        fewest_games,
        aggregate,
        aggregate_z,
        aggregate_half_width,
        aggregate_without_player: summary(&bare)[0],
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

/// The share of z within the level, their root mean square, and half the width of the median interval.
fn summary(all: &[[f64; 2]]) -> [f64; 3] {
    if all.is_empty() {
        return [0.0; 3];
    }
    let count = all.len() as f64;
    let within = all.iter().filter(|it| it[0].abs() <= LEVEL_Z).count() as f64;
    let squares: f64 = all.iter().map(|it| it[0].powi(2)).sum();
    let mut widths: Vec<f64> = all.iter().map(|it| LEVEL_Z * it[1]).collect();
    widths.sort_by(f64::total_cmp);
    [
        within / count,
        (squares / count).sqrt(),
        widths[widths.len() / 2],
    ]
}
