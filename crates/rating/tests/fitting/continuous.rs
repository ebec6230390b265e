//! The continuous family in a simulated world: what is put in is found again, intervals are honest, and nobody is
//! suspected more often than it is said.

use std::sync::LazyLock;

use errare_core::{Cancel, Watch};
use errare_engine::EngineKey;
use errare_rating::{
    Contestant, GameId, Label,
    continuous::{
        CalibrateError, Calibration, Choices, ContinuousFit, Effect, FitError, Lines, Measures,
        RIDGE, RateError, Recipe, Screenee, Weighed, standard,
    },
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::world::{DEPTH, Spread, games, games_of, people, truth};

const SPREAD: Spread = Spread {
    player: 90.0,
    shared: 110.0,
    own: 140.0,
};

fn recipe() -> Recipe {
    Recipe::new(EngineKey::new("Simulated 1", "", DEPTH))
}

/// 100 people with five or six games each.
static CHOICES: LazyLock<Choices> =
    LazyLock::new(|| games(&people(100, SPREAD, 1), 6, 22, SPREAD, 2));
static CALIBRATION: LazyLock<Calibration> =
    LazyLock::new(|| recipe().calibrate(&CHOICES, &()).unwrap());

/// Coefficients are within two standard errors nineteen times of twenty.
#[test]
fn coefficients_are_recovered() {
    let truth = truth();
    let (mut within, mut count) = (0, 0);
    for seed in 0..8 {
        let choices = games(
            &people(60, Spread::NONE, seed),
            2,
            30,
            Spread::NONE,
            100 + seed,
        );
        let start = Lines::new(standard(DEPTH));
        let fit = ContinuousFit::new(&choices, &start, |_| true, &()).unwrap();
        assert!(fit.steps <= 20, "{} steps", fit.steps);
        for (i, (found, truth)) in fit
            .lines
            .coefficients()
            .iter()
            .zip(truth.coefficients())
            .enumerate()
        {
            let error = fit.covariance[(i, i)].sqrt();
            within += usize::from((found - truth).abs() < 2.0 * error);
            count += 1;
        }
    }
    let share = within as f64 / f64::from(count);
    println!("{share} within two errors");
    assert!((0.87..=0.995).contains(&share), "{share}");
}

/// The slope of the penalised log-likelihood as its definition has it, turn by turn and option by option.
fn plain_slope(choices: &Choices, at: &[f64]) -> Vec<f64> {
    let mut slope: Vec<f64> = at.iter().map(|value| -RIDGE * value).collect();
    for stretch in choices.stretches() {
        let x = (stretch.elo.unwrap() - 2250.0) / 450.0;
        for turn in stretch.turns.clone() {
            let turn = choices.turn(turn);
            let options = turn.costs.len();
            // Six lines and two constants.
            let value = |feature: usize, option: usize| turn.features[feature * options + option];
            let utility = |option: usize| -> f64 {
                let lines = (0..6).map(|f| (at[2 * f] + at[2 * f + 1] * x) * value(f, option));
                lines.sum::<f64>() + at[12] * value(6, option) + at[13] * value(7, option)
            };
            let powers: Vec<f64> = (0..options).map(|option| utility(option).exp()).collect();
            let sum: f64 = powers.iter().sum();
            for feature in 0..8 {
                let mean: f64 = (0..options)
                    .map(|option| powers[option] / sum * value(feature, option))
                    .sum();
                let pull = value(feature, turn.played) - mean;
                if feature < 6 {
                    slope[2 * feature] += pull;
                    slope[2 * feature + 1] += x * pull;
                } else {
                    slope[6 + feature] += pull;
                }
            }
        }
    }
    slope
}

/// Plain gradient ascent, with momentum, by a slope written down independently, ends at the same place.
#[test]
fn plain_gradient_ascent_agrees() {
    let choices = games(&people(12, Spread::NONE, 3), 2, 20, Spread::NONE, 4);
    let start = Lines::new(standard(DEPTH));
    let fit = ContinuousFit::new(&choices, &start, |_| true, &()).unwrap();
    let mut at = vec![0.0; 14];
    let mut before = at.clone();
    let mut momentum = 1.0_f64;
    let step = 1.0 / (choices.turns() as f64 * 1.5);
    let mut largest = f64::INFINITY;
    for _ in 0..60_000 {
        let next = 0.5 * (1.0 + (1.0 + 4.0 * momentum * momentum).sqrt());
        let ahead: Vec<f64> = at
            .iter()
            .zip(&before)
            .map(|(at, before)| at + (momentum - 1.0) / next * (at - before))
            .collect();
        let slope = plain_slope(&choices, &ahead);
        let moved: Vec<f64> = ahead
            .iter()
            .zip(&slope)
            .map(|(a, s)| a + step * s)
            .collect();
        // Momentum that leads downhill is given up.
        let downhill: f64 = slope
            .iter()
            .zip(moved.iter().zip(&at))
            .map(|(s, (new, old))| s * (new - old))
            .sum();
        momentum = if downhill < 0.0 { 1.0 } else { next };
        before = std::mem::replace(&mut at, moved);
        largest = slope.iter().map(|s| s.abs()).fold(0.0, f64::max);
        if largest < 1e-7 {
            break;
        }
    }
    assert!(largest < 1e-7, "gradient ascent did not end: {largest}");
    for (ours, plain) in fit.lines.coefficients().iter().zip(&at) {
        assert!((ours - plain).abs() < 1e-6, "{ours} {plain}");
    }
}

#[test]
fn effects_are_within_their_errors() {
    let effects = CALIBRATION.effects;
    let total = SPREAD.player.powi(2) + SPREAD.shared.powi(2) + SPREAD.own.powi(2);
    for (effect, truth) in [
        (effects.player, SPREAD.player.powi(2)),
        (effects.shared, SPREAD.shared.powi(2)),
        (effects.total, total),
    ] {
        println!(
            "{:.0} ± {:.0}, truth {truth:.0}",
            effect.variance, effect.error
        );
        assert!((effect.variance - truth).abs() < 3.0 * effect.error);
    }
}

/// Intervals for Elo cover the Elo of people the calibration does not know, in one game and in eight; intervals for the
/// quality of one game cover neither.
#[test]
fn intervals_cover_new_people() {
    // How strong somebody of known Elo is for good depends on the player's effect alone, which so few people do not
    // determine: so it is given.
    let mut informed = CALIBRATION.clone();
    informed.effects.player = Effect {
        variance: SPREAD.player.powi(2),
        error: 0.0,
        count: 1,
    };
    informed.effects.total.variance =
        SPREAD.player.powi(2) + SPREAD.shared.powi(2) + SPREAD.own.powi(2);
    informed.effects.total.error = 0.0;
    for (rounds, count) in [(1, 300), (8, 150)] {
        let new = people(count, SPREAD, 50);
        let covered: Vec<[bool; 3]> = new
            .par_iter()
            .enumerate()
            .map(|(number, person)| {
                let choices = games_of(person, rounds, 28, SPREAD, 900 + number as u64);
                let elo = f64::from(person.player.elo.unwrap());
                let rated = CALIBRATION.rate(&choices, Some(elo), 0.95).unwrap();
                assert_eq!(rated.games, rounds);
                let strength = elo + person.effect;
                let combined = informed.rate(&choices, Some(elo), 0.95).unwrap().combined;
                [
                    rated.elo.contains(elo),
                    rated.quality.contains(elo),
                    combined.unwrap().contains(strength),
                ]
            })
            .collect();
        let share = |i: usize| {
            let hits = covered.iter().filter(|one| one[i]).count();
            hits as f64 / count as f64
        };
        let [elo, quality, combined] = [0, 1, 2].map(share);
        println!("{rounds} games: Elo {elo}, quality {quality}, combined {combined}");
        assert!((0.91..=0.99).contains(&elo), "{elo}");
        assert!(quality < elo, "{quality}");
        assert!((0.90..=0.99).contains(&combined), "{combined}");
    }
}

/// Other games by people like those of the calibration agree with it; of people who play 150 Elo better than their
/// ratings say, that is found, within an interval that allows for all effects.
#[test]
fn other_games_are_held_against_it() {
    let usual = games(&people(60, SPREAD, 70), 4, 25, SPREAD, 71);
    let check = CALIBRATION.held_against(&usual, &()).unwrap();
    assert_eq!((check.players, check.turns), (60, usual.turns()));
    assert!((check.log_loss - CALIBRATION.quality.log_loss.lines).abs() < 0.06);
    assert!(check.coverage.single > 0.9, "{:?}", check.coverage);
    let all = check.offsets[0];
    println!("{all:?}");
    assert!(
        all.elo.is_none() && all.low < 0.0 && 0.0 < all.high,
        "{all:?}"
    );
    assert!(check.offsets.len() > 3, "classes have offsets of their own");
    let mut better = people(60, SPREAD, 72);
    for person in &mut better {
        person.effect += 150.0;
    }
    let better = games(&better, 4, 25, SPREAD, 73);
    let found = CALIBRATION.held_against(&better, &()).unwrap().offsets[0];
    println!("{found:?}");
    assert!(found.low < 150.0 && 150.0 < found.high, "{found:?}");
    assert!(found.low > 0.0, "{found:?}");
    // Independent turns alone would make the interval narrower.
    let mut bare = CALIBRATION.clone();
    bare.effects = Default::default();
    let narrow = bare.held_against(&better, &()).unwrap().offsets[0];
    assert!(narrow.high - narrow.low < found.high - found.low);
}

/// Over twenty worlds, 95 % intervals of the offset contain it about nineteen times.
#[test]
fn offsets_are_where_their_intervals_say() {
    let contained = (0..20_u64)
        .into_par_iter()
        .filter(|seed| {
            let choices = games(&people(30, SPREAD, 400 + seed), 2, 20, SPREAD, 500 + seed);
            let all = CALIBRATION.held_against(&choices, &()).unwrap().offsets[0];
            all.low < 0.0 && 0.0 < all.high
        })
        .count();
    println!("{contained} of 20");
    assert!(contained >= 17, "{contained}");
}

#[test]
fn the_report_of_quality_is_right() {
    let quality = &CALIBRATION.quality;
    assert_eq!(quality.log_loss.turns, CHOICES.turns());
    // The truth itself cannot do much better.
    let lines = truth();
    let truth: f64 = CHOICES
        .stretches()
        .iter()
        .map(|it| Measures::new(&CHOICES, it.turns.clone(), &lines, it.elo.unwrap()).loss)
        .sum::<f64>()
        / CHOICES.turns() as f64;
    println!("{:?}, truth {truth}", quality.log_loss);
    assert!((quality.log_loss.lines - truth).abs() < 0.01);
    assert!(quality.log_loss.lines < quality.log_loss.blend - 0.05);
    assert!(quality.log_loss.blend < quality.log_loss.paper + 0.01);
    assert!(
        quality.rms_z.iter().all(|z| *z < 1.6),
        "{:?}",
        quality.rms_z
    );
    for bin in quality.reliability.iter().filter(|bin| bin.options > 2000) {
        let sd = (bin.projected / bin.options as f64).sqrt();
        assert!((bin.actual - bin.projected).abs() < 5.0 * sd, "{bin:?}");
    }
    let coverage = quality.coverage;
    println!("{coverage:?}");
    assert!((0.92..=0.98).contains(&coverage.single), "{coverage:?}");
    assert!(
        quality
            .situations
            .iter()
            .all(|it| it.offset.abs() < 4.0 * it.error)
    );
}

/// Of 24 fields of 30 honest people each, in few somebody is to be watched; and whoever takes the engine's move as
/// often as the report says would be seen, is seen as often as it says.
#[test]
fn screening_keeps_its_word() {
    let calibration = &*CALIBRATION;
    let fields: Vec<(usize, [usize; 2])> = (0..24_u64)
        .into_par_iter()
        .map(|field| {
            let all: Vec<Screenee> = people(30, SPREAD, 300 + field)
                .iter()
                .enumerate()
                .map(|(number, person)| Screenee {
                    name: person.player.name.clone(),
                    elo: person.player.rating(),
                    choices: games_of(person, 6, 25, SPREAD, 1000 * field + number as u64),
                })
                .collect();
            let screening = calibration.screen(&all);
            assert_eq!(screening.thresholds.players, 30);
            let labels = screening.players.iter().map(|one| one.label);
            let watched = labels.filter(|label| *label != Label::Normal).count();
            // One of them plays the engine's first move in so many turns.
            let cheat = &all[field as usize % 30];
            let honest = screening
                .players
                .iter()
                .find(|one| one.player == cheat.name);
            let share = honest.unwrap().smallest_effect.engine_share;
            let Some(share) = share else {
                return (watched, [0, 0]);
            };
            let mut random = ChaCha8Rng::seed_from_u64(field);
            let played = (0..cheat.choices.turns())
                .map(|turn| match random.random_bool(share) {
                    true => 0,
                    false => cheat.choices.turn(turn).played as u32,
                })
                .collect();
            let cheat = Screenee {
                choices: cheat.choices.with_choices(played),
                ..cheat.clone()
            };
            let others = all.iter().filter(|one| one.name != cheat.name);
            let with: Vec<Screenee> = others.cloned().chain([cheat.clone()]).collect();
            let screening = calibration.screen(&with);
            let one = screening
                .players
                .iter()
                .find(|one| one.player == cheat.name);
            let seen = one.is_some_and(|one| one.label != Label::Normal);
            (watched, [usize::from(seen), 1])
        })
        .collect();
    let suspicious = fields.iter().filter(|(watched, _)| *watched > 0).count();
    let [seen, tried] = fields
        .iter()
        .fold([0, 0], |sum, (_, one)| [sum[0] + one[0], sum[1] + one[1]]);
    println!("{suspicious} of 24 fields, {seen} of {tried} cheats");
    // 5 % of 24 are 1.2; the tail was fitted to some 100 people.
    assert!(suspicious <= 5, "{suspicious}");
    assert!(tried >= 15, "{tried}");
    assert!(
        (0.55..=0.98).contains(&(seen as f64 / tried as f64)),
        "{seen} of {tried}"
    );
}

#[test]
fn who_cannot_be_judged_gets_no_label() {
    let person = &people(3, SPREAD, 9)[1];
    let games = |rounds| games_of(person, rounds, 25, SPREAD, 8);
    let named = |name: &str, elo, choices| Screenee {
        name: name.to_owned(),
        elo,
        choices,
    };
    let screening = CALIBRATION.screen(&[
        named("few", Some(2000.0), games(1)),
        named("outside", Some(1200.0), games(4)),
        named("unrated", None, games(4)),
        named("usual", Some(2033.0), games(4)),
    ]);
    let label = |name: &str| {
        let one = screening.players.iter().find(|one| one.player == name);
        one.unwrap().label
    };
    assert_eq!(label("few"), Label::TooFewTurns);
    assert_eq!(label("outside"), Label::OutsideCalibration);
    assert_eq!(screening.players[0].player, "usual");
    assert_eq!(screening.unscreened, ["unrated"]);
    assert_eq!(screening.thresholds.players, 1);
}

/// Two events say together what one event with all games says.
#[test]
fn events_add_up() {
    let person = &people(5, SPREAD, 10)[3];
    let thresholds = CALIBRATION.thresholds(1);
    let weigh = |rounds, seed| {
        let choices = games_of(person, rounds, 30, SPREAD, seed);
        let elo = person.player.rating();
        let name = person.player.name.clone();
        let event = Screenee { name, elo, choices };
        CALIBRATION.weigh(&event, &thresholds).unwrap()
    };
    let events = [weigh(4, 1), weigh(5, 2)];
    let Weighed {
        screened: both,
        evidence,
    } = CALIBRATION.combine(&events, &thresholds).unwrap();
    assert_eq!((both.games, both.turns), (9, 270));
    let [a, b] = events.map(|event| event.evidence[0]);
    assert!((evidence[0].surplus - a.surplus - b.surplus).abs() < 1e-9);
    let z = [a, b].map(|it| it.surplus / it.turns.sqrt());
    let independent = (a.surplus + b.surplus) / (a.turns + b.turns).sqrt();
    assert!((both.z_mm - independent).abs() < 1e-9, "{z:?}");
    assert!(both.adjusted.z_mm.abs() < both.z_mm.abs());
}

#[test]
fn files_are_read_back_and_others_refused() {
    let text = serde_json::to_string(&*CALIBRATION).unwrap();
    let again = Calibration::from_json(&text).unwrap();
    assert_eq!(serde_json::to_string(&again).unwrap(), text);
    let refused = |text: &str| Calibration::from_json(text).unwrap_err().to_string();
    let old = text.replacen("\"version\":2", "\"version\":1", 1);
    assert!(refused(&old).contains("version 1"), "{}", refused(&old));
    let damaged = text.replacen("\"cost-ahead\"", "\"beauty\"", 1);
    assert!(Calibration::from_json(&damaged).is_err());
    let mut damaged = CALIBRATION.clone();
    damaged.covariance.pop();
    let text = serde_json::to_string(&damaged).unwrap();
    assert!(refused(&text).contains("covariance"), "{}", refused(&text));
    assert!(
        CALIBRATION
            .must_fit(&CALIBRATION.engine.at_depth(9))
            .is_err()
    );
}

#[test]
fn what_cannot_be_done_is_said() {
    let few = games(&people(4, SPREAD, 1), 2, 10, SPREAD, 2);
    let error = recipe().calibrate(&few, &()).unwrap_err().to_string();
    assert!(error.contains("cannot carry"), "{error}");
    let mut alike = people(60, SPREAD, 1);
    for person in &mut alike {
        person.player.elo = Some(2000);
    }
    let alike = games(&alike, 2, 30, SPREAD, 2);
    let error = recipe().calibrate(&alike, &()).unwrap_err().to_string();
    assert!(error.contains("2000 to 2000"), "{error}");
    // The lower rated play better: each as strong as 4400 minus the rating.
    let mut inverted = people(60, Spread::NONE, 1);
    for person in &mut inverted {
        person.effect = 4400.0 - 2.0 * f64::from(person.player.elo.unwrap());
    }
    let inverted = games(&inverted, 2, 30, Spread::NONE, 2);
    let error = recipe().calibrate(&inverted, &()).unwrap_err();
    assert!(
        matches!(error, CalibrateError::NoSlope(z) if z < 0.0),
        "{error}"
    );
    let nine = games_of(&people(2, SPREAD, 1)[0], 1, 9, SPREAD, 3);
    assert_eq!(
        CALIBRATION.rate(&nine, None, 0.95),
        Err(RateError::TooFewTurns { turns: 9 })
    );
    let stop = Cancel::default();
    stop.cancel();
    let start = Lines::new(standard(DEPTH));
    let stopped = ContinuousFit::new(&CHOICES, &start, |_| true, &stop as &dyn Watch);
    assert!(matches!(stopped, Err(FitError::Stopped(_))));
}

/// Nobodies are not one person, and a rating of 0 is none.
#[test]
fn nobody_is_nobody() {
    let mut choices = games(&people(4, SPREAD, 1), 1, 5, SPREAD, 2);
    let named = choices.names().len();
    for (name, elo) in [("?", Some(2000)), ("NN", Some(0)), ("", None)] {
        let name = name.to_owned();
        choices.begin(GameId(99), &Contestant { name, elo });
        let last = choices.stretches().last().unwrap();
        assert_eq!(last.player, None);
        assert_eq!(last.elo.is_some(), elo == Some(2000));
    }
    assert_eq!(choices.names().len(), named);
}
