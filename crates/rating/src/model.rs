//! Families of agents to fit: those of one curve and link, or a line through them.

use std::f64::consts::LN_10;

use errare_choice::{Agent, Curve, Link, Parameter};
use nalgebra::{DMatrix, DVector};

/// A family of agents, one for each point of a box.
pub(crate) trait Family: Sync {
    /// The agent's parameters that vary within the family.
    fn parameters(&self) -> &[Parameter];
    /// The agent at a point.
    fn agent(&self, at: &DVector<f64>) -> Agent;
    /// The derivatives of the agent's parameters (rows) by the coordinates of the point.
    fn chain(&self, at: &DVector<f64>) -> DMatrix<f64>;
    /// The box.
    fn bounds(&self) -> Vec<(f64, f64)>;
    /// Starting points, the best first.
    fn starts(&self) -> Vec<DVector<f64>>;
}

/// The fixed and free parameters of an agent.
///
/// ```
/// use errare_choice::{Curve, Link};
/// use errare_rating::AgentModel;
///
/// let free = AgentModel::new(Curve::InverseExponential, Link::Norm);
/// assert_eq!(free.c, None, "s and c are both fitted");
/// assert_eq!(AgentModel::of_paper().with_c(0.5).c, Some(0.5));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct AgentModel {
    /// The curve.
    pub curve: Curve,
    /// The link. The share of `norm` in a blend is fitted unless `lambda` gives it.
    pub link: Link,
    /// c if it is given, for instance by a line over ratings.
    pub c: Option<f64>,
    /// The share of `norm` in a blend, if it is given.
    pub lambda: Option<f64>,
    /// The number of levels on which options are seen; the weights are fitted if there is more than
    /// one.
    pub levels: usize,
}

/// The range of ln s: from a ten-thousandth of a pawn to ten pawns.
const LOG_S: (f64, f64) = (-4.0 * LN_10, LN_10);
/// The range of ln c: from .05 to 20.
const LOG_C: (f64, f64) = (-2.995_732_273_553_991, 2.995_732_273_553_991);
/// The range of the logits of shares: from about 1e-5 to 1 - 1e-5.
const LOGIT: (f64, f64) = (-12.0, 12.0);
/// The middle of the published values: s from .07 to .17, c from .43 to .55.
const START: (f64, f64) = (0.11, 0.5);

impl AgentModel {
    /// The paper's model: inverse exponential, `loglog`, s and c free.
    #[must_use]
    pub fn of_paper() -> AgentModel {
        AgentModel::new(Curve::InverseExponential, Link::LogLog)
    }

    /// All parameters free, on one level.
    #[must_use]
    pub fn new(curve: Curve, link: Link) -> AgentModel {
        AgentModel {
            curve,
            link,
            c: None,
            lambda: None,
            levels: 1,
        }
    }

    /// The same with c given.
    #[must_use]
    pub fn with_c(self, c: f64) -> AgentModel {
        AgentModel { c: Some(c), ..self }
    }

    fn blends(&self) -> bool {
        matches!(self.link, Link::Blend { .. }) && self.lambda.is_none()
    }

    /// The index of a parameter among the coordinates.
    pub(crate) fn coordinate(&self, parameter: Parameter) -> Option<usize> {
        let c = usize::from(self.c.is_none());
        match parameter {
            Parameter::LogS => Some(0),
            Parameter::LogC => self.c.is_none().then_some(1),
            Parameter::Lambda => self.blends().then_some(1 + c),
            Parameter::Weight(0) => None,
            Parameter::Weight(level) => Some(c + usize::from(self.blends()) + level),
        }
    }

    fn coordinates(&self) -> usize {
        1 + usize::from(self.c.is_none()) + usize::from(self.blends()) + self.levels - 1
    }

    /// The weights of levels are the softmax of these logits, with 0 for the first.
    fn weights(&self, at: &DVector<f64>) -> Vec<f64> {
        if self.levels == 1 {
            return Vec::new();
        }
        let first = at.len() + 1 - self.levels;
        let logits = std::iter::once(0.0).chain(at.iter().skip(first).copied());
        let weights: Vec<f64> = logits.map(f64::exp).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum).collect()
    }

    fn raw(&self) -> Vec<Parameter> {
        let mut all = vec![Parameter::LogS];
        all.extend(self.c.is_none().then_some(Parameter::LogC));
        all.extend(self.blends().then_some(Parameter::Lambda));
        if self.levels > 1 {
            all.extend((0..self.levels).map(Parameter::Weight));
        }
        all
    }
}

/// A model with the list of its free parameters.
pub(crate) struct Free<'a> {
    model: &'a AgentModel,
    parameters: Vec<Parameter>,
}

impl<'a> Free<'a> {
    pub(crate) fn new(model: &'a AgentModel) -> Free<'a> {
        let parameters = model.raw();
        Free { model, parameters }
    }
}

impl Family for Free<'_> {
    fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    fn agent(&self, at: &DVector<f64>) -> Agent {
        let model = self.model;
        let lambda = match model.coordinate(Parameter::Lambda) {
            Some(place) => 1.0 / (1.0 + (-at[place]).exp()),
            None => model.lambda.unwrap_or(model.link.lambda()),
        };
        Agent {
            curve: model.curve,
            link: match model.link {
                Link::Blend { .. } => Link::Blend { lambda },
                other => other,
            },
            s: at[0].exp(),
            c: model.c.unwrap_or_else(|| at[1].exp()),
            weights: model.weights(at),
        }
    }

    fn chain(&self, at: &DVector<f64>) -> DMatrix<f64> {
        let weights = self.model.weights(at);
        let agent = self.agent(at);
        let mut chain = DMatrix::zeros(self.parameters.len(), at.len());
        for (row, &parameter) in self.parameters.iter().enumerate() {
            match parameter {
                Parameter::LogS | Parameter::LogC => chain[(row, row)] = 1.0,
                Parameter::Lambda => {
                    let lambda = agent.link.lambda();
                    chain[(row, row)] = lambda * (1.0 - lambda);
                }
                Parameter::Weight(level) => {
                    for other in 1..weights.len() {
                        let column = at.len() - weights.len() + other;
                        let same = if level == other { 1.0 } else { 0.0 };
                        chain[(row, column)] = weights[level] * (same - weights[other]);
                    }
                }
            }
        }
        chain
    }

    fn bounds(&self) -> Vec<(f64, f64)> {
        let mut bounds = vec![LOGIT; self.model.coordinates()];
        bounds[0] = LOG_S;
        if let Some(place) = self.model.coordinate(Parameter::LogC) {
            bounds[place] = LOG_C;
        }
        bounds
    }

    fn starts(&self) -> Vec<DVector<f64>> {
        let start = |s: f64, c: f64| {
            let mut at = DVector::zeros(self.model.coordinates());
            at[0] = s.ln();
            if let Some(place) = self.model.coordinate(Parameter::LogC) {
                at[place] = c.ln();
            }
            if let Some(place) = self.model.coordinate(Parameter::Lambda) {
                let lambda = self.model.link.lambda().clamp(0.01, 0.99);
                at[place] = (lambda / (1.0 - lambda)).ln();
            }
            at
        };
        let (s, c) = START;
        vec![
            start(s, c),
            start(s / 5.0, 2.0 * c),
            start(3.0 * s, c / 1.5),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chain_is_made_of_differences() {
        let mut model = AgentModel::new(Curve::Ipa, Link::Blend { lambda: 0.3 });
        model.levels = 3;
        let free = Free::new(&model);
        let at = DVector::from_vec(vec![-2.0, -0.5, 0.4, -0.3, 0.8]);
        let chain = free.chain(&at);
        assert_eq!(chain.shape(), (6, 5));
        let values = |at: &DVector<f64>| {
            let agent = free.agent(at);
            let mut all = vec![agent.s.ln(), agent.c.ln(), agent.link.lambda()];
            all.extend(agent.weights);
            DVector::from_vec(all)
        };
        for column in 0..at.len() {
            let mut step = DVector::zeros(at.len());
            step[column] = 1e-5;
            let change = (values(&(&at + &step)) - values(&(&at - &step))) / 2e-5;
            assert!((change - chain.column(column)).amax() < 1e-9);
        }
    }

    #[test]
    fn what_is_given_is_not_fitted() {
        let model = AgentModel::of_paper().with_c(0.45);
        let free = Free::new(&model);
        assert_eq!(free.parameters(), [Parameter::LogS]);
        assert_eq!(
            free.agent(&DVector::from_vec(vec![0.0])),
            Agent::of_paper(1.0, 0.45)
        );
    }
}
