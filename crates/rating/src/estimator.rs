//! Estimators: three measures of how well an agent agrees with the choices made.
//!
//! - *Percentile*, the paper's: a turn puts the played move's probabilities [p-, p+] on a ruler from 0
//!   to 1. For each q of 0, .05, ... 1 let R_q be the mean of clip((q - p-) / (p+ - p-), 0, 1); an agent
//!   that fits has R_q = q. The objective is the sum of (R_q - q)^2.
//! - *Likelihood*: the mean of -ln p of the moves played.
//! - *mm/ad*: the distance of projected and actual first-move matches and average difference.
//!
//! Each turn adds to an [`EstimatorTally`]; the minimiser's inputs follow from the sum.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, section 6.

use std::{fmt, ops::Range, str::FromStr};

use errare_choice::{Agent, ChoiceProbabilities, Parameter};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::sample::{Observation, Sample};

/// Percentile points: q = 0, 1/20, ... 1.
pub(crate) const PERCENTILES: usize = 21;

/// The scales on which mm and ad are compared: near the standard deviations of one turn, and chosen to
/// agree with the reference data where c is given and both cannot be met.
const MM_SCALE: f64 = 0.5;
const AD_SCALE: f64 = 0.15;

/// Turns per task; fixed, so that results do not depend on the number of threads.
const CHUNK: usize = 128;

/// Up to this many turns are not worth several tasks.
const ALONE: usize = 512;

/// How an agent is compared with choices.
///
/// ```
/// use errare_rating::Estimator;
///
/// assert_eq!("mm_ad".parse(), Ok(Estimator::MmAd));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Estimator {
    /// The paper's.
    Percentile,
    /// Maximum likelihood.
    Likelihood,
    /// Matching of mm and ad.
    MmAd,
}

/// Returned when a name is not an estimator.
#[derive(Clone, Debug, thiserror::Error, PartialEq, Eq)]
#[error("'{0}' is not an estimator; the estimators are percentile, likelihood and mm_ad")]
pub struct EstimatorError(String);

impl fmt::Display for Estimator {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(match self {
            Estimator::Percentile => "percentile",
            Estimator::Likelihood => "likelihood",
            Estimator::MmAd => "mm_ad",
        })
    }
}

impl FromStr for Estimator {
    type Err = EstimatorError;

    fn from_str(text: &str) -> Result<Estimator, EstimatorError> {
        let named = |estimator: &Estimator| estimator.to_string() == text;
        let estimator = Estimator::ALL.into_iter().find(named);
        estimator.ok_or_else(|| EstimatorError(text.to_owned()))
    }
}

/// Sums over turns: values, and their slopes by the agent's parameters.
#[derive(Clone, Debug)]
pub(crate) struct EstimatorTally {
    /// The total weight of the turns.
    pub(crate) weight: f64,
    /// Percentile: R_q - q; likelihood: -ln p; mm/ad: projected minus actual, scaled.
    pub(crate) values: DVector<f64>,
    /// One row per value, one column per parameter.
    pub(crate) slopes: DMatrix<f64>,
    /// Fisher's information on the parameters, for the likelihood.
    pub(crate) information: DMatrix<f64>,
}

/// A local model of an objective: what a Newton step needs.
#[derive(Clone, Debug)]
pub(crate) struct Local {
    pub(crate) value: f64,
    pub(crate) gradient: DVector<f64>,
    /// Positive semidefinite: Gauss-Newton for sums of squares, Fisher's for the likelihood.
    pub(crate) curvature: DMatrix<f64>,
}

impl Estimator {
    /// All estimators, the paper's first.
    pub const ALL: [Estimator; 3] = [
        Estimator::Percentile,
        Estimator::Likelihood,
        Estimator::MmAd,
    ];

    fn values(self) -> usize {
        match self {
            Estimator::Percentile => PERCENTILES,
            Estimator::Likelihood => 1,
            Estimator::MmAd => 2,
        }
    }

    pub(crate) fn empty(self, parameters: usize) -> EstimatorTally {
        EstimatorTally {
            weight: 0.0,
            values: DVector::zeros(self.values()),
            slopes: DMatrix::zeros(self.values(), parameters),
            information: DMatrix::zeros(parameters, parameters),
        }
    }

    /// A tally for each of these ranges of turns, with each turn weighted.
    pub(crate) fn tallies(
        self,
        sample: &Sample,
        agent: &Agent,
        parameters: &[Parameter],
        ranges: &[(Range<usize>, f64)],
    ) -> Vec<EstimatorTally> {
        let tally = |choice: &mut ChoiceProbabilities, (range, weight): &(Range<usize>, f64)| {
            let mut tally = self.empty(parameters.len());
            for turn in range.clone() {
                choose(choice, sample, agent, turn, parameters);
                self.add(&mut tally, sample.turn(turn), choice, *weight);
            }
            tally
        };
        let tasks = ranges.par_iter();
        tasks
            .map_init(ChoiceProbabilities::default, tally)
            .collect()
    }

    /// The tally of all turns, or of these ranges with their weights.
    pub(crate) fn tally(
        self,
        sample: &Sample,
        agent: &Agent,
        parameters: &[Parameter],
        ranges: &[(Range<usize>, f64)],
    ) -> EstimatorTally {
        let turns: usize = ranges.iter().map(|(range, _)| range.len()).sum();
        let mut total = self.empty(parameters.len());
        if turns <= ALONE {
            let mut choice = ChoiceProbabilities::default();
            for (range, weight) in ranges {
                for turn in range.clone() {
                    choose(&mut choice, sample, agent, turn, parameters);
                    self.add(&mut total, sample.turn(turn), &choice, *weight);
                }
            }
            return total;
        }
        for tally in self.tallies(sample, agent, parameters, ranges) {
            total.add(&tally, 1.0);
        }
        total
    }

    fn add(
        self,
        tally: &mut EstimatorTally,
        turn: Observation,
        choice: &ChoiceProbabilities,
        weight: f64,
    ) {
        tally.weight += weight;
        match self {
            Estimator::Percentile => add_percentiles(tally, turn, choice, weight),
            Estimator::Likelihood => add_likelihood(tally, turn, choice, weight),
            Estimator::MmAd => add_mm_ad(tally, turn, choice, weight),
        }
    }

    /// The objective.
    pub(crate) fn value(self, tally: &EstimatorTally) -> f64 {
        match self {
            Estimator::Likelihood => tally.values[0] / tally.weight,
            Estimator::Percentile | Estimator::MmAd => {
                (&tally.values / tally.weight).norm_squared()
            }
        }
    }

    /// The objective near a point, in coordinates related to the agent's parameters by `chain`.
    pub(crate) fn local(self, tally: &EstimatorTally, chain: &DMatrix<f64>) -> Local {
        let values = &tally.values / tally.weight;
        let slopes = &tally.slopes * chain / tally.weight;
        match self {
            Estimator::Likelihood => Local {
                value: values[0],
                gradient: slopes.transpose().column(0).into_owned(),
                curvature: chain.transpose() * &tally.information * chain / tally.weight,
            },
            Estimator::Percentile | Estimator::MmAd => Local {
                value: values.norm_squared(),
                gradient: 2.0 * slopes.transpose() * &values,
                curvature: 2.0 * slopes.transpose() * &slopes,
            },
        }
    }

    /// The sum of the parts' contributions to the gradient by a single coordinate, and of their squares.
    pub(crate) fn pulls(self, parts: &[EstimatorTally], chain: &DMatrix<f64>) -> (f64, f64) {
        let mut whole = self.empty(chain.nrows());
        for part in parts {
            whole.add(part, 1.0);
        }
        let slopes = &whole.slopes * chain;
        let pull = |part: &EstimatorTally| match self {
            Estimator::Likelihood => (&part.slopes * chain)[0],
            Estimator::Percentile | Estimator::MmAd => slopes.dot(&part.values),
        };
        let pulls = parts.iter().map(pull);
        pulls.fold((0.0, 0.0), |(sum, squares), pull| {
            (sum + pull, squares + pull * pull)
        })
    }

    /// The contribution of a few turns to the gradient of the whole, from which its variance follows.
    pub(crate) fn score(
        self,
        part: &EstimatorTally,
        whole: &EstimatorTally,
        chain: &DMatrix<f64>,
    ) -> DVector<f64> {
        match self {
            Estimator::Likelihood => (&part.slopes * chain).transpose().column(0).into_owned(),
            Estimator::Percentile | Estimator::MmAd => {
                let slopes = &whole.slopes * chain / whole.weight;
                let surplus = &part.values - &whole.values * (part.weight / whole.weight);
                2.0 * slopes.transpose() * surplus
            }
        }
    }
}

impl EstimatorTally {
    pub(crate) fn add(&mut self, other: &EstimatorTally, weight: f64) {
        self.weight += weight * other.weight;
        self.values.axpy(weight, &other.values, 1.0);
        self.slopes += &other.slopes * weight;
        self.information += &other.information * weight;
    }
}

/// All turns of a sample in ranges of convenient size, each of weight 1.
pub(crate) fn chunks(sample: &Sample) -> Vec<(Range<usize>, f64)> {
    let starts = (0..sample.turns()).step_by(CHUNK);
    let chunk = |start| (start..sample.turns().min(start + CHUNK), 1.0);
    starts.map(chunk).collect()
}

/// Computes an agent's choice in a turn of a sample.
pub(crate) fn choose(
    choice: &mut ChoiceProbabilities,
    sample: &Sample,
    agent: &Agent,
    turn: usize,
    parameters: &[Parameter],
) {
    if agent.weights.is_empty() {
        choice.make(agent, &[sample.log_costs(turn, 0)], parameters);
    } else {
        let levels = 0..sample.levels();
        let levels: Vec<&[f64]> = levels.map(|level| sample.log_costs(turn, level)).collect();
        choice.make(agent, &levels, parameters);
    }
}

fn add_percentiles(
    tally: &mut EstimatorTally,
    turn: Observation,
    choice: &ChoiceProbabilities,
    weight: f64,
) {
    let p = choice.probabilities();
    let below: f64 = p[..turn.played].iter().sum();
    // An impossible move has no width; avoid dividing by zero.
    let width = p[turn.played].max(f64::MIN_POSITIVE);
    let parameters = tally.slopes.ncols();
    for (i, value) in tally.values.iter_mut().enumerate() {
        let q = i as f64 / (PERCENTILES - 1) as f64;
        *value += weight * (((q - below) / width).clamp(0.0, 1.0) - q);
    }
    for parameter in 0..parameters {
        let slopes = choice.slopes(parameter);
        let each = p.iter().zip(slopes).take(turn.played);
        let by_below: f64 = each.map(|(p, slope)| p * slope).sum();
        let by_width = slopes[turn.played];
        let mut column = tally.slopes.column_mut(parameter);
        for (i, slope) in column.iter_mut().enumerate() {
            let q = i as f64 / (PERCENTILES - 1) as f64;
            let part = (q - below) / width;
            if part > 0.0 && part < 1.0 {
                *slope -= weight * (by_below / width + part * by_width);
            }
        }
    }
}

fn add_likelihood(
    tally: &mut EstimatorTally,
    turn: Observation,
    choice: &ChoiceProbabilities,
    weight: f64,
) {
    tally.values[0] -= weight * choice.log_probability(turn.played);
    let p = choice.probabilities();
    for row in 0..tally.slopes.ncols() {
        let slopes = choice.slopes(row);
        tally.slopes[(0, row)] -= weight * slopes[turn.played];
        for column in 0..=row {
            let each = p.iter().zip(slopes).zip(choice.slopes(column));
            let information: f64 = each.map(|((p, one), other)| p * one * other).sum();
            tally.information[(row, column)] += weight * information;
            if row != column {
                tally.information[(column, row)] += weight * information;
            }
        }
    }
}

fn add_mm_ad(
    tally: &mut EstimatorTally,
    turn: Observation,
    choice: &ChoiceProbabilities,
    weight: f64,
) {
    let p = choice.probabilities();
    let matched = if turn.played == 0 { 1.0 } else { 0.0 };
    let expected: f64 = p.iter().zip(turn.costs).map(|(p, cost)| p * cost).sum();
    let (mm, ad) = (weight / MM_SCALE, weight / AD_SCALE);
    tally.values[0] += mm * (p[0] - matched);
    tally.values[1] += ad * (expected - turn.costs[turn.played]);
    for parameter in 0..tally.slopes.ncols() {
        let slopes = choice.slopes(parameter);
        let each = p.iter().zip(slopes).zip(turn.costs);
        let by_expected: f64 = each.map(|((p, slope), cost)| p * slope * cost).sum();
        tally.slopes[(0, parameter)] += mm * p[0] * slopes[0];
        tally.slopes[(1, parameter)] += ad * by_expected;
    }
}
