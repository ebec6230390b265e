//! Weighs solutions for several competences if the opponent's is not known.
//!
//! The probability of a competence between two solved ones is shared between them, which interpolates the
//! value of a move linearly. Probabilities are averaged directly. Lengths are averaged in units of the
//! best move's length at that competence: otherwise the least likely competence would decide, as lengths
//! grow without bound for small c.

use std::sync::Arc;

use super::Solution;
use crate::Analyser;

/// The best of some values, used as the unit for the others.
pub(super) fn unit(worths: &[f64], maximised: bool) -> f64 {
    let best = match maximised {
        true => worths.iter().copied().fold(0.0, f64::max),
        false => worths.iter().copied().fold(f64::INFINITY, f64::min),
    };
    if best > 0.0 && best.is_finite() {
        best
    } else {
        1.0
    }
}

/// The weight of each solution.
pub(super) fn shares(solutions: &[Arc<Solution>], belief: Option<&Analyser>) -> Vec<f64> {
    let mut shares = vec![0.0; solutions.len()];
    let weights = belief.and_then(|analyser| analyser.posterior().weights());
    let (Some(belief), Some(weights)) = (belief, weights) else {
        // No competence explains the observations, or there is only one: the least one explains most.
        shares[0] = 1.0;
        return shares;
    };
    let solved: Vec<f64> = solutions
        .iter()
        .map(|solution| solution.task().prey.competence)
        .collect();
    for (c, weight) in belief.posterior().grid().points().zip(weights) {
        let above = solved.partition_point(|&solved| solved < c);
        match above {
            0 => shares[0] += weight,
            _ if above == solved.len() => shares[above - 1] += weight,
            _ => {
                let (low, high) = (solved[above - 1], solved[above]);
                let part = (c - low) / (high - low);
                shares[above - 1] += weight * (1.0 - part);
                shares[above] += weight * part;
            }
        }
    }
    shares
}
