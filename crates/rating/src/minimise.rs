//! Minimisation of a smooth function of a few parameters: Levenberg and Marquardt's damped steps,
//! within a box. Says whether it arrived.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use crate::estimator::Local;

/// Steps below this, in logarithms of parameters, are none.
pub(crate) const SMALLEST_STEP: f64 = 1e-7;
const MAX_STEPS: usize = 200;
/// The damping at which no step is left to try.
const MAX_DAMPING: f64 = 1e12;
/// The damping to begin with: hardly any, since starts are good.
const DAMPING: f64 = 1e-4;
/// No parameter moves farther than this in one step.
const LONGEST_STEP: f64 = 1.5;

/// How a minimisation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Convergence {
    /// At a minimum.
    Converged,
    /// At the edge of what a parameter may be: the data have no optimum within.
    AtBound,
    /// Somewhere else: steps or precision ran out.
    NotConverged,
}

/// Where a minimisation ended.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    pub(crate) at: DVector<f64>,
    pub(crate) local: Local,
    pub(crate) steps: usize,
    pub(crate) convergence: Convergence,
}

/// Minimises within the box, from `start`, where the function may be known already, until steps are
/// smaller than `smallest`.
pub(crate) fn minimise(
    start: DVector<f64>,
    bounds: &[(f64, f64)],
    known: Option<Local>,
    smallest: f64,
    mut function: impl FnMut(&DVector<f64>) -> Local,
) -> Minimum {
    let mut at = start;
    let mut local = known.unwrap_or_else(|| function(&at));
    let mut damping = DAMPING;
    for steps in 0..MAX_STEPS {
        let Some(step) = damped_step(&at, &local, bounds, damping) else {
            return end(at, local, steps, bounds, Convergence::NotConverged);
        };
        let small = step.amax() < smallest;
        let there = &at + &step;
        let next = function(&there);
        if next.value <= local.value {
            (at, local) = (there, next);
            damping = (damping / 10.0).max(1e-12);
        } else if !small {
            damping *= 10.0;
            if damping > MAX_DAMPING {
                return end(at, local, steps, bounds, Convergence::NotConverged);
            }
        }
        if small {
            return end(at, local, steps + 1, bounds, Convergence::Converged);
        }
    }
    end(at, local, MAX_STEPS, bounds, Convergence::NotConverged)
}

/// The step of Newton with some of the curvature's diagonal added. Parameters at a bound that
/// would leave the box stay where they are.
fn damped_step(
    at: &DVector<f64>,
    local: &Local,
    bounds: &[(f64, f64)],
    damping: f64,
) -> Option<DVector<f64>> {
    let leaves = |i: &usize| {
        let (low, high) = bounds[*i];
        let slope = local.gradient[*i];
        !(at[*i] <= low && slope > 0.0 || at[*i] >= high && slope < 0.0)
    };
    let free: Vec<usize> = (0..at.len()).filter(leaves).collect();
    let mut step = DVector::zeros(at.len());
    if free.is_empty() {
        return Some(step);
    }
    let mut curvature = DMatrix::from_fn(free.len(), free.len(), |row, column| {
        local.curvature[(free[row], free[column])]
    });
    for i in 0..free.len() {
        curvature[(i, i)] += damping * curvature[(i, i)] + f64::MIN_POSITIVE;
    }
    let gradient = DVector::from_fn(free.len(), |row, _| local.gradient[free[row]]);
    let newton = curvature.cholesky()?.solve(&gradient);
    if !newton.iter().all(|value| value.is_finite()) {
        return None;
    }
    let shrink = (LONGEST_STEP / newton.amax()).min(1.0);
    for (row, &i) in free.iter().enumerate() {
        let (low, high) = bounds[i];
        step[i] = (at[i] - shrink * newton[row]).clamp(low, high) - at[i];
    }
    Some(step)
}

fn end(
    at: DVector<f64>,
    local: Local,
    steps: usize,
    bounds: &[(f64, f64)],
    convergence: Convergence,
) -> Minimum {
    let at_bound = at.iter().zip(bounds).any(|(at, (low, high))| at <= low || at >= high);
    let convergence = if at_bound && convergence == Convergence::Converged {
        Convergence::AtBound
    } else {
        convergence
    };
    Minimum {
        at,
        local,
        steps,
        convergence,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least_squares(residuals: &[f64], slopes: &[f64]) -> Local {
        let r = DVector::from_column_slice(residuals);
        let j = DMatrix::from_row_slice(residuals.len(), slopes.len() / residuals.len(), slopes);
        Local {
            value: r.norm_squared(),
            gradient: 2.0 * j.transpose() * r,
            curvature: 2.0 * j.transpose() * &j,
        }
    }

    /// Rosenbrock's valley.
    fn valley(x: &DVector<f64>) -> Local {
        let residuals = [10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]];
        least_squares(&residuals, &[-20.0 * x[0], 10.0, -1.0, 0.0])
    }

    #[test]
    fn a_bent_valley_is_followed_to_its_end() {
        let start = DVector::from_vec(vec![-1.2, 1.0]);
        let minimum = minimise(start, &[(-5.0, 5.0); 2], None, SMALLEST_STEP, valley);
        assert_eq!(minimum.convergence, Convergence::Converged);
        assert!((minimum.at[0] - 1.0).abs() < 1e-8 && (minimum.at[1] - 1.0).abs() < 1e-8);
    }

    #[test]
    fn an_optimum_outside_the_box_is_not_hidden() {
        let start = DVector::from_vec(vec![-1.2, 1.0]);
        let minimum = minimise(start, &[(-5.0, 0.5), (-5.0, 5.0)], None, SMALLEST_STEP, valley);
        assert_eq!(minimum.convergence, Convergence::AtBound);
        assert!((minimum.at[0] - 0.5).abs() < 1e-12 && (minimum.at[1] - 0.25).abs() < 1e-6);
    }

    #[test]
    fn a_function_without_sense_does_not_converge() {
        let nothing = |_: &DVector<f64>| least_squares(&[f64::NAN], &[f64::NAN]);
        let start = DVector::from_vec(vec![0.0]);
        let minimum = minimise(start, &[(-1.0, 1.0)], None, SMALLEST_STEP, nothing);
        assert_eq!(minimum.convergence, Convergence::NotConverged);
    }
}
