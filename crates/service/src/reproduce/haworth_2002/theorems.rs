//! Theorems 1 to 7, checked numerically in KQKR.

use errare_choice::{Kappa, probabilities};
use errare_core::{Metric, Outcome};
use errare_endgame::{ChainState, Predictor, Turn, Values, Weighting};
use errare_tables::{Layer, Scan};
use shakmaty::Color;

use super::{Computed, Error, Figure, FigureCurve, Finding, Lab};
use crate::reproduce::lab::material;

/// The number of positions checked for a theorem.
const SAMPLE: usize = 2000;
/// The sampling interval of stored positions, so that the sample is spread over the board.
const STEP: usize = 499;
/// Neighbouring competences to compare.
const COMPETENCES: [f64; 9] = [-10.0, -3.0, 0.0, 1.0, 3.0, 10.0, 20.0, 40.0, 80.0];
/// A c large enough to represent the limit.
const LIMIT: f64 = 1e5;
const ROUNDING: f64 = 1e-9;

/// R_c's expected depth after its move.
fn expected(turn: &Turn, weights: impl Fn(usize) -> f64, c: f64) -> f64 {
    let mut options = Weighting::keeping_value().options(turn, Kappa::ZERO);
    for (number, option) in options.iter_mut().enumerate() {
        option.1 *= weights(number);
    }
    let chances = probabilities(options, c);
    let depths = turn
        .choices()
        .iter()
        .map(|choice| choice.state.depth().map_or(0.0, f64::from));
    depths
        .zip(chances)
        .map(|(depth, chance)| depth * chance)
        .sum()
}

/// The number of checked positions that violate theorem 1, 2, 3, 4 or 5.
pub(super) fn theorem(lab: &Lab<'_>, number: u8) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let scan = Scan::new(
        oracle.prober().store(),
        material("KQKR"),
        Layer::Metric(Metric::Dtc),
    )?;
    let loser = matches!(number, 1 | 2);
    let wanted = |outcome: Outcome| match number {
        5 => outcome.sign() != 0,
        _ => outcome.sign() == if loser { -1 } else { 1 },
    };
    let mut exceptions = 0;
    let mut seen = 0;
    let positions = scan.positions().step_by(STEP);
    for entry in
        positions.filter(|entry| entry.as_ref().map_or(true, |(_, outcome)| wanted(*outcome)))
    {
        lab.watch.check()?;
        let (position, outcome) = entry?;
        if seen == SAMPLE {
            break;
        }
        let turn = oracle.turn(&position)?;
        // With κ = 0+ a mate or conversion has an infinite preference, and the theorems do not cover depth 0.
        if turn.choices().is_empty() || turn.best().and_then(|best| best.depth()) == Some(0) {
            continue;
        }
        seen += 1;
        let sign = f64::from(outcome.sign());
        let holds = match number {
            2 | 4 => {
                let limit = turn
                    .best()
                    .and_then(|best| best.depth())
                    .map_or(0.0, f64::from);
                (expected(&turn, |_| 1.0, LIMIT) - limit).abs() < 1e-6
            }
            _ => {
                let weight = |m: usize| match number {
                    5 => ((m * 7 + seen) % 5) as f64 + 0.1,
                    _ => 1.0,
                };
                let depths = COMPETENCES.map(|c| expected(&turn, weight, c));
                depths.is_sorted_by(|less, more| sign * (less - more) >= -ROUNDING)
            }
        };
        exceptions += usize::from(!holds);
    }
    Ok(vec![Finding::new("", Computed::count(exceptions))])
}

pub(super) fn theorem_6(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let predictor = Predictor::new(&oracle, material("KQKR"), Kappa::ONE, Values::Kept)?;
    let mut exceptions = 0;
    for (mover, sign) in [(Color::White, 1.0), (Color::Black, -1.0)] {
        let matrices = predictor.matrices(mover, &COMPETENCES, &lab.quiet())?;
        for depth in 1..=31u16 {
            let after = matrices.iter().map(|matrix| {
                let row = matrix.row(ChainState::Win(depth)).iter();
                row.take(32)
                    .enumerate()
                    .map(|(to, p)| p * to as f64)
                    .sum::<f64>()
            });
            let ordered = after.is_sorted_by(|less, more| sign * (less - more) >= -ROUNDING);
            exceptions += usize::from(!ordered);
        }
    }
    Ok(vec![Finding::new("", Computed::count(exceptions))])
}

/// c* of theorem 7, and the expected depth after a move over the depth before it.
pub(super) fn theorem_7(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let predictor = Predictor::new(&oracle, material("KQKR"), Kappa::ONE, Values::Kept)?;
    // The second half: from one depth more, one is still expected to be above i.
    let beyond = predictor.matrices(Color::White, &[20.0, 30.0, 50.0], &lab.quiet())?;
    let falls_short = |i: &u16| {
        let depths = beyond.iter().map(|matrix| matrix.expected_depth(i + 1));
        depths.into_iter().any(|depth| depth <= f64::from(*i))
    };
    let short = (1..=30).filter(falls_short).count();
    let progresses = |c: f64| -> Result<bool, Error> {
        let matrix = &predictor.matrices(Color::White, &[c], &lab.quiet())?[0];
        Ok((1..=31).all(|depth| matrix.expected_depth(depth) < f64::from(depth)))
    };
    let (mut low, mut high) = (0.0, 50.0);
    while high - low > 0.005 {
        lab.watch.check()?;
        let c = f64::midpoint(low, high);
        if progresses(c)? { high = c } else { low = c }
    }
    let competences = [10.0, 19.1, 30.0];
    let matrices = predictor.matrices(Color::White, &competences, &lab.quiet())?;
    let curves = competences
        .iter()
        .zip(matrices)
        .map(|(c, matrix)| FigureCurve {
            name: format!("c = {c}"),
            points: (1..=31)
                .map(|depth| {
                    (
                        f64::from(depth),
                        matrix.expected_depth(depth) - f64::from(depth),
                    )
                })
                .collect(),
        });
    let figure = Figure {
        x: "depth".to_owned(),
        y: "expected change of depth by White's move".to_owned(),
        curves: curves.collect(),
        marks: Vec::new(),
        printed: Vec::new(),
    };
    Ok(vec![
        Finding::new("", Computed::Text(format!("c* = {high:.1}"))).with(figure),
        Finding::new("second-half", Computed::count(short)),
    ])
}
