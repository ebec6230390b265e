//! Section 4: how much the Analyser and the Predator depend on their parameters.

use errare_choice::{Grid, Kappa, Preference, PriorShape, State};
use errare_core::Metric;
use errare_endgame::{Analyser, OpponentBelief, Oracle, PredatorDepth, TableView, prospects};
use shakmaty::{Chess, Color, Move, Position};

use super::{Computed, Error, Figure, FigureCurve, Finding, Lab, games};

/// E[c] of White after each of his moves in game 1.
fn estimates(oracle: &Oracle, kappa: Kappa, grid: &str) -> Result<Vec<f64>, Error> {
    let game = &games::browne_belle()[0];
    let grid = grid.parse().expect("grids are well written here");
    let mut white = Analyser::new(kappa, grid, &PriorShape::Uniform);
    let mut estimates = Vec::new();
    for (position, m) in game
        .plies()
        .filter(|(position, _)| position.turn() == Color::White)
    {
        let turn = oracle.turn(&position)?;
        if let Some(chosen) = turn.find(m) {
            white.observe(&turn, &turn.choices()[chosen]);
        }
        estimates.push(
            white
                .posterior()
                .summary()
                .map_or(f64::NAN, |estimate| estimate.mean),
        );
    }
    Ok(estimates)
}

/// The differences of some grids' estimates from those of the first.
fn differences(
    lab: &Lab<'_>,
    benchmark: &str,
    grids: &[(&str, &str)],
    y: &str,
) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let reference = estimates(&oracle, Kappa::ONE, benchmark)?;
    let mut curves = Vec::new();
    let mut last = Vec::new();
    for &(name, grid) in grids {
        lab.watch.check()?;
        let found = estimates(&oracle, Kappa::ONE, grid)?;
        let points: Vec<(f64, f64)> = found
            .iter()
            .zip(&reference)
            .enumerate()
            .map(|(m, (found, reference))| (m as f64 + 1.0, found - reference))
            .collect();
        last.push(format!(
            "{:.1e} ({name})",
            points.last().map_or(0.0, |point| point.1.abs())
        ));
        curves.push(FigureCurve {
            name: name.to_owned(),
            points,
        });
    }
    let figure = Figure {
        x: "move".to_owned(),
        y: y.to_owned(),
        curves,
        marks: Vec::new(),
        printed: Vec::new(),
    };
    Ok(vec![
        Finding::new("", Computed::Text(last.join(", "))).with(figure),
    ])
}

pub(super) fn figure_1(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let grids = [
        ("step 0.1", "0(0.1)50"),
        ("step 1", "0(1)50"),
        ("step 2", "0(2)50"),
        ("step 5", "0(5)50"),
        ("step 10", "0(10)50"),
    ];
    differences(lab, "0(0.01)50", &grids, "E[c] less that of the step 0.01")
}

pub(super) fn figure_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let grids = [
        ("up to 50", "0(1)50"),
        ("up to 90", "0(1)90"),
        ("up to 80", "0(1)80"),
        ("up to 70", "0(1)70"),
        ("up to 60", "0(1)60"),
        ("up to 40", "0(1)40"),
        ("up to 30", "0(1)30"),
    ];
    differences(lab, "0(1)100", &grids, "E[c] less that of c_max = 100")
}

pub(super) fn section_4_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let mut last = Vec::new();
    for kappa in ["0", "1", "2", "5"] {
        let kappa = kappa.parse().expect("kappas are well written here");
        last.extend(estimates(&oracle, kappa, "0(1)100")?.pop());
    }
    let choices = |kappa: &str| {
        let kappa = kappa.parse().expect("kappas are well written here");
        predator_choices(&oracle, kappa)
    };
    let usual = choices("1")?;
    let mut others = Vec::new();
    for kappa in ["0", "2", "5"] {
        let differ = choices(kappa)?
            .iter()
            .zip(&usual)
            .filter(|(a, b)| a != b)
            .count();
        let kappa = if kappa == "0" { "0+" } else { kappa };
        others.push(format!("{differ} (κ = {kappa})"));
    }
    let text = format!("{} of {} moves", others.join(", "), usual.len());
    Ok(vec![
        Finding::new("", Computed::yes(last.is_sorted_by(|a, b| a < b))),
        Finding::new("predator", Computed::Text(text)),
    ])
}

/// E[c] after the second game if BELLE had begun it with the posterior of the first, and with no knowledge.
pub(super) fn section_4_3(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let mut learned = Analyser::new(Kappa::ONE, grid("0(1)50"), &PriorShape::Uniform);
    let mut last = Vec::new();
    for game in games::browne_belle() {
        let mut alone = Analyser::new(Kappa::ONE, grid("0(1)50"), &PriorShape::Uniform);
        for (position, m) in game.plies() {
            if position.turn() == Color::White {
                let turn = oracle.turn(&position)?;
                if let Some(chosen) = turn.find(m) {
                    learned.observe(&turn, &turn.choices()[chosen]);
                    alone.observe(&turn, &turn.choices()[chosen]);
                }
            }
        }
        last = vec![mean(&alone), mean(&learned)];
    }
    let text = format!(
        "{:.2} knowing nothing, {:.2} after game 1",
        last[0], last[1]
    );
    Ok(vec![Finding::new("", Computed::Text(text))])
}

fn grid(text: &str) -> Grid {
    text.parse().expect("grids are well written here")
}

fn mean(analyser: &Analyser) -> f64 {
    let estimate = analyser.posterior().summary();
    estimate.map_or(f64::NAN, |estimate| estimate.mean)
}

/// Does the Predator keep to optimal moves, in DTC and in DTM; and how often do the metrics differ?
pub(super) fn section_4_4(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let conversion = lab.oracle("KQKR", Metric::Dtc)?;
    let mate = lab.oracle("KQKR", Metric::Dtm)?;
    let (mut different, mut positions) = (0, 0);
    for game in games::browne_belle() {
        for (position, _) in game.plies() {
            positions += 1;
            let sets = [&conversion, &mate].map(|oracle| optimal(oracle, &position));
            let [conversion, mate] = sets;
            different += usize::from(conversion? != mate?);
        }
    }
    let [by_conversion, by_mate] =
        [&conversion, &mate].map(|oracle| predator_choices(oracle, Kappa::ONE));
    let (by_conversion, by_mate) = (by_conversion?, by_mate?);
    let other = by_conversion
        .iter()
        .zip(&by_mate)
        .filter(|(a, b)| a.0 != b.0)
        .count();
    let other = format!("{other} of {} moves", by_mate.len());
    Ok(vec![
        Finding::new("dtc", astray(&by_conversion)),
        Finding::new("dtm", astray(&by_mate)),
        Finding::new("choices", Computed::Text(other)),
        Finding::new(
            "metrics",
            Computed::Text(format!("{different} of {positions} positions")),
        ),
    ])
}

/// The optimal moves.
fn optimal(oracle: &Oracle, position: &Chess) -> Result<Vec<Move>, Error> {
    let turn = oracle.turn(position)?;
    let optimal = turn
        .choices()
        .iter()
        .filter(|choice| turn.is_optimal(choice));
    Ok(optimal.map(|choice| choice.r#move).collect())
}

/// What the Predator, having observed White, would play for Black at each of BELLE's moves.
fn predator_choices(oracle: &Oracle, kappa: Kappa) -> Result<Vec<(Move, bool)>, Error> {
    let mut choices = Vec::new();
    for game in games::browne_belle() {
        let mut white = Analyser::new(kappa, grid("0(1)50"), &PriorShape::Uniform);
        for (position, m) in game.plies() {
            let turn = oracle.turn(&position)?;
            let Some(played) = turn.find(m) else { continue };
            if position.turn() == Color::White {
                white.observe(&turn, &turn.choices()[played]);
                continue;
            }
            let Some(belief) = OpponentBelief::learned(white.posterior()) else {
                continue;
            };
            let view = TableView {
                oracle,
                position: &position,
                turn: &turn,
            };
            let best = prospects(view, &belief, kappa, PredatorDepth::TWO, &())?[0].number;
            let choice = &turn.choices()[best];
            choices.push((choice.r#move, turn.is_optimal(choice)));
        }
    }
    Ok(choices)
}

/// Moves at which the Predator would leave the optimal ones.
fn astray(choices: &[(Move, bool)]) -> Computed {
    Computed::count(choices.iter().filter(|(_, optimal)| !optimal).count())
}

/// The requirements of appendix B on S_c, for c from -30 to 30 over the states of KQKR: the number of
/// violations.
pub(super) fn appendix_b(_: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    const DEEPEST: [u16; 2] = [31, 3];
    let preference = Preference::for_depths(Kappa::ONE, DEEPEST[0], DEEPEST[1]);
    let states: Vec<State> = (0..=DEEPEST[0])
        .map(State::Win)
        .chain([State::Draw])
        .chain((0..=DEEPEST[1]).rev().map(State::Loss))
        .collect();
    let s = |c: f64, state: State| (-c * preference.aversion(state)).exp();
    let mut failures = 0;
    for c in (-30..=30).map(f64::from) {
        let values: Vec<f64> = states.iter().map(|&state| s(c, state)).collect();
        failures += values
            .iter()
            .filter(|s| !(s.is_finite() && **s > 0.0))
            .count();
        failures += usize::from(!values.is_sorted_by(|a, b| c * (a - b) >= 0.0));
        if c > 0.0 {
            // F_j falls as c grows; W_c and L_c fall as the depth grows.
            let falls = |j: usize| {
                let ratio = |c| s(c, states[j + 1]) / s(c, states[j]);
                ratio(c + 1.0) < ratio(c)
            };
            failures += (0..states.len() - 1).filter(|&j| !falls(j)).count();
            let wins: Vec<f64> = values[..32]
                .windows(2)
                .map(|pair| pair[0] / pair[1])
                .collect();
            let losses: Vec<f64> = values[33..]
                .windows(2)
                .map(|pair| pair[0] / pair[1])
                .collect();
            failures += usize::from(!wins.is_sorted_by(|a, b| a > b));
            failures += usize::from(!losses.is_sorted_by(|a, b| a < b));
        }
    }
    let equal_draw = s(7.0, State::Draw) == s(7.0, State::Win(DEEPEST[0] + 1));
    failures += usize::from(!equal_draw);
    Ok(vec![Finding::new("", Computed::count(failures))])
}
