//! A simulated world of honest players: ratings have honest intervals, and nobody is suspected more
//! often than by chance.

use std::sync::LazyLock;

use errare_choice::{Agent, Curve, Link};
use errare_engine::EngineKey;
use errare_rating::{
    AgentCalibration, AgentRecipe, AgentScreenee, Estimator, Label, Point, Projection, RatedSample,
    Sample, StraightLine,
};
use rayon::prelude::*;

use crate::positions::{play, positions};

/// The agent of a rating in this world: c as in the paper's table, and s such that its line from
/// projected ad to Elo holds in these positions.
fn agent(elo: f64) -> Agent {
    let x = (elo - 2150.0) / 550.0;
    Agent::of_paper(
        0.1708 - 0.0685 * x - 0.0049 * x * x,
        0.513 + (elo - 2700.0) * 7e-5,
    )
}

fn recipe(estimator: Estimator) -> AgentRecipe {
    AgentRecipe {
        engine: EngineKey::new("Simulated 1", "", 10),
        curve: Curve::InverseExponential,
        link: Link::LogLog,
        estimator,
    }
}

/// Calibrates on 2,000 turns at each milepost from 1600 to 2700.
fn calibrate(estimator: Estimator) -> AgentCalibration {
    let classes: Vec<(u16, Sample)> = (16..=27_u16)
        .map(|hundreds| {
            let milepost = hundreds * 100;
            let turns = positions(2000, milepost.into());
            (milepost, play(&turns, &agent(milepost.into()), 1000))
        })
        .collect();
    let players: Vec<RatedSample> = (0..200)
        .map(|number| {
            let elo = 1700.0 + 4.0 * number as f64;
            let sample = play(&positions(60, 5000 + number), &agent(elo), number);
            RatedSample { elo, sample }
        })
        .collect();
    recipe(estimator)
        .calibrate(&classes, &players, &())
        .unwrap()
}

static CALIBRATION: LazyLock<AgentCalibration> = LazyLock::new(|| calibrate(Estimator::Likelihood));

/// Players from 1700 to 2600 with 200 turns each.
fn players(count: u64) -> Vec<(f64, Sample)> {
    (0..count)
        .into_par_iter()
        .map(|number| {
            let elo = 1700.0 + 900.0 * number as f64 / count as f64;
            (
                elo,
                play(&positions(200, 10_000 + number), &agent(elo), number),
            )
        })
        .collect()
}

#[test]
fn calibration_finds_the_world_again() {
    let calibration = &*CALIBRATION;
    // s and c separately are poorly determined; the cost of an agent's moves is not.
    let turns = positions(1000, 99);
    let ad = |agent: &Agent| Projection::new(&turns, agent).ad.projected;
    for elo in [1700.0, 2000.0, 2300.0, 2600.0] {
        let (ours, truth) = (calibration.agent(elo), agent(elo));
        let off = 13663.0 * (ad(&ours) - ad(&truth));
        assert!(off.abs() < 40.0, "{elo}: {off} {ours:?} {truth:?}");
        assert!(
            (ours.c / truth.c - 1.0).abs() < 0.1,
            "{elo}: {} {}",
            ours.c,
            truth.c
        );
    }
    assert!(calibration.reference_line.slope < 0.0);
    let inflation = calibration.inflation;
    assert_eq!(inflation.players, 200);
    assert!(inflation.mm < 1.12 && inflation.ad < 1.12, "{inflation:?}");
    let text = serde_json::to_string(calibration).unwrap();
    assert_eq!(AgentCalibration::from_json(&text).unwrap(), *calibration);
}

/// The share of intervals that contain the true rating, and the mean error of estimates.
fn coverage(calibration: &AgentCalibration, players: &[(f64, Sample)]) -> (f64, f64) {
    let rated: Vec<(bool, f64)> = players
        .par_iter()
        .map(|(elo, sample)| {
            let rating = calibration.rate(sample, 0.95).unwrap();
            (rating.low <= *elo && *elo <= rating.high, rating.mean - elo)
        })
        .collect();
    let count = rated.len() as f64;
    let share = rated.iter().filter(|one| one.0).count() as f64 / count;
    (share, rated.iter().map(|one| one.1).sum::<f64>() / count)
}

#[test]
fn intervals_cover_the_truth() {
    let (share, bias) = coverage(&CALIBRATION, &players(1000));
    println!("{share} covered, bias {bias:.0}");
    assert!((0.93..=0.97).contains(&share), "{share}");
    assert!(bias.abs() < 30.0, "{bias}");
}

/// By percentiles ratings are less certain, and their intervals too wide rather than too narrow.
#[test]
fn intervals_by_percentiles_are_cautious() {
    let (share, _) = coverage(&calibrate(Estimator::Percentile), &players(200));
    println!("{share} covered");
    assert!((0.93..=0.995).contains(&share), "{share}");
}

/// The z of 2,000 honest players are standard normal: mean 0, standard deviation 1, and as many
/// beyond 1.96 and 2.58 as there should be.
#[test]
fn z_are_standard_normal() {
    let players = players(2000);
    let projections: Vec<Projection> = players
        .par_iter()
        .map(|(elo, sample)| Projection::new(sample, &agent(*elo)))
        .collect();
    for (name, z) in [
        (
            "mm",
            projections
                .iter()
                .map(|one| one.mm.z())
                .collect::<Vec<f64>>(),
        ),
        (
            "equal",
            projections.iter().map(|one| one.equal.z()).collect(),
        ),
        ("ad", projections.iter().map(|one| one.ad.z()).collect()),
    ] {
        let count = z.len() as f64;
        let mean = z.iter().sum::<f64>() / count;
        let sd = (z.iter().map(|z| z * z).sum::<f64>() / count).sqrt();
        let beyond = |limit: f64| z.iter().filter(|z| z.abs() > limit).count() as f64 / count;
        println!(
            "{name}: mean {mean:.3}, sd {sd:.3}, {:.4} {:.4}",
            beyond(1.96),
            beyond(2.58)
        );
        assert!(mean.abs() < 0.067, "{name}: {mean}");
        assert!((0.95..1.05).contains(&sd), "{name}: {sd}");
        assert!((0.035..0.065).contains(&beyond(1.96)), "{name}");
        assert!((0.003..0.018).contains(&beyond(2.58)), "{name}");
    }
}

#[test]
fn screening_leaves_honest_players_alone_and_sees_aid() {
    let calibration = &*CALIBRATION;
    let mut all: Vec<AgentScreenee> = players(100)
        .into_iter()
        .enumerate()
        .map(|(number, (elo, sample))| AgentScreenee {
            name: format!("Player {number}"),
            elo: Some(elo),
            games: 7,
            sample,
        })
        .collect();
    let honest = calibration.screen(&all);
    assert_eq!(honest.thresholds.players, 100);
    let labelled = |label| {
        honest
            .players
            .iter()
            .filter(|one| one.label == label)
            .count()
    };
    assert_eq!(labelled(Label::FullTest), 0);
    assert!(labelled(Label::Watch) <= 1);

    let aided = play(&positions(250, 77), &agent(3100.0), 78);
    let few = play(&positions(20, 79), &agent(3300.0), 80);
    for (name, elo, sample) in [
        ("Aided", Some(1900.0), aided.clone()),
        ("Few", Some(1900.0), few),
        ("Unrated", None, aided),
    ] {
        all.push(AgentScreenee {
            name: name.to_owned(),
            elo,
            games: 8,
            sample,
        });
    }
    let screening = calibration.screen(&all);
    assert_eq!(screening.players[0].player, "Aided");
    assert_eq!(screening.players[0].label, Label::FullTest);
    assert!(screening.players[0].z_mm > Some(0.0) && screening.players[0].z_ad > Some(0.0));
    let few = screening
        .players
        .iter()
        .find(|one| one.player == "Few")
        .unwrap();
    assert_eq!((few.label, few.warnings.len()), (Label::TooFewTurns, 1));
    // Who cannot be tested does not raise the thresholds for the others.
    assert_eq!(screening.thresholds.players, 101);
    assert_eq!(screening.unscreened, ["Unrated"]);
}

#[test]
fn calibrations_refuse_what_they_are_not_for() {
    let calibration = &*CALIBRATION;
    assert!(calibration.must_fit(&calibration.engine).is_ok());
    let deeper = calibration.engine.at_depth(12);
    let error = calibration.must_fit(&deeper).unwrap_err().to_string();
    assert!(
        error.contains("depth 10") && error.contains("depth 12"),
        "{error}"
    );
    assert!(AgentCalibration::from_json("{}").is_err());
    let mut other = calibration.clone();
    other.version = 99;
    let text = serde_json::to_string(&other).unwrap();
    assert!(
        AgentCalibration::from_json(&text)
            .unwrap_err()
            .to_string()
            .contains("version 99")
    );
    let mut damaged = calibration.clone();
    damaged.table.swap(0, 1);
    let text = serde_json::to_string(&damaged).unwrap();
    assert!(AgentCalibration::from_json(&text).is_err());
}

#[test]
fn one_class_is_no_calibration() {
    let class = play(&positions(300, 1), &agent(2000.0), 2);
    let error = recipe(Estimator::Likelihood).calibrate(&[(2000, class)], &[], &());
    assert!(error.unwrap_err().to_string().contains("two mileposts"));
}

/// A perfect player gets the calibration's upper limit, with an open interval.
#[test]
fn perfection_has_no_upper_end() {
    let rating = CALIBRATION.rate(&positions(100, 3), 0.95).unwrap();
    assert!(
        rating.open && rating.high == CALIBRATION.range()[1],
        "{rating:?}"
    );
    assert!(CALIBRATION.rate(&Sample::default(), 0.95).is_err());
}

/// The line of the paper's table, 3439 - 13663 ad with rms 44, holds in this world, so the tests
/// are close to reality.
#[test]
fn the_world_is_like_the_papers() {
    let turns = positions(3000, 9);
    let point = |hundreds: i32| Point {
        x: Projection::new(&turns, &agent(100.0 * f64::from(hundreds)))
            .ad
            .projected,
        y: 100.0 * f64::from(hundreds),
        error: 1.0,
    };
    let points: Vec<Point> = (16..=27).map(point).collect();
    let line = StraightLine::through(&points).unwrap();
    assert!((line.slope / -13663.0 - 1.0).abs() < 0.02, "{line:?}");
    assert!(
        (line.intercept - 3439.0).abs() < 20.0 && line.rms < 10.0,
        "{line:?}"
    );
}
