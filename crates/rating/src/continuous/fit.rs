//! Fits lines to choices: maximum likelihood by Newton's method.
//!
//! The likelihood is concave, so the optimum is unique, and Newton's method, with steps halved where they
//! would overshoot, finds it. A small ridge keeps the solution finite where features do not vary.

use errare_choice::Softmax;
use errare_core::{Fault, FaultKind, Stopped, Watch};
use nalgebra::{DMatrix, DVector};
use rayon::prelude::*;

use super::{
    choices::{Choices, Stretch},
    lines::{Lines, x_of},
    sandwich,
};

/// The ridge: half of this times the squared coefficients is added to the total loss.
pub const RIDGE: f64 = 0.005;
/// The maximum number of steps; about ten are usual from zero, three from nearby.
const STEPS: usize = 50;
/// The search ends with a step smaller than this, in standard errors.
const SMALLEST_STEP: f64 = 1e-8;
/// Stretches per task.
const CHUNK: usize = 16;

/// Why lines were not fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FitError {
    /// There are no turns of rated players.
    #[error("there are no turns of rated players to fit to")]
    NoTurns,
    /// The search does not converge.
    #[error("the search for the best weights does not converge")]
    NotConverged,
    /// The watcher stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl Fault for FitError {
    fn kind(&self) -> FaultKind {
        match self {
            FitError::NoTurns => FaultKind::BadRequest,
            FitError::NotConverged => FaultKind::Internal,
            FitError::Stopped(stopped) => stopped.kind(),
        }
    }
}

/// Lines fitted to choices.
#[derive(Clone, Debug)]
pub struct ContinuousFit {
    /// The lines.
    pub lines: Lines,
    /// The mean of -ln p of the moves played.
    pub log_loss: f64,
    /// Turns.
    pub turns: usize,
    /// The number of steps taken.
    pub steps: usize,
    /// The covariance of the coefficients, from the scatter of games and players.
    pub covariance: DMatrix<f64>,
}

/// Sums over turns, from which slopes and curvatures by the coefficients follow.
struct Tally {
    turns: usize,
    loss: f64,
    /// Slopes by weights, times 1 and x.
    slopes: [Vec<f64>; 2],
    /// Curvatures by weights, times 1, x and x squared.
    curvatures: [Vec<f64>; 3],
}

impl ContinuousFit {
    /// Fits lines to the stretches of rated players that satisfy a predicate, starting from the
    /// coefficients of `start`.
    pub fn new(
        choices: &Choices,
        start: &Lines,
        which: impl Fn(&Stretch) -> bool,
        watch: &dyn Watch,
    ) -> Result<ContinuousFit, FitError> {
        let used: Vec<&Stretch> = choices
            .stretches()
            .iter()
            .filter(|it| it.elo.is_some() && !it.turns.is_empty() && which(it))
            .collect();
        if used.is_empty() {
            return Err(FitError::NoTurns);
        }
        let mut lines = start.clone();
        let mut tally = Tally::new(choices, &used, &lines, watch)?;
        for steps in 1..=STEPS {
            let (gradient, curvature) = tally.local(&lines);
            let solver = curvature.cholesky().ok_or(FitError::NotConverged)?;
            let mut step = solver.solve(&gradient);
            let before = penalised(tally.loss, &lines);
            // Twice the predicted decrease, and the squared length of the step in standard errors.
            let promise = gradient.dot(&step);
            loop {
                let at = DVector::from_column_slice(lines.coefficients()) + &step;
                let next = lines.with(at.as_slice().to_vec());
                let there = Tally::new(choices, &used, &next, watch)?;
                let gained = before - penalised(there.loss, &next);
                if gained >= -1e-9 * before.abs() {
                    (lines, tally) = (next, there);
                    break;
                }
                step *= 0.5;
                if step.amax() < 1e-15 {
                    return Err(FitError::NotConverged);
                }
            }
            if promise.max(0.0).sqrt() < SMALLEST_STEP {
                let covariance = covariance(choices, &used, &lines, &tally)?;
                return Ok(ContinuousFit {
                    log_loss: tally.loss / tally.turns as f64,
                    turns: tally.turns,
                    steps,
                    covariance,
                    lines,
                });
            }
        }
        Err(FitError::NotConverged)
    }
}

fn penalised(loss: f64, lines: &Lines) -> f64 {
    let squares: f64 = lines.coefficients().iter().map(|it| it * it).sum();
    loss + 0.5 * RIDGE * squares
}

/// The covariance of the coefficients.
fn covariance(
    choices: &Choices,
    used: &[&Stretch],
    lines: &Lines,
    tally: &Tally,
) -> Result<DMatrix<f64>, FitError> {
    let (_, curvature) = tally.local(lines);
    let solver = curvature.cholesky().ok_or(FitError::NotConverged)?;
    let scores: Vec<DVector<f64>> = used
        .par_iter()
        .map(|stretch| Tally::of(choices, &[stretch], lines).score(lines))
        .collect();
    Ok(sandwich::covariance(used, &scores, &solver.inverse()))
}

impl Tally {
    fn new(
        choices: &Choices,
        used: &[&Stretch],
        lines: &Lines,
        watch: &dyn Watch,
    ) -> Result<Tally, Stopped> {
        let parts: Vec<Tally> = used
            .par_chunks(CHUNK)
            .map(|chunk| {
                watch.check()?;
                Ok(Tally::of(choices, chunk, lines))
            })
            .collect::<Result<_, Stopped>>()?;
        let whole = Tally::empty(lines.features().len());
        Ok(parts.iter().fold(whole, Tally::merge))
    }

    fn empty(features: usize) -> Tally {
        Tally {
            turns: 0,
            loss: 0.0,
            slopes: std::array::from_fn(|_| vec![0.0; features]),
            curvatures: std::array::from_fn(|_| vec![0.0; features * features]),
        }
    }

    fn of(choices: &Choices, stretches: &[&Stretch], lines: &Lines) -> Tally {
        let features = lines.features().len();
        let mut whole = Tally::empty(features);
        let mut choice = Softmax::default();
        let mut slopes = vec![0.0; features];
        let mut curvatures = vec![0.0; features * features];
        for stretch in stretches {
            let elo = stretch.elo.expect("only rated players are fitted");
            let weights = lines.weights(elo);
            slopes.fill(0.0);
            curvatures.fill(0.0);
            for turn in stretch.turns.clone() {
                let turn = choices.turn(turn);
                choice.make(turn.features, &weights);
                whole.loss -= choice.log_probability(turn.played);
                let rows = turn.features.chunks_exact(turn.costs.len());
                for ((slope, row), mean) in slopes.iter_mut().zip(rows).zip(choice.means()) {
                    *slope += row[turn.played] - mean;
                }
                choice.add_covariances(turn.features, &mut curvatures);
            }
            whole.turns += stretch.turns.len();
            let x = x_of(elo);
            for (sums, factor) in whole.slopes.iter_mut().zip([1.0, x]) {
                add(sums, &slopes, factor);
            }
            for (sums, factor) in whole.curvatures.iter_mut().zip([1.0, x, x * x]) {
                add(sums, &curvatures, factor);
            }
        }
        whole
    }

    fn merge(mut self, other: &Tally) -> Tally {
        self.turns += other.turns;
        self.loss += other.loss;
        for (sums, more) in self.slopes.iter_mut().zip(&other.slopes) {
            add(sums, more, 1.0);
        }
        for (sums, more) in self.curvatures.iter_mut().zip(&other.curvatures) {
            add(sums, more, 1.0);
        }
        self
    }

    /// The slope of the log-likelihood by the coefficients.
    fn score(&self, lines: &Lines) -> DVector<f64> {
        let mut score = DVector::zeros(lines.coefficients().len());
        for (i, &(at, slope)) in lines.places().iter().enumerate() {
            score[at] = self.slopes[0][i];
            if let Some(slope) = slope {
                score[slope] = self.slopes[1][i];
            }
        }
        score
    }

    /// The slope of the penalised log-likelihood by the coefficients, and minus its curvature.
    fn local(&self, lines: &Lines) -> (DVector<f64>, DMatrix<f64>) {
        let at = DVector::from_column_slice(lines.coefficients());
        let gradient = self.score(lines) - RIDGE * &at;
        let mut curvature = DMatrix::from_diagonal_element(at.len(), at.len(), RIDGE);
        let places = lines.places();
        let count = places.len();
        for (i, &(at, slope)) in places.iter().enumerate() {
            for (j, &(other_at, other_slope)) in places.iter().enumerate() {
                let value = |power: usize| self.curvatures[power][i.min(j) * count + i.max(j)];
                curvature[(at, other_at)] += value(0);
                if let Some(other_slope) = other_slope {
                    curvature[(at, other_slope)] += value(1);
                }
                if let Some(slope) = slope {
                    curvature[(slope, other_at)] += value(1);
                    if let Some(other_slope) = other_slope {
                        curvature[(slope, other_slope)] += value(2);
                    }
                }
            }
        }
        (gradient, curvature)
    }
}

fn add(sums: &mut [f64], more: &[f64], factor: f64) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += factor * more;
    }
}
