//! Reliability of predicted probabilities, and confidence bands of the weights.

use errare_choice::Softmax;

use super::{
    super::{calibration::Calibration, choices::Choices, lines::Lines},
    QualityPoint, Reliability,
    folds::part_of_game,
    hundred,
};

/// Boundaries of the probability classes.
const RELIABILITY: [f64; 12] = [
    0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 1.0,
];

/// Predicted probabilities against observed frequencies, in held-out games.
pub(in super::super) fn reliability(choices: &Choices, by_game: &[Lines]) -> Vec<Reliability> {
    let mut bins: Vec<Reliability> = RELIABILITY
        .windows(2)
        .map(|ends| Reliability {
            low: ends[0],
            high: ends[1],
            ..Reliability::default()
        })
        .collect();
    let mut choice = Softmax::default();
    for stretch in choices.stretches() {
        let Some(elo) = stretch.elo else { continue };
        let weights = by_game[part_of_game(stretch)].weights(elo);
        for turn in stretch.turns.clone() {
            let turn = choices.turn(turn);
            choice.make(turn.features, &weights);
            for (option, p) in choice.probabilities().iter().enumerate() {
                let bin = bins.iter().position(|bin| *p <= bin.high);
                let bin = &mut bins[bin.unwrap_or(RELIABILITY.len() - 2)];
                bin.options += 1;
                bin.projected += p;
                bin.actual += f64::from(u8::from(option == turn.played));
            }
        }
    }
    bins.retain(|bin| bin.options > 0);
    for bin in &mut bins {
        bin.projected /= bin.options as f64;
        bin.actual /= bin.options as f64;
    }
    bins
}

/// The weights at multiples of a hundred Elo.
pub(in super::super) fn curves(calibration: &Calibration) -> Vec<QualityPoint> {
    let [lowest, highest] = calibration.calibrated().map(hundred);
    let mut points = Vec::new();
    for (i, feature) in calibration.lines.features().iter().enumerate() {
        for elo in (lowest..=highest).step_by(100).map(f64::from) {
            let mut one = vec![0.0; calibration.lines.features().len()];
            one[i] = 1.0;
            let weight = calibration.lines.weights(elo)[i];
            let band = 2.0 * calibration.variance_of(&one, elo).sqrt();
            points.push(QualityPoint {
                feature: feature.name(),
                elo,
                weight,
                low: weight - band,
                high: weight + band,
            });
        }
    }
    points
}
