//! Averages over all positions of an endgame.

use errare_choice::Preference;
use errare_core::{Metric, Outcome};
use errare_tables::{CensusEntry, CensusStep, Destination};
use shakmaty::Color;

use super::{ChainState, Matrix, States, Values};
use crate::{destination, state::step_exits};

/// The choices of R_c in a position, for several c at once.
pub(super) struct Average {
    states: States,
    mover: Color,
    values: Values,
    /// Ascending, with the negative ones separate: they are weighed against the worst move, the
    /// others against the best, so that no weight exceeds 1.
    competences: Vec<f64>,
    negative: usize,
    /// The index of each competence among those requested.
    order: Vec<usize>,
    /// By state: its value.
    value: Vec<i32>,
    /// By reference state, state, and competence: the ratio of their preferences.
    ratios: Vec<f64>,
}

/// The sums so far.
pub(super) struct Sums {
    /// By state, state moved to, and competence.
    moves: Vec<f64>,
    positions: Vec<u64>,
    /// The number of moves of one position to each state, and the states with any.
    counts: Vec<u16>,
    reached: Vec<usize>,
    normaliser: Vec<f64>,
}

impl Sums {
    pub(super) fn merge(&mut self, part: &Sums) {
        let add = |sum: &mut f64, part: &f64| *sum += part;
        let moves = self.moves.iter_mut().zip(&part.moves);
        moves.for_each(|(sum, part)| add(sum, part));
        let positions = self.positions.iter_mut().zip(&part.positions);
        positions.for_each(|(sum, part)| *sum += part);
    }
}

impl Average {
    pub(super) fn new(
        states: States,
        mover: Color,
        preference: Preference,
        values: Values,
        competences: &[f64],
    ) -> Average {
        let mut order: Vec<usize> = (0..competences.len()).collect();
        order.sort_by(|&a, &b| competences[a].total_cmp(&competences[b]));
        let competences: Vec<f64> = order.iter().map(|&number| competences[number]).collect();
        let aversions: Vec<f64> = states
            .all()
            .map(|state| preference.aversion(state.seen_by(mover)))
            .collect();
        let mut ratios = Vec::with_capacity(states.len() * states.len() * competences.len());
        for &reference in &aversions {
            for &aversion in &aversions {
                let ratio = |&c: &f64| ratio(c, aversion, reference);
                ratios.extend(competences.iter().map(ratio));
            }
        }
        Average {
            states,
            mover,
            values,
            value: states.all().map(ChainState::value).collect(),
            negative: competences.partition_point(|&c| c < 0.0),
            competences,
            order,
            ratios,
        }
    }

    /// The number of the state that a move leads to.
    pub(super) fn kind(&self, to: Destination, metric: Metric) -> u16 {
        let seen = destination(to.after, metric, step_exits(to.step, metric));
        let state = match ChainState::of(seen, self.mover) {
            ChainState::Draw if to.stalemate || to.step == CensusStep::Conversion => {
                ChainState::Drawn
            }
            // The census also numbers destinations that no table holds.
            ChainState::Win(depth) if depth > self.states.white => return u16::MAX,
            ChainState::Loss(depth) if depth > self.states.black => return u16::MAX,
            state => state,
        };
        self.states.number(state) as u16
    }

    /// Are positions with this outcome included? Not if play is over.
    pub(super) fn counts(&self, outcome: Outcome, metric: Metric) -> bool {
        !ChainState::of_position(outcome, self.mover, metric).is_final()
    }

    pub(super) fn empty(&self) -> Sums {
        let len = self.states.len();
        Sums {
            moves: vec![0.0; len * len * self.competences.len()],
            positions: vec![0; len],
            counts: vec![0; len],
            reached: Vec::with_capacity(len),
            normaliser: vec![0.0; self.competences.len()],
        }
    }

    /// Adds a position.
    pub(super) fn add(&self, sums: &mut Sums, entry: &CensusEntry<'_>, metric: Metric) {
        let Sums {
            moves,
            positions,
            counts,
            reached,
            normaliser,
        } = sums;
        let from = ChainState::of_position(entry.outcome, self.mover, metric);
        let value = from.value();
        reached.clear();
        for &kind in entry.kinds {
            let to = usize::from(kind);
            if self.values == Values::Risked || self.value[to] == value {
                if counts[to] == 0 {
                    reached.push(to);
                }
                counts[to] += 1;
            }
        }
        // A stalemate has no moves, and no row.
        let (Some(&first), Some(&last)) = (reached.iter().min(), reached.iter().max()) else {
            return;
        };
        let (best, worst) = self.mover.fold_wb((first, last), (last, first));
        let (len, several) = (self.states.len(), self.competences.len());
        let weights = |reference: usize, to: usize| {
            &self.ratios[(reference * len + to) * several..][..several]
        };
        let weigh = |to: usize| {
            let negative = &weights(worst, to)[..self.negative];
            let others = &weights(best, to)[self.negative..];
            [negative, others]
        };

        normaliser.fill(0.0);
        for &to in &*reached {
            let count = f64::from(counts[to]);
            let [negative, others] = weigh(to);
            let (first, second) = normaliser.split_at_mut(self.negative);
            add_times(first, negative, count);
            add_times(second, others, count);
        }
        let weight = f64::from(entry.weight);
        for normaliser in &mut *normaliser {
            *normaliser = weight / *normaliser;
        }
        let from = self.states.number(from);
        positions[from] += u64::from(entry.weight);
        for &to in &*reached {
            let count = f64::from(counts[to]);
            counts[to] = 0;
            let sums = &mut moves[(from * len + to) * several..][..several];
            let [negative, others] = weigh(to);
            let (first, second) = sums.split_at_mut(self.negative);
            let (shares, others_shares) = normaliser.split_at(self.negative);
            add_product(first, negative, shares, count);
            add_product(second, others, others_shares, count);
        }
    }

    /// The matrices, in the order of the requested competences.
    pub(super) fn matrices(&self, sums: &Sums) -> Vec<Matrix> {
        let (len, several) = (self.states.len(), self.competences.len());
        let matrix = |number: usize| {
            let mut entries = vec![0.0; len * len];
            for (from, row) in entries.chunks_mut(len).enumerate() {
                let state = self.states.state(from);
                if sums.positions[from] == 0 {
                    let to = Matrix::infallible(self.mover, state);
                    row[self.states.number(to)] = 1.0;
                    continue;
                }
                for (to, entry) in row.iter_mut().enumerate() {
                    let sum = sums.moves[(from * len + to) * several + number];
                    *entry = sum / sums.positions[from] as f64;
                }
            }
            Matrix {
                states: self.states,
                mover: self.mover,
                entries,
                positions: sums.positions.clone(),
            }
        };
        let mut matrices: Vec<(usize, Matrix)> = self
            .order
            .iter()
            .enumerate()
            .map(|(number, &asked)| (asked, matrix(number)))
            .collect();
        matrices.sort_by_key(|(asked, _)| *asked);
        matrices.into_iter().map(|(_, matrix)| matrix).collect()
    }
}

/// S_c of an aversion divided by S_c of another; a limit if numbers are infinite.
pub(crate) fn ratio(competence: f64, aversion: f64, reference: f64) -> f64 {
    let excess = aversion - reference;
    if competence == 0.0 || aversion == reference {
        1.0
    } else if competence.is_infinite() || excess.is_infinite() {
        let worse = excess * competence.signum() > 0.0;
        if worse { 0.0 } else { f64::INFINITY }
    } else {
        (-competence * excess).exp()
    }
}

#[inline]
fn add_times(sums: &mut [f64], terms: &[f64], times: f64) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term * times;
    }
}

#[inline]
fn add_product(sums: &mut [f64], terms: &[f64], factors: &[f64], times: f64) {
    for ((sum, term), factor) in sums.iter_mut().zip(terms).zip(factors) {
        *sum += term * factor * times;
    }
}
