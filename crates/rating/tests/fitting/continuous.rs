//! The continuous family in a simulated world: parameters are recovered, intervals are honest, and false alarms
//! are as rare as stated.

use std::sync::LazyLock;

use errare_core::{Cancel, Watch};
use errare_engine::EngineKey;
use errare_rating::{
    Contestant, GameId, Label, Screened,
    continuous::{
        CalibrateError, Calibration, Choices, ClassQuality, ContinuousFit, Effect, FitError,
        Honest, Lines, Measures, RateError, Recipe, Screenee, standard,
    },
};
use nalgebra::DVector;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::world::{DEPTH, Spread, games, games_of, people, some_games_of, truth};

pub(crate) const SPREAD: Spread = Spread {
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

/// Coefficients are within two standard errors nineteen times out of twenty.
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

/// The errors of the coefficients allow for players who differ from their Elo: over many worlds, the projected cost of
/// moves scatters as the covariance says. With clusters by game alone it would scatter three times as much as that.
#[test]
fn errors_allow_for_players() {
    let spread = Spread {
        player: 250.0,
        ..Spread::NONE
    };
    let probe = games(&people(10, Spread::NONE, 7), 1, 40, Spread::NONE, 8);
    let start = Lines::new(standard(DEPTH));
    let found: Vec<[f64; 2]> = (0..40_u64)
        .into_par_iter()
        .map(|seed| {
            let choices = games(&people(24, spread, seed), 8, 15, spread, 700 + seed);
            let fit = ContinuousFit::new(&choices, &start, |_| true, &()).unwrap();
            // At 2250, where x is 0, slopes do not matter: six lines, then two constants.
            let ad = Measures::new(&probe, 0..probe.turns(), &fit.lines, 2250.0).ad;
            let mut by = DVector::zeros(14);
            for (feature, value) in ad.by_weight.iter().enumerate() {
                by[if feature < 6 {
                    2 * feature
                } else {
                    6 + feature
                }] = *value;
            }
            [ad.projected, by.dot(&(&fit.covariance * &by))]
        })
        .collect();
    let count = found.len() as f64;
    let mean = |i: usize| found.iter().map(|one| one[i]).sum::<f64>() / count;
    let squares: f64 = found.iter().map(|one| (one[0] - mean(0)).powi(2)).sum();
    let ratio = squares / (count - 1.0) / mean(1);
    println!("scatter {ratio}");
    assert!((0.5..=1.8).contains(&ratio), "{ratio}");
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
        assert!(effect.error < truth);
    }
}

/// Intervals for Elo cover the Elo of players outside the calibration, for one game and for eight; intervals for the
/// quality of play cover it in neither case.
#[test]
fn intervals_cover_new_people() {
    // The permanent strength of a player of known Elo depends on the player's effect alone, which so few players do
    // not determine: so it is given.
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

/// An Elo below the calibration's range is still combined with the games: how much they pull it up depends on its
/// distance from them.
#[test]
fn an_elo_out_of_range_is_combined() {
    let choices = games_of(&people(3, SPREAD, 11)[1], 8, 28, SPREAD, 12);
    let lowest = CALIBRATION.range()[0];
    let combined = |known| {
        let rated = CALIBRATION.rate(&choices, Some(known), 0.95).unwrap();
        rated.combined.unwrap()
    };
    let [at, below] = [lowest, lowest - 300.0].map(combined);
    // The share of the games in the estimate follows from the widths.
    let half = |level: f64| {
        let rated = CALIBRATION.rate(&choices, Some(lowest), level).unwrap();
        0.5 * (rated.combined.unwrap().high - rated.combined.unwrap().low)
    };
    assert!((half(0.95) - 0.5 * (below.high - below.low)).abs() < 1e-9);
    let player = CALIBRATION.effects.player.posterior_mean();
    let rest = (half(0.95) / 1.959_964).powi(2) / player;
    let moved = at.mean - below.mean;
    println!("300 Elo lower: {moved:.1} lower, {rest}");
    assert!((moved - 300.0 * rest).abs() < 1e-3, "{moved} {rest}");
    assert!(moved < 290.0, "{moved}");
}

/// Other games by players like those of the calibration agree with it; for players who play 150 Elo better than
/// their ratings, the offset is found, within an interval that allows for all effects.
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
    let check = CALIBRATION.held_against(&better, &()).unwrap();
    // Positive z means more agreement with the engine, by matches and by costs.
    let sum = |z: Vec<Option<f64>>| z.into_iter().flatten().sum::<f64>();
    assert!(sum(check.classes.iter().map(|it| it.z_mm).collect()) > 2.0);
    assert!(sum(check.classes.iter().map(|it| it.z_ad).collect()) > 2.0);
    let found = check.offsets[0];
    println!("{found:?}");
    assert!(found.low < 150.0 && 150.0 < found.high, "{found:?}");
    assert!(found.low > 0.0, "{found:?}");
    // Independent turns alone would make the interval narrower.
    let mut bare = CALIBRATION.clone();
    bare.effects = Default::default();
    let narrow = bare.held_against(&better, &()).unwrap().offsets[0];
    assert!(narrow.high - narrow.low < found.high - found.low);
}

/// Two games say nothing about the scatter of games, and ratings outside the calibration's range are not reported.
#[test]
fn too_little_to_check_by_is_left_out() {
    let two = games(&people(4, SPREAD, 74), 1, 120, SPREAD, 75);
    let check = CALIBRATION.held_against(&two, &()).unwrap();
    assert_eq!(check.games, 2);
    assert!(check.classes.iter().any(|class| class.games == 1));
    let z = |it: &ClassQuality| it.z_mm.is_some() || it.z_ad.is_some();
    assert!(!check.classes.iter().any(z) && check.rms_z.is_none());
    let one = games_of(&people(2, SPREAD, 74)[0], 1, 120, SPREAD, 76);
    let check = CALIBRATION.held_against(&one, &()).unwrap();
    assert!(check.situations.is_empty(), "{:?}", check.situations);
    let mut perfect = people(10, SPREAD, 77);
    for person in &mut perfect {
        person.effect = 3000.0;
    }
    let perfect = games(&perfect, 4, 25, SPREAD, 78);
    let check = CALIBRATION.held_against(&perfect, &()).unwrap();
    assert!(check.offsets.is_empty(), "{:?}", check.offsets);
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
    let rms_z = quality.rms_z.unwrap();
    assert!(rms_z.iter().all(|z| *z < 1.6), "{rms_z:?}");
    for bin in quality.reliability.iter().filter(|bin| bin.options > 2000) {
        let sd = (bin.projected / bin.options as f64).sqrt();
        assert!((bin.actual - bin.projected).abs() < 5.0 * sd, "{bin:?}");
    }
    let coverage = quality.coverage;
    println!("{coverage:?}");
    assert!((0.92..=0.98).contains(&coverage.single), "{coverage:?}");
    // All but the first and the last of the people have six games.
    assert_eq!((coverage.aggregates, coverage.fewest_games), (98, 6));
    assert!((0.90..=0.99).contains(&coverage.aggregate), "{coverage:?}");
    assert!((0.8..=1.25).contains(&coverage.aggregate_z), "{coverage:?}");
    assert!(coverage.aggregate_without_player <= coverage.aggregate);
    assert!(
        coverage.aggregate_open < coverage.single_open,
        "{coverage:?}"
    );
    assert!(
        coverage
            .aggregate_half_width
            .is_some_and(|half| (100.0..600.0).contains(&half))
    );
    assert!(
        quality
            .situations
            .iter()
            .all(|it| it.offset.abs() < 4.0 * it.error)
    );
}

/// As many honest players as the calibration says have a high z; in at most about five of 100 fields of 30 of them
/// somebody is labelled *watch* (fewer in this world, whose tail is lighter than the exponential one that is assumed
/// at the least); and a player who takes the engine's move as often as the report says would be detected is detected
/// as often as it says.
#[test]
fn screening_keeps_its_word() {
    const FIELDS: u64 = 100;
    const CHEATS: u64 = 2;
    let calibration = &*CALIBRATION;
    let fields: Vec<(Vec<f64>, [usize; 2])> = (0..FIELDS)
        .into_par_iter()
        .map(|field| {
            let all: Vec<Screenee> = people(30, SPREAD, 300 + field)
                .iter()
                .enumerate()
                .map(|(number, person)| Screenee {
                    name: person.player.name.clone(),
                    elo: person.player.rating(),
                    choices: games_of(person, 2, 30, SPREAD, 1000 * field + number as u64),
                })
                .collect();
            let screening = calibration.screen(&all);
            assert_eq!(screening.thresholds.players, 30);
            let z: Vec<f64> = screening.players.iter().filter_map(Screened::z).collect();
            // Other players, with more games, play the engine's first move in this many turns.
            let mut cheats = [0, 0];
            let mut random = ChaCha8Rng::seed_from_u64(field);
            for number in 0..CHEATS {
                let person =
                    &people(60, SPREAD, 600 + field)[((7 * field + 31 * number) % 60) as usize];
                let choices = games_of(person, 8, 25, SPREAD, 700_000 + 10 * field + number);
                let screen = |choices| {
                    let screenee = Screenee {
                        name: person.player.name.clone(),
                        elo: person.player.rating(),
                        choices,
                    };
                    let weighed = calibration.weigh(&screenee, &screening.thresholds);
                    weighed.unwrap().screened
                };
                let Some(share) = screen(choices.clone()).smallest_effect.engine_share else {
                    continue;
                };
                let played = (0..choices.turns())
                    .map(|turn| match random.random_bool(share) {
                        true => 0,
                        false => choices.turn(turn).played as u32,
                    })
                    .collect();
                let seen = screen(choices.with_choices(played)).label != Label::Normal;
                cheats[0] += usize::from(seen);
                cheats[1] += 1;
            }
            (z, cheats)
        })
        .collect();
    let above = |chance: f64| {
        let least = calibration.honest.z_of_chance(chance);
        let z = fields.iter().flat_map(|(z, _)| z);
        z.filter(|z| **z >= least).count() as f64 / (30 * FIELDS) as f64
    };
    let watch = calibration.thresholds(30).watch;
    let watched = |z: &[f64]| z.iter().any(|z| *z >= watch);
    let suspicious = fields.iter().filter(|(z, _)| watched(z)).count();
    let [seen, tried] = fields
        .iter()
        .fold([0, 0], |sum, (_, one)| [sum[0] + one[0], sum[1] + one[1]]);
    let [tenth, fiftieth] = [0.1, 0.02].map(above);
    println!("{tenth} {fiftieth}, {suspicious} of {FIELDS} fields, {seen} of {tried} cheats");
    // The tail was fitted to 98 people.
    assert!((0.05..=0.16).contains(&tenth), "{tenth}");
    assert!((0.002..=0.05).contains(&fiftieth), "{fiftieth}");
    assert!(suspicious <= 9, "{suspicious}");
    assert!(tried >= 100, "{tried}");
    let power = seen as f64 / tried as f64;
    assert!((0.72..=0.92).contains(&power), "{seen} of {tried}");
}

/// A player who plays as far above the rating as the report says would be detected is detected in about four cases out
/// of five.
#[test]
fn the_smallest_strength_is_seen() {
    let seen: Vec<bool> = (0..120_u64)
        .into_par_iter()
        .filter_map(|number| {
            let people = people(60, SPREAD, 800 + number);
            let mut person = people[(number % 40) as usize].clone();
            let screen = |choices| {
                let screenee = Screenee {
                    name: person.player.name.clone(),
                    elo: person.player.rating(),
                    choices,
                };
                CALIBRATION.screen(&[screenee]).players.remove(0)
            };
            let honest = screen(games_of(&person, 20, 25, SPREAD, number));
            person.effect += honest.smallest_effect.elo?;
            let stronger = games_of(&person, 20, 25, SPREAD, 5000 + number);
            let screenee = Screenee {
                name: honest.player,
                elo: person.player.rating(),
                choices: stronger,
            };
            let one = CALIBRATION.screen(&[screenee]).players.remove(0);
            Some(one.label != Label::Normal)
        })
        .collect();
    let found = seen.iter().filter(|seen| **seen).count();
    println!("{found} of {}", seen.len());
    assert!(seen.len() >= 80, "{}", seen.len());
    let power = found as f64 / seen.len() as f64;
    assert!((0.7..=0.95).contains(&power), "{found} of {}", seen.len());
}

/// A calibration that knows no honest players still has higher thresholds when more players are
/// screened.
#[test]
fn thresholds_rise_with_the_number_of_players() {
    let mut calibration = CALIBRATION.clone();
    calibration.honest = Honest::default();
    let one = calibration.thresholds(1);
    assert_eq!((one.watch, one.full_test), (2.5, 4.0));
    let many = calibration.thresholds(1000);
    // 1 - (1 - .05)^(1 / 1000) and 1 - (1 - .001)^(1 / 1000), by the normal distribution.
    assert!((many.watch - 3.884_4).abs() < 1e-3, "{many:?}");
    assert!((many.full_test - 4.753_3).abs() < 1e-3, "{many:?}");
    assert_eq!((many.chances, many.by_tail), ([None, None], None));
    calibration.honest.scatter = [1.2, 1.0, 1.5];
    let scattered = calibration.thresholds(1000);
    assert!(
        (scattered.watch - 1.5 * many.watch).abs() < 1e-9,
        "{scattered:?}"
    );
    let known = CALIBRATION.thresholds(30);
    assert!(known.watch < CALIBRATION.thresholds(1000).watch);
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

/// Two events together give the same result as one event with all their games.
#[test]
fn events_add_up() {
    let person = &people(5, SPREAD, 10)[3];
    let thresholds = CALIBRATION.thresholds(1);
    let weigh = |rounds| {
        let choices = some_games_of(person, rounds, 30, SPREAD, 1);
        let elo = person.player.rating();
        let name = person.player.name.clone();
        let event = Screenee { name, elo, choices };
        CALIBRATION.weigh(&event, &thresholds).unwrap()
    };
    let whole = weigh(0..9);
    let events = [0..4, 4..9].map(weigh);
    let both = CALIBRATION.combine(&events, &thresholds).unwrap();
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-9, "{a} {b}");
    for (both, whole) in both.evidence.iter().zip(&whole.evidence) {
        near(both.surplus, whole.surplus);
        near(both.turns, whole.turns);
        near(both.games, whole.games);
        near(both.slope, whole.slope);
        // The errors of the calibration are assumed to be the same in both events, which is the worst
        // case.
        assert!(both.calibration >= whole.calibration - 1e-9);
        assert!(both.calibration <= 1.1 * whole.calibration);
    }
    let (both, whole) = (both.screened, whole.screened);
    assert_eq!((both.games, both.turns), (9, 270));
    assert_eq!(
        (both.games, both.turns, both.label),
        (whole.games, whole.turns, whole.label)
    );
    for (both, whole) in [
        (both.mm, whole.mm),
        (both.equal, whole.equal),
        (both.ad, whole.ad),
    ] {
        near(both.actual, whole.actual);
        near(both.projected, whole.projected);
        near(both.sd, whole.sd);
    }
    near(both.z_mm.unwrap(), whole.z_mm.unwrap());
    near(both.z_equal.unwrap(), whole.z_equal.unwrap());
    near(both.z_ad.unwrap(), whole.z_ad.unwrap());
    let [both, whole] = [both, whole].map(|it| it.z().unwrap());
    assert!((both - whole).abs() < 0.02 * whole.abs(), "{both} {whole}");
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
    assert!(error.contains("too few for a calibration"), "{error}");
    let mut alike = people(60, SPREAD, 1);
    for person in &mut alike {
        person.player.elo = Some(2000);
    }
    let alike = games(&alike, 2, 30, SPREAD, 2);
    let error = recipe().calibrate(&alike, &()).unwrap_err().to_string();
    assert!(error.contains("2000 to 2000"), "{error}");
    // Lower-rated players play better: each as strong as 4400 minus the rating.
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
    // Everybody plays as 2200 does, whatever the rating.
    let mut equal = people(60, Spread::NONE, 1);
    for person in &mut equal {
        person.effect = 2200.0 - f64::from(person.player.elo.unwrap());
    }
    let equal = games(&equal, 2, 30, Spread::NONE, 2);
    let error = recipe().calibrate(&equal, &()).unwrap_err();
    assert!(
        matches!(error, CalibrateError::NoSlope(z) if z.abs() < 3.0),
        "{error}"
    );
    let nine = games_of(&people(2, SPREAD, 1)[0], 1, 9, SPREAD, 3);
    assert_eq!(
        CALIBRATION.rate(&nine, None, 0.95),
        Err(RateError::TooFewTurns { turns: 9 })
    );
    // With weights that overflow no rating agrees best; nine turns are too few even then.
    let mut endless = CALIBRATION.clone();
    let weights = vec![f64::MAX; endless.lines.coefficients().len()];
    endless.lines = endless.lines.with(weights);
    assert_eq!(
        endless.rate(&nine, None, 0.95),
        Err(RateError::TooFewTurns { turns: 9 })
    );
    let many = games_of(&people(2, SPREAD, 1)[0], 2, 30, SPREAD, 3);
    assert!(CALIBRATION.rate(&many, None, 0.95).is_ok());
    assert_eq!(
        endless.rate(&many, None, 0.95),
        Err(RateError::NotConverged)
    );
    let stop = Cancel::default();
    stop.cancel();
    let start = Lines::new(standard(DEPTH));
    let stopped = ContinuousFit::new(&CHOICES, &start, |_| true, &stop as &dyn Watch);
    assert!(matches!(stopped, Err(FitError::Stopped(_))));
}

/// Unnamed players are not merged; a rating of 0 counts as none.
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
