//! A simulated world for the continuous family: positions seen at four depths, people whose quality of play differs
//! from their Elo, from game to game and permanently.

use std::ops::Range;

use errare_choice::Softmax;
use errare_rating::{
    Contestant, GameId,
    continuous::{Choices, Feature, Lines, Seen, standard},
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, Normal};

pub(crate) const DEPTH: u8 = 4;

/// The truth: about the values of players of 2006-09.
pub(crate) fn truth() -> Lines {
    Lines::new(standard(DEPTH)).with(vec![
        2.1, 0.55, -0.2, 0.02, 0.45, -0.06, 0.2, -0.05, 0.45, 0.1, 0.65, 0.3, -0.5, 0.6,
    ])
}

pub(crate) fn normal(random: &mut ChaCha8Rng) -> f64 {
    Normal::standard().inverse_cdf(random.random_range(1e-12..1.0))
}

/// A position: scores in hundredths, each depth off by less than the one before.
fn seen(random: &mut ChaCha8Rng) -> Seen {
    let best = 3.0 * (random.random::<f64>() - random.random::<f64>());
    let moves = random.random_range(2..40);
    let mut below = 0.0;
    let mut deep = vec![best];
    for _ in 1..moves {
        let gap: f64 = random.random();
        below += 0.4 * gap * gap * if random.random_bool(0.05) { 10.0 } else { 1.0 };
        deep.push(best - below);
    }
    let round = |value: f64| (100.0 * value).round() / 100.0;
    let mut rows: Vec<Vec<f64>> = (1..DEPTH)
        .map(|depth| {
            let off = 0.8 / f64::from(depth);
            deep.iter()
                .map(|value| round(value + off * normal(random)))
                .collect()
        })
        .collect();
    rows.push(deep.into_iter().map(round).collect());
    Seen {
        move_number: Some(random.random_range(9..50)),
        ..Seen::new(rows)
    }
}

/// Somebody with a persistent effect.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) player: Contestant,
    pub(crate) effect: f64,
}

/// How people differ from their Elo, as standard deviations: permanently, per game for both opponents,
/// per game for one.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    pub(crate) player: f64,
    pub(crate) shared: f64,
    pub(crate) own: f64,
}

impl Spread {
    pub(crate) const NONE: Spread = Spread {
        player: 0.0,
        shared: 0.0,
        own: 0.0,
    };
}

/// People of 1700 to 2700.
pub(crate) fn people(count: usize, spread: Spread, seed: u64) -> Vec<Person> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    (0..count)
        .map(|number| Person {
            player: Contestant {
                name: format!("Player {seed}.{number}"),
                elo: Some(1700 + (1000 * number / count) as u16),
            },
            effect: spread.player * normal(&mut random),
        })
        .collect()
}

/// Adds a game between two people, with this many turns each.
pub(crate) fn game(
    choices: &mut Choices,
    pair: [&Person; 2],
    id: i64,
    turns: usize,
    spread: Spread,
    random: &mut ChaCha8Rng,
) {
    let shared = spread.shared * normal(random);
    for person in pair {
        let person = Person {
            effect: person.effect + shared,
            ..person.clone()
        };
        side(choices, &person, id, turns, spread.own, random);
    }
}

/// Adds the turns of one of the two.
fn side(
    choices: &mut Choices,
    person: &Person,
    id: i64,
    turns: usize,
    own: f64,
    random: &mut ChaCha8Rng,
) {
    let lines = truth();
    let features: &[Box<dyn Feature>] = lines.features();
    let elo = f64::from(person.player.elo.unwrap());
    let weights = lines.weights(elo + person.effect + own * normal(random));
    choices.begin(GameId(id), &person.player);
    for _ in 0..turns {
        let seen = seen(random);
        let played = choose(&seen, features, &weights, random);
        choices.push(&seen, features, played);
    }
}

fn choose(
    seen: &Seen,
    features: &[Box<dyn Feature>],
    weights: &[f64],
    random: &mut ChaCha8Rng,
) -> usize {
    let options = seen.costs.len();
    let mut values = vec![0.0; options * features.len()];
    for (feature, row) in features.iter().zip(values.chunks_exact_mut(options)) {
        feature.fill(seen, row);
    }
    let mut choice = Softmax::default();
    choice.make(&values, weights);
    let mut left: f64 = random.random();
    let chosen = choice.probabilities().iter().position(|p| {
        left -= p;
        left < 0.0
    });
    chosen.unwrap_or(0)
}

/// Games in which everybody plays neighbours of about the same rating.
pub(crate) fn games(
    people: &[Person],
    rounds: usize,
    turns: usize,
    spread: Spread,
    seed: u64,
) -> Choices {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut choices = Choices::new(truth().features().len());
    let mut id = 0;
    for round in 0..rounds {
        for first in (round % 2..people.len() - 1).step_by(2) {
            let pair = [&people[first], &people[first + 1]];
            game(&mut choices, pair, id, turns, spread, &mut random);
            id += 1;
        }
    }
    choices
}

/// The games of one person only.
pub(crate) fn games_of(
    person: &Person,
    rounds: usize,
    turns: usize,
    spread: Spread,
    seed: u64,
) -> Choices {
    some_games_of(person, 0..rounds, turns, spread, seed)
}

/// Some of these games.
pub(crate) fn some_games_of(
    person: &Person,
    rounds: Range<usize>,
    turns: usize,
    spread: Spread,
    seed: u64,
) -> Choices {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let own = spread.own.hypot(spread.shared);
    let mut choices = Choices::new(truth().features().len());
    let mut others = choices.clone();
    for round in 0..rounds.end {
        let among = match rounds.contains(&round) {
            true => &mut choices,
            false => &mut others,
        };
        side(among, person, round as i64, turns, own, &mut random);
    }
    choices
}
