//! Minimises a smooth function of a few parameters by Levenberg-Marquardt steps within a box, and
//! reports whether it converged.

use argmin::{
    core::{CostFunction, Executor, State},
    solver::neldermead::NelderMead,
};
use errare_core::Stopped;
use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::estimator::Local;

/// The search ends with a step smaller than this, in logarithms of parameters.
pub(crate) const SMALLEST_STEP: f64 = 1e-7;
const MAX_STEPS: usize = 200;
/// The damping at which steps lead nowhere: at a kink, where slopes jump.
const MAX_DAMPING: f64 = 1e4;
/// The number of trials to escape from a kink.
const TRIALS: u64 = 1000;
/// The size of the first trials, relative to the scale of the objective.
const FIRST_TRIAL: f64 = 1e-2;
/// The spread of the last trials, on the same scale.
const PRECISION: f64 = 1e-10;
/// The initial damping: small, since starting points are good.
const DAMPING: f64 = 1e-4;
/// The smallest damping that changes a step noticeably.
const NOTICEABLE_DAMPING: f64 = 0.1;
/// The largest change of a parameter in one step.
const LONGEST_STEP: f64 = 1.5;

/// How a minimisation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Convergence {
    /// At a minimum.
    Converged,
    /// At the limit of a parameter: there is no optimum within the box.
    AtBound,
    /// Elsewhere: steps or precision ran out.
    NotConverged,
}

/// The result of a minimisation.
#[derive(Clone, Debug)]
pub(crate) struct Minimum {
    pub(crate) at: DVector<f64>,
    pub(crate) local: Local,
    pub(crate) steps: usize,
    pub(crate) convergence: Convergence,
    /// Not converged because slopes jump here.
    pub(crate) stalled: bool,
}

/// Minimises within the box, from `start`, where the function may already be known, until steps are
/// smaller than `smallest`. The function may stop it.
pub(crate) fn minimise(
    start: DVector<f64>,
    bounds: &[(f64, f64)],
    known: Option<Local>,
    smallest: f64,
    mut function: impl FnMut(&DVector<f64>) -> Result<Local, Stopped>,
) -> Result<Minimum, Stopped> {
    let mut at = start;
    let mut local = known.map_or_else(|| function(&at), Ok)?;
    let mut damping = DAMPING;
    for steps in 0..MAX_STEPS {
        let Some(step) = damped_step(&at, &local, bounds, damping) else {
            return Ok(end(at, local, steps, bounds, Convergence::NotConverged));
        };
        let small = step.amax() < smallest;
        let there = &at + &step;
        let next = function(&there)?;
        if next.value <= local.value {
            (at, local) = (there, next);
            damping = (damping / 10.0).max(1e-12);
        } else if !small {
            damping = (damping * 10.0).max(NOTICEABLE_DAMPING);
        }
        if small && damping <= 1.0 {
            return Ok(end(at, local, steps + 1, bounds, Convergence::Converged));
        }
        if small || damping > MAX_DAMPING {
            let minimum = end(at, local, steps + 1, bounds, Convergence::NotConverged);
            return Ok(Minimum {
                stalled: true,
                ..minimum
            });
        }
    }
    Ok(end(at, local, MAX_STEPS, bounds, Convergence::NotConverged))
}

/// Continues from a kink by comparing values only: the Nelder-Mead method, in coordinates that make
/// the curvature isotropic. `None` if it does not converge or is stopped.
pub(crate) fn polish(
    from: &Minimum,
    bounds: &[(f64, f64)],
    value: impl Fn(&DVector<f64>) -> Result<f64, Stopped>,
) -> Option<DVector<f64>> {
    let axes = round_axes(&from.local)? * (FIRST_TRIAL * from.local.value).sqrt();
    let around = Around {
        from: &from.at,
        axes,
        bounds,
        value,
    };
    let dimensions = from.at.len();
    let mut simplex = vec![vec![0.0; dimensions]; dimensions + 1];
    for axis in 0..dimensions {
        simplex[axis + 1][axis] = 1.0;
    }
    let solver = NelderMead::new(simplex).with_sd_tolerance(PRECISION * from.local.value);
    let search = Executor::new(&around, solver.ok()?).configure(|state| state.max_iters(TRIALS));
    let found = search.run().ok()?;
    let converged = found.state().get_iter() < TRIALS;
    let best = found.state().get_best_param().filter(|_| converged)?;
    Some(around.point(best))
}

/// A function in coordinates relative to a point and axes.
struct Around<'a, F> {
    from: &'a DVector<f64>,
    axes: DMatrix<f64>,
    bounds: &'a [(f64, f64)],
    value: F,
}

impl<F> Around<'_, F> {
    fn point(&self, steps: &[f64]) -> DVector<f64> {
        let mut at = self.from + &self.axes * DVector::from_column_slice(steps);
        for (at, (low, high)) in at.iter_mut().zip(self.bounds) {
            *at = at.clamp(*low, *high);
        }
        at
    }
}

impl<F: Fn(&DVector<f64>) -> Result<f64, Stopped>> CostFunction for &Around<'_, F> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, steps: &Vec<f64>) -> Result<f64, argmin::core::Error> {
        Ok((self.value)(&self.point(steps))?)
    }
}

/// Conjugate steps along which the objective changes by about 1.
fn round_axes(local: &Local) -> Option<DMatrix<f64>> {
    let half = 0.5 * &local.curvature;
    let root = half.cholesky()?.l().transpose();
    root.try_inverse()
}

/// A Newton step with some of the curvature's diagonal added. Parameters at a bound that would
/// leave the box stay fixed.
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
    let at_bound = at
        .iter()
        .zip(bounds)
        .any(|(at, (low, high))| at <= low || at >= high);
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
        stalled: false,
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

    /// Rosenbrock's function.
    fn valley(x: &DVector<f64>) -> Result<Local, Stopped> {
        let residuals = [10.0 * (x[1] - x[0] * x[0]), 1.0 - x[0]];
        Ok(least_squares(&residuals, &[-20.0 * x[0], 10.0, -1.0, 0.0]))
    }

    #[test]
    fn a_bent_valley_is_followed_to_its_end() {
        let start = DVector::from_vec(vec![-1.2, 1.0]);
        let minimum = minimise(start, &[(-5.0, 5.0); 2], None, SMALLEST_STEP, valley).unwrap();
        assert_eq!(minimum.convergence, Convergence::Converged);
        assert!((minimum.at[0] - 1.0).abs() < 1e-8 && (minimum.at[1] - 1.0).abs() < 1e-8);
    }

    /// |x| + |x - y|, as sums of squares of their roots near the kinks.
    fn crease(x: &DVector<f64>) -> Result<Local, Stopped> {
        let (one, other) = (x[0] - 0.3, x[0] - x[1]);
        Ok(Local {
            value: one.abs() + other.abs(),
            gradient: DVector::from_vec(vec![one.signum() + other.signum(), -other.signum()]),
            curvature: DMatrix::identity(2, 2),
        })
    }

    #[test]
    fn kinks_are_noticed_and_overcome() {
        let start = DVector::from_vec(vec![-1.2, 1.0]);
        let bounds = [(-5.0, 5.0); 2];
        let stalled = minimise(start, &bounds, None, SMALLEST_STEP, crease).unwrap();
        assert!(stalled.stalled && stalled.convergence == Convergence::NotConverged);
        let polished = polish(&stalled, &bounds, |x| Ok(crease(x)?.value)).unwrap();
        assert!(polished.add_scalar(-0.3).amax() < 1e-4, "{polished}");
    }

    #[test]
    fn an_optimum_outside_the_box_is_not_hidden() {
        let start = DVector::from_vec(vec![-1.2, 1.0]);
        let minimum = minimise(
            start,
            &[(-5.0, 0.5), (-5.0, 5.0)],
            None,
            SMALLEST_STEP,
            valley,
        )
        .unwrap();
        assert_eq!(minimum.convergence, Convergence::AtBound);
        assert!((minimum.at[0] - 0.5).abs() < 1e-12 && (minimum.at[1] - 0.25).abs() < 1e-6);
    }

    #[test]
    fn a_function_without_sense_does_not_converge() {
        let nothing = |_: &DVector<f64>| Ok(least_squares(&[f64::NAN], &[f64::NAN]));
        let start = DVector::from_vec(vec![0.0]);
        let minimum = minimise(start, &[(-1.0, 1.0)], None, SMALLEST_STEP, nothing).unwrap();
        assert_eq!(minimum.convergence, Convergence::NotConverged);
    }

    #[test]
    fn a_search_stops_when_it_is_told_to() {
        let mut left = 3;
        let impatient = |x: &DVector<f64>| {
            left -= 1;
            if left == 0 { Err(Stopped) } else { valley(x) }
        };
        let start = DVector::from_vec(vec![-1.2, 1.0]);
        let minimum = minimise(start, &[(-5.0, 5.0); 2], None, SMALLEST_STEP, impatient);
        assert!(matches!(minimum, Err(Stopped)));
        assert_eq!(left, 0, "nothing is evaluated after that");
    }
}
