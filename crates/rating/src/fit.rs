//! Fits: the agent that agrees best with the choices in a sample, with standard errors.

use std::ops::Range;

use errare_choice::{Agent, Link, Parameter};
use errare_core::{Stopped, Watch};
use nalgebra::{DMatrix, DVector};

use crate::{
    estimator::{Estimator, EstimatorTally, Local, chunks},
    minimise::{Convergence, Minimum, SMALLEST_STEP, minimise, polish},
    model::{AgentModel, Family, Free},
    sample::Sample,
};

/// Why a fit is not possible.
#[derive(Clone, Copy, Debug, thiserror::Error, PartialEq, Eq)]
pub enum AgentFitError {
    /// No turns.
    #[error("there are no turns to fit to")]
    NoTurns,
    /// The sample and the model have different numbers of levels.
    #[error("the model looks at {model} levels, the sample has {sample}")]
    Levels {
        /// The model's.
        model: usize,
        /// The sample's.
        sample: usize,
    },
    /// It was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// The agent that fits best.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The agent.
    pub agent: Agent,
    /// The estimator's objective there.
    pub objective: f64,
    /// How the search ended.
    pub convergence: Convergence,
    /// Steps it took.
    pub steps: usize,
    pub(crate) model: AgentModel,
    pub(crate) at: DVector<f64>,
    /// The covariance of the model's coordinates, if the data determine them.
    pub(crate) covariance: Option<DMatrix<f64>>,
}

impl Fit {
    /// Fits a model to a sample. The result says whether it converged.
    ///
    /// ```
    /// use errare_rating::{Estimator, Fit, AgentModel, Sample};
    ///
    /// let mut sample = Sample::default();
    /// for played in [0, 0, 1, 0, 2, 0, 0, 1] {
    ///     sample.push(&[0.5, 0.4, 0.1, -1.0], played);
    /// }
    /// let model = AgentModel::of_paper().with_c(0.5);
    /// let fit = Fit::new(&sample, &model, Estimator::Likelihood).unwrap();
    /// assert!(fit.agent.s > 0.01 && fit.agent.s < 1.0);
    /// ```
    pub fn new(
        sample: &Sample,
        model: &AgentModel,
        estimator: Estimator,
    ) -> Result<Fit, AgentFitError> {
        Fit::watched(sample, model, estimator, &())
    }

    /// The same, stopped when `watch` says so.
    pub fn watched(
        sample: &Sample,
        model: &AgentModel,
        estimator: Estimator,
        watch: &dyn Watch,
    ) -> Result<Fit, AgentFitError> {
        if sample.is_empty() {
            return Err(AgentFitError::NoTurns);
        }
        if model.levels > sample.levels() {
            return Err(AgentFitError::Levels {
                model: model.levels,
                sample: sample.levels(),
            });
        }
        let family = Free::new(model);
        let minimum = search(sample, &family, estimator, watch)?;
        let (turns, steps) = (sample.turns(), minimum.steps);
        tracing::debug!(turns, steps, convergence = ?minimum.convergence, "agent fitted");
        Ok(Fit {
            agent: family.agent(&minimum.at),
            objective: minimum.local.value,
            convergence: minimum.convergence,
            steps: minimum.steps,
            model: model.clone(),
            covariance: covariance(sample, &family, estimator, &minimum.at),
            at: minimum.at,
        })
    }

    /// The standard error of s.
    #[must_use]
    pub fn s_error(&self) -> Option<f64> {
        Some(self.agent.s * self.coordinate_error(Parameter::LogS)?)
    }

    /// The standard error of c, if it was fitted.
    #[must_use]
    pub fn c_error(&self) -> Option<f64> {
        Some(self.agent.c * self.coordinate_error(Parameter::LogC)?)
    }

    /// The standard error of the share of `norm`, if it was fitted.
    #[must_use]
    pub fn lambda_error(&self) -> Option<f64> {
        let lambda = self.agent.link.lambda();
        Some(lambda * (1.0 - lambda) * self.coordinate_error(Parameter::Lambda)?)
    }

    /// The correlation of ln s and ln c, if both were fitted.
    #[must_use]
    pub fn correlation(&self) -> Option<f64> {
        let covariance = self.covariance.as_ref()?;
        let c = self.model.coordinate(Parameter::LogC)?;
        Some(covariance[(0, c)] / (covariance[(0, 0)] * covariance[(c, c)]).sqrt())
    }

    /// The share of `norm` if the link blends.
    #[must_use]
    pub fn lambda(&self) -> Option<f64> {
        match self.agent.link {
            Link::Blend { lambda } => Some(lambda),
            Link::LogLog | Link::Norm => None,
        }
    }

    fn coordinate_error(&self, parameter: Parameter) -> Option<f64> {
        let place = self.model.coordinate(parameter)?;
        Some(self.covariance.as_ref()?[(place, place)].sqrt())
    }
}

/// The best point of a family. Tries other starting points if the first leads nowhere.
pub(crate) fn search(
    sample: &Sample,
    family: &impl Family,
    estimator: Estimator,
    watch: &dyn Watch,
) -> Result<Minimum, Stopped> {
    let ranges = chunks(sample);
    let mut best: Option<Minimum> = None;
    for start in family.starts() {
        let function = |at: &DVector<f64>| {
            watch.check()?;
            Ok(local(sample, family, estimator, &ranges, at))
        };
        let bounds = family.bounds();
        let mut found = minimise(start, &bounds, None, SMALLEST_STEP, function)?;
        if found.stalled {
            let value = |at: &DVector<f64>| {
                watch.check()?;
                let tally = estimator.tally(sample, &family.agent(at), &[], &ranges);
                Ok(estimator.value(&tally))
            };
            if let Some(at) = polish(&found, &bounds, value) {
                found.local = function(&at)?;
                found.at = at;
                found.convergence = Convergence::Converged;
            }
        }
        let rank = |minimum: &Minimum| {
            (
                minimum.convergence == Convergence::NotConverged,
                minimum.local.value,
            )
        };
        let better = match &best {
            None => true,
            Some(best) => rank(&found) < rank(best),
        };
        if better {
            best = Some(found);
        }
        if best
            .as_ref()
            .is_some_and(|best| best.convergence == Convergence::Converged)
        {
            break;
        }
    }
    Ok(best.expect("a family has a start"))
}

/// The objective near a point, over ranges of turns with their weights.
pub(crate) fn local(
    sample: &Sample,
    family: &impl Family,
    estimator: Estimator,
    ranges: &[(Range<usize>, f64)],
    at: &DVector<f64>,
) -> Local {
    let tally = estimator.tally(sample, &family.agent(at), family.parameters(), ranges);
    estimator.local(&tally, &family.chain(at))
}

/// The sandwich covariance of the estimate for independent turns: squared scores between two inverse
/// curvatures. It is valid for all three estimators.
pub(crate) fn covariance(
    sample: &Sample,
    family: &impl Family,
    estimator: Estimator,
    at: &DVector<f64>,
) -> Option<DMatrix<f64>> {
    let agent = family.agent(at);
    let chain = family.chain(at);
    let each: Vec<(Range<usize>, f64)> = (0..sample.turns()).map(|i| (i..i + 1, 1.0)).collect();
    let parts = estimator.tallies(sample, &agent, family.parameters(), &each);
    let whole = sum(estimator, &parts);
    let curvature = estimator.local(&whole, &chain).curvature * whole.weight;
    let mut pull = DMatrix::zeros(at.len(), at.len());
    for part in &parts {
        let score = estimator.score(part, &whole, &chain);
        pull.ger(1.0, &score, &score, 1.0);
    }
    let inverse = curvature.cholesky()?.inverse();
    let covariance = &inverse * pull * &inverse;
    covariance
        .iter()
        .all(|value| value.is_finite())
        .then_some(covariance)
}

fn sum(estimator: Estimator, parts: &[EstimatorTally]) -> EstimatorTally {
    let mut whole = estimator.empty(parts[0].slopes.ncols());
    for part in parts {
        whole.add(part, 1.0);
    }
    whole
}
