//! The continuous fit from its definition: plain sums over turns and options, plain gradient ascent, and the covariance
//! from pairs of stretches.

use errare_rating::continuous::{Choices, ContinuousFit, Lines, RIDGE, Stretch, standard};
use nalgebra::{DMatrix, DVector};

use crate::{
    continuous::SPREAD,
    world::{DEPTH, Spread, games, people},
};

/// The slope of the penalised log-likelihood by its definition, turn by turn and option by option.
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

/// Plain gradient ascent, with momentum and an independently written slope, ends at the same point.
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
        // Momentum that leads downhill is dropped.
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

/// The slope of the log-likelihood of a stretch by the coefficients, and minus its curvature, from the features of
/// each option by coefficient: six lines are twelve columns, then two constants.
fn plain_local(
    choices: &Choices,
    stretch: &Stretch,
    at: &DVector<f64>,
) -> (DVector<f64>, DMatrix<f64>) {
    let x = (stretch.elo.unwrap() - 2250.0) / 450.0;
    let (mut slope, mut curvature) = (DVector::zeros(14), DMatrix::zeros(14, 14));
    for turn in stretch.turns.clone() {
        let turn = choices.turn(turn);
        let options = turn.costs.len();
        let seen = |option: usize| {
            let value = |feature: usize| turn.features[feature * options + option];
            let lines = (0..6).flat_map(|feature| [value(feature), x * value(feature)]);
            DVector::from_iterator(14, lines.chain([value(6), value(7)]))
        };
        let powers: Vec<f64> = (0..options)
            .map(|option| seen(option).dot(at).exp())
            .collect();
        let sum: f64 = powers.iter().sum();
        let mean: DVector<f64> = (0..options)
            .map(|option| seen(option) * powers[option] / sum)
            .sum();
        for (option, power) in powers.iter().enumerate() {
            let off = seen(option) - &mean;
            curvature += &off * off.transpose() * *power / sum;
        }
        slope += seen(turn.played) - mean;
    }
    (slope, curvature)
}

/// The covariance of the coefficients agrees with its definition: between two inverse curvatures, the products of the
/// scores of any two stretches that share a game or a player.
#[test]
fn errors_are_those_of_their_definition() {
    let choices = games(&people(60, SPREAD, 5), 3, 10, SPREAD, 6);
    let start = Lines::new(standard(DEPTH));
    let fit = ContinuousFit::new(&choices, &start, |_| true, &()).unwrap();
    let at = DVector::from_column_slice(fit.lines.coefficients());
    let stretches = choices.stretches();
    let mut curvature = DMatrix::from_diagonal_element(14, 14, RIDGE);
    let mut scores = Vec::new();
    for stretch in stretches {
        let (slope, curved) = plain_local(&choices, stretch, &at);
        scores.push(slope);
        curvature += curved;
    }
    let mut squares = DMatrix::zeros(14, 14);
    for (one, score) in stretches.iter().zip(&scores) {
        for (other, theirs) in stretches.iter().zip(&scores) {
            if one.game == other.game || one.player == other.player {
                squares += score * theirs.transpose();
            }
        }
    }
    let inverse = curvature.try_inverse().unwrap();
    let plain = &inverse * squares * &inverse;
    assert!(
        plain.symmetric_eigenvalues().min() > 0.0,
        "nothing has to be set to zero in this sample"
    );
    for (i, j) in (0..14).flat_map(|i| (0..14).map(move |j| (i, j))) {
        let (ours, theirs) = (fit.covariance[(i, j)], plain[(i, j)]);
        let scale = (plain[(i, i)] * plain[(j, j)]).sqrt();
        assert!(
            (ours - theirs).abs() < 1e-6 * scale,
            "{i}, {j}: {ours} {theirs}"
        );
    }
}
