//! The prey's move probabilities.

use shakmaty::Color;

use super::{Prey, Quarry};
use crate::predictor::ratio;
use errare_choice::Preference;

/// R_c on a graph: the weight of a move by the state it leads to.
pub(super) struct PreyModel {
    states: usize,
    /// By reference state, and state: the ratio of their preferences, at most 1 relative to R_c's
    /// favourite state.
    ratios: Vec<f64>,
    /// Does R_c prefer states with high numbers?
    likes_last: bool,
}

impl PreyModel {
    pub(super) fn new(quarry: &Quarry<'_>, prey: Prey) -> PreyModel {
        let states = quarry.states;
        let [win, loss] = [quarry.prey, !quarry.prey].map(|winner| states.deepest(winner));
        let preference = Preference::for_depths(prey.kappa, win, loss);
        let aversions: Vec<f64> = states
            .all()
            .map(|state| preference.aversion(state.seen_by(quarry.prey)))
            .collect();
        let mut ratios = Vec::with_capacity(aversions.len() * aversions.len());
        for &reference in &aversions {
            let ratio = |&aversion: &f64| ratio(prey.competence, aversion, reference);
            ratios.extend(aversions.iter().map(ratio));
        }
        PreyModel {
            states: aversions.len(),
            ratios,
            likes_last: quarry.prey == Color::Black,
        }
    }

    /// The weights of states, relative to a position's moves to these states.
    #[inline]
    pub(super) fn weights(&self, states: &[u8]) -> &[f64] {
        let best = match self.likes_last {
            true => states.iter().max(),
            false => states.iter().min(),
        };
        let best = best.map_or(0, |&state| usize::from(state));
        &self.ratios[best * self.states..][..self.states]
    }

    /// The mean of values over the moves of a position.
    #[inline]
    pub(super) fn mean(&self, (targets, states): (&[u32], &[u8]), values: &[f64]) -> f64 {
        let weights = self.weights(states);
        let (mut sum, mut total) = (0.0, 0.0);
        for (&target, &state) in targets.iter().zip(states) {
            let weight = weights[usize::from(state)];
            total += weight;
            sum += weight * values[target as usize];
        }
        sum / total
    }
}
