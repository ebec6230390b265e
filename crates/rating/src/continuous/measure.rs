//! Measures of the choices made, beside the model's projections: matches, costs, quality.
//!
//! A measure gives each option a value v. Over some turns it has an actual sum, a projected sum, the variance
//! of the latter if turns are independent, and its covariances with the features, which say how the
//! projection changes with the weights.

use std::ops::Range;

use errare_choice::Softmax;

use super::{choices::Choices, lines::Lines};
use crate::Compared;

/// One measure over some turns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measure {
    /// The sum over the options chosen.
    pub actual: f64,
    /// Its expected value.
    pub projected: f64,
    /// Its variance if turns are independent.
    pub variance: f64,
    /// The derivatives of `projected` by the weights of the features.
    pub by_weight: Vec<f64>,
}

/// All measures over some turns, at one rating.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measures {
    /// Turns.
    pub turns: usize,
    /// The sum of -ln p of the chosen options.
    pub loss: f64,
    /// Choices of the engine's first move.
    pub mm: Measure,
    /// Choices of a move of the best value.
    pub equal: Measure,
    /// The scaled cost of the choices.
    pub ad: Measure,
    /// The derivative of the utility by x: `actual` minus `projected` is the score of the rating, and the
    /// variance is its information.
    pub quality: Measure,
}

impl Measure {
    fn new(features: usize) -> Measure {
        Measure {
            by_weight: vec![0.0; features],
            ..Measure::default()
        }
    }

    /// The actual minus the projected value.
    #[must_use]
    pub fn surplus(&self) -> f64 {
        self.actual - self.projected
    }

    /// The means over so many turns.
    pub(super) fn compared(&self, turns: usize) -> Compared {
        let turns = turns as f64;
        Compared {
            actual: self.actual / turns,
            projected: self.projected / turns,
            sd: self.variance.sqrt() / turns,
        }
    }

    /// The derivative of `projected` by x.
    pub(super) fn slope(&self, lines: &Lines) -> f64 {
        let each = self.by_weight.iter().zip(lines.slopes());
        each.map(|(by, slope)| by * slope).sum()
    }

    fn turn(&mut self, choice: &Softmax, features: &[f64], values: &[f64], played: usize) {
        let mean: f64 = choice
            .probabilities()
            .iter()
            .zip(values)
            .map(|(p, value)| p * value)
            .sum();
        self.actual += values[played];
        self.projected += mean;
        self.variance += choice.covariance(values, values).max(0.0);
        let rows = features.chunks_exact(values.len());
        for ((sum, row), feature_mean) in self.by_weight.iter_mut().zip(rows).zip(choice.means()) {
            let each = choice.probabilities().iter().zip(row).zip(values);
            let product: f64 = each.map(|((p, x), value)| p * x * value).sum();
            *sum += product - feature_mean * mean;
        }
    }

    /// The quality measure alone, used to search for ratings.
    pub(super) fn of_quality(
        choices: &Choices,
        turns: Range<usize>,
        lines: &Lines,
        elo: f64,
    ) -> Measure {
        let weights = lines.weights(elo);
        let slopes = lines.slopes();
        let mut quality = Measure::new(choices.features());
        let mut choice = Softmax::default();
        let mut values = Vec::new();
        for turn in turns {
            let turn = choices.turn(turn);
            choice.make(turn.features, &weights);
            qualities(turn.features, &slopes, turn.costs.len(), &mut values);
            quality.turn(&choice, turn.features, &values, turn.played);
        }
        quality
    }

    fn add(&mut self, other: &Measure) {
        self.actual += other.actual;
        self.projected += other.projected;
        self.variance += other.variance;
        for (sum, more) in self.by_weight.iter_mut().zip(&other.by_weight) {
            *sum += more;
        }
    }
}

impl Measures {
    pub(super) fn none(features: usize) -> Measures {
        Measures {
            turns: 0,
            loss: 0.0,
            mm: Measure::new(features),
            equal: Measure::new(features),
            ad: Measure::new(features),
            quality: Measure::new(features),
        }
    }

    /// The measures of some turns, with projections for a rating.
    #[must_use]
    pub fn new(choices: &Choices, turns: Range<usize>, lines: &Lines, elo: f64) -> Measures {
        let weights = lines.weights(elo);
        let slopes = lines.slopes();
        let mut all = Measures::none(choices.features());
        let mut choice = Softmax::default();
        let mut values = Vec::new();
        for turn in turns {
            let turn = choices.turn(turn);
            let options = turn.costs.len();
            choice.make(turn.features, &weights);
            all.turns += 1;
            all.loss -= choice.log_probability(turn.played);
            all.ad.turn(&choice, turn.features, turn.costs, turn.played);
            values.clear();
            values.resize(options, 0.0);
            values[0] = 1.0;
            all.mm.turn(&choice, turn.features, &values, turn.played);
            values[..turn.tops].fill(1.0);
            all.equal.turn(&choice, turn.features, &values, turn.played);
            qualities(turn.features, &slopes, options, &mut values);
            all.quality
                .turn(&choice, turn.features, &values, turn.played);
        }
        all
    }

    pub(super) fn add(&mut self, other: &Measures) {
        self.turns += other.turns;
        self.loss += other.loss;
        self.mm.add(&other.mm);
        self.equal.add(&other.equal);
        self.ad.add(&other.ad);
        self.quality.add(&other.quality);
    }
}

/// The derivative of each option's utility by x.
fn qualities(features: &[f64], slopes: &[f64], options: usize, values: &mut Vec<f64>) {
    values.clear();
    values.resize(options, 0.0);
    for (row, slope) in features.chunks_exact(options).zip(slopes) {
        for (value, x) in values.iter_mut().zip(row) {
            *value += slope * x;
        }
    }
}
