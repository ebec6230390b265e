//! Sections 2, 5, 6.2 and 6.3: the Markov model of KQKR.

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{Chain, ChainState, Predictor, Values};
use shakmaty::Color;

use super::{Computed, Error, Figure, FigureCurve, Finding, Lab};
use crate::reproduce::lab::material;

const COMPETENCES: [f64; 3] = [20.0, 21.0, 22.0];

pub(super) fn section_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let [white, black] = oracle.deepest_wins(material("KQKR"))?;
    // Wins and losses of each depth, 0 included, and the draw.
    let states = usize::from(white) + 1 + usize::from(black) + 1 + 1;
    Ok(vec![
        Finding::new("white", Computed::count(white.into())),
        Finding::new("black", Computed::count(black.into())),
        Finding::new("states", Computed::count(states)),
    ])
}

/// The chains of R_20, R_21 and R_22 against the infallible Black.
fn chains(lab: &Lab<'_>) -> Result<Vec<Chain>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let predictor = Predictor::new(&oracle, material("KQKR"), Kappa::ONE, Values::Kept)?;
    Ok(predictor.chains(Color::White, &COMPETENCES, f64::INFINITY, &lab.quiet())?)
}

fn figure(y: &str, values: &[Vec<f64>], scale: f64, printed: &[f64]) -> Figure {
    let curves = COMPETENCES
        .iter()
        .zip(values)
        .map(|(c, values)| FigureCurve {
            name: format!("c = {c}"),
            points: (1..=31)
                .map(|depth| (depth as f64, scale * values[depth]))
                .collect(),
        });
    Figure {
        x: "depth".to_owned(),
        y: y.to_owned(),
        curves: curves.collect(),
        marks: Vec::new(),
        printed: printed.iter().map(|value| (31.0, *value)).collect(),
    }
}

pub(super) fn figure_5(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let lengths: Vec<Vec<f64>> = chains(lab)?.iter().map(Chain::expected_moves).collect();
    let mut figure = Some(figure(
        "expected moves to conversion",
        &lengths,
        1.0,
        &[97.20, 83.70, 74.16],
    ));
    let mut findings: Vec<Finding> = COMPETENCES
        .iter()
        .zip(&lengths)
        .map(|(c, lengths)| {
            let mut finding = Finding::new(format!("c={c}"), Computed::Number(lengths[31]));
            finding.figure = figure.take();
            finding
        })
        .collect();
    let steps = lengths[0].windows(2).map(|pair| pair[1] - pair[0]);
    let hardest = (1..=31).zip(steps).max_by(|a, b| a.1.total_cmp(&b.1));
    let between = hardest.is_some_and(|(depth, _)| (17..=26).contains(&depth));
    findings.push(Finding::new("barrier", Computed::yes(between)));
    Ok(findings)
}

/// (I - M) L = U: the relative error of the expected moves, and whether every row sums to 1.
pub(super) fn section_5(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let predictor = Predictor::new(&oracle, material("KQKR"), Kappa::ONE, Values::Kept)?;
    let seen =
        predictor.matrices_and_chains(Color::White, &COMPETENCES, f64::INFINITY, &lab.quiet())?;
    let (mut residual, mut rows) = (0.0_f64, 0);
    for (matrix, chain) in &seen {
        let lengths = chain.expected_moves();
        for depth in 1..=31_u16 {
            let row = matrix.row(ChainState::Win(depth));
            let onward: f64 = row.iter().zip(&lengths).skip(1).map(|(p, l)| p * l).sum();
            let length = lengths[usize::from(depth)];
            residual = residual.max((length - onward - 1.0).abs() / length);
            rows += usize::from((row.iter().sum::<f64>() - 1.0).abs() > 1e-12);
        }
    }
    Ok(vec![
        Finding::new("residual", Computed::yes(residual < 1e-12)),
        Finding::new("rows", Computed::count(rows)),
    ])
}

/// The c for which the chain expects the experiment's mean length.
pub(super) fn section_6_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    /// The printed mean of the 2,000 games.
    const MEAN: f64 = 95.60;
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let predictor = Predictor::new(&oracle, material("KQKR"), Kappa::ONE, Values::Kept)?;
    let (mut low, mut high) = (20.0, 22.0);
    while high - low > 1e-3 {
        lab.watch.check()?;
        let c = f64::midpoint(low, high);
        let chains = predictor.chains(Color::White, &[c], f64::INFINITY, &lab.quiet())?;
        if chains[0].expected_moves()[31] > MEAN {
            low = c;
        } else {
            high = c;
        }
    }
    Ok(vec![Finding::new("", Computed::Number(low))])
}

pub(super) fn figure_6(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let chances: Vec<Vec<f64>> = chains(lab)?
        .iter()
        .map(|chain| chain.win_within(50))
        .collect();
    let figure = figure("won within 50 moves (%)", &chances, 100.0, &[12.67]);
    let found = Computed::Number(100.0 * chances[0][31]);
    Ok(vec![Finding::new("", found).with(figure)])
}
