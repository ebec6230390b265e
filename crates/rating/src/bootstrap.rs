//! Bootstrap over games: how much a fit would differ if other games had been played.
//!
//! A replicate draws as many games as there are, with replacement, and is fitted again, starting from the
//! fit of the whole. Turns of one game are kept together, because they are correlated.

use std::ops::Range;

use errare_choice::Agent;
use errare_core::{Stopped, Watch};
use nalgebra::DVector;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use crate::{
    estimator::{Estimator, EstimatorTally},
    fit::{Fit, local},
    minimise::{Convergence, minimise},
    model::{Family, Free},
    sample::Sample,
};

/// The precision of replicates, in logarithms of parameters.
const SMALLEST_STEP: f64 = 1e-4;

/// Fits to replicates of a sample.
#[derive(Clone, Debug)]
pub struct Bootstrap {
    /// The agents that fit the replicates.
    pub agents: Vec<Agent>,
    /// Replicates whose fit did not converge; they are not among the agents.
    pub failed: usize,
}

impl Bootstrap {
    /// Draws and fits this many replicates. The seed decides them, not the number of threads.
    ///
    /// ```
    /// use errare_rating::{AgentModel, Bootstrap, Estimator, Fit, Sample};
    ///
    /// let mut sample = Sample::default();
    /// for _ in 0..4 {
    ///     sample.begin_game();
    ///     for played in [0, 0, 1, 0, 2, 0, 0, 1] {
    ///         sample.push(&[0.5, 0.4, 0.1, -1.0], played);
    ///     }
    /// }
    /// let model = AgentModel::of_paper().with_c(0.5);
    /// let fit = Fit::new(&sample, &model, Estimator::Likelihood)?;
    /// let bootstrap = Bootstrap::new(&sample, &fit, Estimator::Likelihood, 10, 7, &())?;
    /// assert_eq!(bootstrap.agents.len() + bootstrap.failed, 10);
    /// assert!(bootstrap.standard_error(|agent| agent.s).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        sample: &Sample,
        fit: &Fit,
        estimator: Estimator,
        replicates: usize,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<Bootstrap, Stopped> {
        let family = Free::new(&fit.model);
        watch.begin("drawing games", Some(replicates as u64));
        let numbers = 0..replicates;
        let points = replicate(sample, &family, estimator, &fit.at, numbers, seed, watch)?;
        Ok(Bootstrap::of(&family, &points))
    }

    /// Collects the points of replicates.
    pub(crate) fn of(family: &impl Family, points: &[Option<DVector<f64>>]) -> Bootstrap {
        let agents: Vec<Agent> = points.iter().flatten().map(|at| family.agent(at)).collect();
        Bootstrap {
            failed: points.len() - agents.len(),
            agents,
        }
    }

    /// The standard error of a function of the agent.
    #[must_use]
    pub fn standard_error(&self, of: impl Fn(&Agent) -> f64) -> Option<f64> {
        let values: Vec<f64> = self.agents.iter().map(of).collect();
        standard_deviation(&values)
    }
}

/// The standard deviation of values, if there are at least two.
pub(crate) fn standard_deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// The best points of a family for the replicates with these numbers; `None` where the search did not
/// converge.
pub(crate) fn replicate(
    sample: &Sample,
    family: &impl Family,
    estimator: Estimator,
    at: &DVector<f64>,
    numbers: Range<usize>,
    seed: u64,
    watch: &dyn Watch,
) -> Result<Vec<Option<DVector<f64>>>, Stopped> {
    let games = sample.games();
    let ranges: Vec<_> = games.iter().map(|game| (game.clone(), 1.0)).collect();
    // The first step of every replicate starts from the same agent.
    let known = estimator.tallies(sample, &family.agent(at), family.parameters(), &ranges);
    let chain = family.chain(at);
    let bounds = family.bounds();
    let one = |number: usize| {
        watch.check()?;
        let weights = draw(games.len(), seed, number as u64);
        let drawn = games.iter().cloned().zip(weights.iter().copied());
        let drawn: Vec<_> = drawn.filter(|(_, weight)| *weight > 0.0).collect();
        let start = estimator.local(&weigh(estimator, &known, &weights), &chain);
        let function = |at: &DVector<f64>| Ok(local(sample, family, estimator, &drawn, at));
        let found = minimise(at.clone(), &bounds, Some(start), SMALLEST_STEP, function)?;
        watch.advance(1);
        // Kinks are smaller than a replicate's precision.
        Ok((found.stalled || found.convergence != Convergence::NotConverged).then_some(found.at))
    };
    numbers.into_par_iter().map(one).collect()
}

/// How often each game is drawn.
fn draw(games: usize, seed: u64, replicate: u64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(replicate);
    let mut weights = vec![0.0; games];
    for _ in 0..games {
        weights[random.random_range(0..games)] += 1.0;
    }
    weights
}

fn weigh(estimator: Estimator, parts: &[EstimatorTally], weights: &[f64]) -> EstimatorTally {
    let mut whole = estimator.empty(parts[0].slopes.ncols());
    for (part, &weight) in parts.iter().zip(weights) {
        whole.add(part, weight);
    }
    whole
}
