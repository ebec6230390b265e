//! The model fallible agent *A*: a curve, a link, and the skill that chooses among them.
//!
//! Given the cost of each option, the agent states how likely it is to choose it and how these
//! probabilities change with its parameters, which is what fits need.
//!
//! An agent may look at a turn on several *levels*, such as an engine's search depths. Its proxies
//! are then y_i = sum over levels of w_d g(delta_(i,d)): what looks good on a shallow level tempts it.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, sections 3, 4 and 8.

use thiserror::Error;

use crate::{
    curve::{Curve, MAX_RELUCTANCE},
    link::{Link, solve_loglog},
};

/// A model fallible agent.
#[derive(Clone, Debug, PartialEq)]
pub struct Agent {
    /// The family its proxies come from.
    pub curve: Curve,
    /// How they become probabilities.
    pub link: Link,
    /// Sensitivity: the smaller it is, the smaller the costs the agent can tell apart.
    pub s: f64,
    /// Consistency: the greater it is, the more rarely the agent makes expensive choices.
    pub c: f64,
    /// The weight of each level; empty for the usual single level.
    pub weights: Vec<f64>,
}

/// Returned for parameters that no agent can have.
#[derive(Clone, Debug, Error, PartialEq)]
pub enum AgentError {
    /// s or c is not a positive number.
    #[error("{name} = {value} is not a positive number")]
    NotPositive {
        /// s or c.
        name: &'static str,
        /// The value given.
        value: f64,
    },
    /// Lambda is not between 0 and 1.
    #[error("lambda = {0} is not between 0 and 1")]
    NotAShare(f64),
    /// The weights of the levels are negative or do not add up to 1.
    #[error("weights of levels must not be negative and must add up to 1, not {0:?}")]
    Weights(Vec<f64>),
}

/// A parameter of an agent that can be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Parameter {
    /// ln s.
    LogS,
    /// ln c.
    LogC,
    /// The share of `norm` in the blend.
    Lambda,
    /// The weight of a level.
    Weight(usize),
}

impl Agent {
    /// The agent used for the paper's results: inverse exponential curve, `loglog` link.
    ///
    /// ```
    /// use errare_choice::Agent;
    ///
    /// let grandmaster = Agent::of_paper(0.080, 0.513);
    /// let amateur = Agent::of_paper(0.168, 0.436);
    /// let costs = [0.0, 0.1, 0.5];
    /// assert!(grandmaster.probabilities(&costs)[0] > amateur.probabilities(&costs)[0]);
    /// ```
    pub fn of_paper(s: f64, c: f64) -> Agent {
        Agent {
            curve: Curve::InverseExponential,
            link: Link::LogLog,
            s,
            c,
            weights: Vec::new(),
        }
    }

    /// Rejects parameters that no agent can have.
    pub fn check(&self) -> Result<(), AgentError> {
        for (name, value) in [("s", self.s), ("c", self.c)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(AgentError::NotPositive { name, value });
            }
        }
        let lambda = self.link.lambda();
        if !(0.0..=1.0).contains(&lambda) {
            return Err(AgentError::NotAShare(lambda));
        }
        let sum: f64 = self.weights.iter().sum();
        let negative = self
            .weights
            .iter()
            .any(|weight| weight.is_nan() || *weight < 0.0);
        if !self.weights.is_empty() && (negative || (sum - 1.0).abs() > 1e-9) {
            return Err(AgentError::Weights(self.weights.clone()));
        }
        Ok(())
    }

    /// The probability of each option, given its cost; the best option costs 0.
    pub fn probabilities(&self, deltas: &[f64]) -> Vec<f64> {
        let log_deltas: Vec<f64> = deltas.iter().map(|delta| delta.ln()).collect();
        let mut choice = ChoiceProbabilities::default();
        choice.make(self, &[&log_deltas], &[]);
        choice.p
    }
}

/// The probabilities of one turn and their slopes. Reuse it from turn to turn to avoid allocation.
#[derive(Clone, Debug, Default)]
pub struct ChoiceProbabilities {
    p: Vec<f64>,
    /// -ln y, then 1 / y.
    a: Vec<f64>,
    /// -ln of the probability of an option with proxy 1, by `loglog`.
    z: f64,
    /// The contribution of `norm` to the blend.
    norm: Vec<f64>,
    /// One row per parameter: slopes of the reluctance, then of ln p.
    slopes: Vec<f64>,
    /// The slopes of one level's reluctances by ln s and ln c.
    level: Vec<[f64; 2]>,
}

impl ChoiceProbabilities {
    /// The probability of each option.
    pub fn probabilities(&self) -> &[f64] {
        &self.p
    }

    /// ln p of one option, even where p itself underflows.
    pub fn log_probability(&self, option: usize) -> f64 {
        let p = self.p[option];
        if p < f64::MIN_POSITIVE {
            return -self.a[option] * self.z;
        }
        p.ln()
    }

    /// The derivatives of ln p of each option with respect to the parameter at index `parameter` of
    /// the list passed to [`ChoiceProbabilities::make`].
    pub fn slopes(&self, parameter: usize) -> &[f64] {
        &self.slopes[parameter * self.p.len()..][..self.p.len()]
    }

    /// Computes an agent's choice from ln delta of each option on each level (minus infinity where the
    /// cost is zero), with slopes for these parameters. Every level must have an option that costs
    /// nothing.
    pub fn make(&mut self, agent: &Agent, levels: &[&[f64]], parameters: &[Parameter]) {
        let options = levels[0].len();
        self.p.resize(options, 0.0);
        self.a.resize(options, 0.0);
        self.slopes.clear();
        self.slopes.resize(options * parameters.len(), 0.0);
        if levels.len() == 1 {
            self.reluctances(agent, levels[0], parameters);
        } else {
            self.reluctances_of_levels(agent, levels, parameters);
        }
        match agent.link {
            Link::LogLog => self.loglog(parameters.len()),
            Link::Norm => self.norm(parameters.len()),
            Link::Blend { lambda } => self.blend(lambda, parameters),
        }
    }

    /// Reluctances for a single level.
    fn reluctances(&mut self, agent: &Agent, log_deltas: &[f64], parameters: &[Parameter]) {
        let options = log_deltas.len();
        let log_s = agent.s.ln();
        for (i, &log_delta) in log_deltas.iter().enumerate() {
            let reluctance = agent.curve.reluctance(log_delta - log_s, agent.c);
            self.a[i] = reluctance.value;
            for (row, parameter) in parameters.iter().enumerate() {
                self.slopes[row * options + i] = match parameter {
                    Parameter::LogS => reluctance.by_log_s,
                    Parameter::LogC => reluctance.by_log_c,
                    Parameter::Lambda | Parameter::Weight(_) => 0.0,
                };
            }
        }
    }

    /// -ln of the weighted sum of the levels' proxies.
    fn reluctances_of_levels(
        &mut self,
        agent: &Agent,
        levels: &[&[f64]],
        parameters: &[Parameter],
    ) {
        let options = levels[0].len();
        let log_s = agent.s.ln();
        self.level.clear();
        self.level.resize(options, [0.0; 2]);
        self.a.fill(0.0);
        for (number, (log_deltas, &weight)) in levels.iter().zip(&agent.weights).enumerate() {
            let row = parameters
                .iter()
                .position(|&it| it == Parameter::Weight(number));
            for (i, &log_delta) in log_deltas.iter().enumerate() {
                let reluctance = agent.curve.reluctance(log_delta - log_s, agent.c);
                let proxy = (-reluctance.value).exp();
                self.a[i] += weight * proxy;
                self.level[i][0] += weight * proxy * reluctance.by_log_s;
                self.level[i][1] += weight * proxy * reluctance.by_log_c;
                if let Some(row) = row {
                    self.slopes[row * options + i] = -proxy;
                }
            }
        }
        for i in 0..options {
            let proxy = self.a[i];
            let capped = proxy <= (-MAX_RELUCTANCE).exp();
            self.a[i] = if capped { MAX_RELUCTANCE } else { -proxy.ln() };
            for (row, parameter) in parameters.iter().enumerate() {
                let slope = &mut self.slopes[row * options + i];
                *slope = match parameter {
                    _ if capped => 0.0,
                    Parameter::LogS => self.level[i][0] / proxy,
                    Parameter::LogC => self.level[i][1] / proxy,
                    Parameter::Weight(_) => *slope / proxy,
                    Parameter::Lambda => 0.0,
                };
            }
        }
    }

    /// ln p_i = -a_i z, with z such that the probabilities sum to 1.
    fn loglog(&mut self, parameters: usize) {
        let best = least(&self.a);
        let scale = self.a[best];
        for a in &mut self.a {
            *a = (*a - scale).exp();
        }
        self.z = solve_loglog(&self.a, best, &mut self.p);
        let z = self.z;
        let options = self.p.len();
        let (p, a) = (&self.p, &self.a);
        let slope: f64 = p.iter().zip(a).map(|(p, a)| p * a).sum();
        for row in 0..parameters {
            let row = &mut self.slopes[row * options..][..options];
            let each = p.iter().zip(a).zip(&*row);
            let mean = each.map(|((p, a), dh)| p * a * dh).sum::<f64>() / slope;
            for (dh, a) in row.iter_mut().zip(a) {
                *dh = a * z * (mean - *dh);
            }
        }
    }

    /// ln p_i = ln y_i - ln sum y.
    fn norm(&mut self, parameters: usize) {
        let scale = self.a[least(&self.a)];
        let mut sum = 0.0;
        for (p, a) in self.p.iter_mut().zip(&self.a) {
            *p = (scale - a).exp();
            sum += *p;
        }
        for p in &mut self.p {
            *p /= sum;
        }
        let options = self.p.len();
        for row in 0..parameters {
            let row = &mut self.slopes[row * options..][..options];
            let mean: f64 = self.p.iter().zip(&*row).map(|(p, dh)| p * dh).sum();
            for dh in row {
                *dh = mean - *dh;
            }
        }
    }

    fn blend(&mut self, lambda: f64, parameters: &[Parameter]) {
        let options = self.p.len();
        let reluctances = self.slopes.clone();
        let values = self.a.clone();
        self.norm(parameters.len());
        let norm_slopes = std::mem::replace(&mut self.slopes, reluctances);
        self.a = values;
        self.norm.clear();
        self.norm.extend_from_slice(&self.p);
        self.loglog(parameters.len());
        for (row, parameter) in parameters.iter().enumerate() {
            for i in 0..options {
                let (loglog, norm) = (self.p[i], self.norm[i]);
                let blended = (1.0 - lambda) * loglog + lambda * norm;
                let slope = &mut self.slopes[row * options + i];
                let change = match parameter {
                    Parameter::Lambda => norm - loglog,
                    _ => {
                        let norm_slope = norm_slopes[row * options + i];
                        (1.0 - lambda) * loglog * *slope + lambda * norm * norm_slope
                    }
                };
                *slope = if blended > 0.0 {
                    change / blended
                } else {
                    *slope
                };
            }
        }
        for (p, norm) in self.p.iter_mut().zip(&self.norm) {
            *p = (1.0 - lambda) * *p + lambda * norm;
        }
    }
}

/// The index of the smallest value.
fn least(values: &[f64]) -> usize {
    let mut least = 0;
    for (i, value) in values.iter().enumerate() {
        if *value < values[least] {
            least = i;
        }
    }
    least
}
