//! The numbers on the graph.
//!
//! V = 1 + P V is iterated from the mean lengths of the endgame's Markov chain. A sweep goes through
//! the depths from the least on, with what it has just found of lesser depths (Gauss-Seidel); before
//! it the values of each depth are scaled by a common factor, such that the equations hold on
//! average at each depth (aggregation and disaggregation). That takes care of what sweeps are slow at:
//! play that goes up and down many times.
//!
//! If r = V - P V lies between l > 0 and h at every node, the solution lies between V / h and V / l,
//! for it is N 1 and V is N r, with N = 1 + P + P² + ... of no negative entry. So it is known how far off V
//! is.

use rayon::prelude::*;
use shakmaty::Color;

use super::{
    Bounded, ExactError,
    graph::{ACHIEVED, Graph, Nodes},
};
use crate::{ChainState, Predictor, predictor::ratio};

/// As close together as bounds shall be, relatively.
const TOLERANCE: f64 = 1e-6;
/// So many rounds are enough wherever numbers can hold the answer.
const MOST_ROUNDS: usize = 500;
/// The greatest number of orientations.
const MOST: usize = 8;
/// Nodes of a task.
const CHUNK: usize = 1 << 12;

/// How much a move counts, by the depth it leads to, over the best move (for c < 0 the worst).
pub(super) struct Weights {
    depths: usize,
    /// By depth compared with, and depth.
    weights: Vec<f64>,
    negative: bool,
}

impl Weights {
    pub(super) fn new(predictor: &Predictor<'_>, player: Color, competence: f64) -> Weights {
        let depths = usize::from(predictor.states().deepest(player)) + 1;
        let preference = predictor.preference(player);
        let aversion = |depth: usize| {
            let state = ChainState::Win(depth as u16);
            preference.aversion(state.seen_by(Color::White))
        };
        let mut weights = Vec::with_capacity(depths * depths);
        for reference in (0..depths).map(aversion) {
            weights.extend((0..depths).map(|to| ratio(competence, aversion(to), reference)));
        }
        Weights {
            depths,
            weights,
            negative: competence < 0.0,
        }
    }

    /// Of the moves of a position that lead to these depths.
    #[inline]
    pub(super) fn of(&self, depths: &[u8]) -> &[f64] {
        let extreme = match self.negative {
            true => depths.iter().max(),
            false => depths.iter().min(),
        };
        let reference = extreme.map_or(0, |&depth| usize::from(depth));
        &self.weights[reference * self.depths..][..self.depths]
    }
}

/// How a symmetry on the way changes the orientation: by symmetry of the move and orientation.
fn turns(orientations: usize) -> Vec<[usize; MOST]> {
    use errare_tables::Symmetry;
    Symmetry::ALL
        .into_iter()
        .map(|onward| {
            let mut turned = [0; MOST];
            for (from, turned) in Symmetry::ALL
                .into_iter()
                .zip(&mut turned)
                .take(orientations)
            {
                if orientations > 1 {
                    *turned = onward.inverse().then(from).number();
                }
            }
            turned
        })
        .collect()
}

/// One sweep's view of the graph.
struct Sweep<'a> {
    graph: &'a Graph,
    weights: &'a Weights,
    turns: Vec<[usize; MOST]>,
}

impl<'a> Sweep<'a> {
    fn new(graph: &'a Graph, weights: &'a Weights) -> Sweep<'a> {
        Sweep {
            graph,
            weights,
            turns: turns(graph.orientations),
        }
    }

    fn depths(&self) -> usize {
        self.graph.won.levels.len() - 1
    }

    /// Σ p W over the moves of a won position, in every orientation; what is achieved counts as
    /// `achieved`. Calls `each` with the depth and share of each move, summed over orientations.
    #[inline]
    fn mean(
        &self,
        rank: usize,
        after: &[f64],
        achieved: f64,
        mut each: impl FnMut(usize, f64),
    ) -> [f64; MOST] {
        let orientations = self.graph.orientations;
        let (targets, depths) = self.graph.won.moves(rank);
        let weights = self.weights.of(depths);
        let total: f64 = depths
            .iter()
            .map(|&depth| weights[usize::from(depth)])
            .sum();
        let mut sums = [0.0; MOST];
        for (&target, &depth) in targets.iter().zip(depths) {
            let share = weights[usize::from(depth)] / total;
            let mut part = 0.0;
            if target == ACHIEVED {
                for sum in &mut sums[..orientations] {
                    *sum += share * achieved;
                }
            } else {
                let values = &after[(target >> 3) as usize * orientations..][..orientations];
                let turned = &self.turns[(target & 7) as usize];
                for (sum, &turned) in sums[..orientations].iter_mut().zip(turned) {
                    *sum += share * values[turned];
                    part += share * values[turned];
                }
            }
            each(usize::from(depth), part);
        }
        sums
    }

    /// W of the lost positions of a depth from V.
    fn reply(&self, depth: usize, won: &[f64], lost: &mut [f64], achieved: f64) {
        let (graph, orientations) = (self.graph, self.graph.orientations);
        let range = level(&graph.lost, depth);
        let turns = &self.turns;
        lost[range.start * orientations..range.end * orientations]
            .par_chunks_mut(orientations)
            .zip(range)
            .with_min_len(CHUNK)
            .for_each(|(values, rank)| {
                if let Some(named) = &graph.named {
                    let replies = &named.replies[rank * orientations..][..orientations];
                    for (value, &reply) in values.iter_mut().zip(replies) {
                        *value = match reply {
                            ACHIEVED => achieved,
                            node => won[node as usize],
                        };
                    }
                    return;
                }
                let (targets, _) = graph.lost.moves(rank);
                for (orientation, value) in values.iter_mut().enumerate() {
                    let sum: f64 = targets
                        .iter()
                        .map(|&target| {
                            let turned = turns[(target & 7) as usize][orientation];
                            won[(target >> 3) as usize * orientations + turned]
                        })
                        .sum();
                    *value = match targets.len() {
                        0 => achieved,
                        count => sum / count as f64,
                    };
                }
            });
    }

    fn reply_all(&self, won: &[f64], lost: &mut [f64], achieved: f64) {
        for depth in 0..self.graph.lost.levels.len() - 1 {
            self.reply(depth, won, lost, achieved);
        }
    }

    /// One Gauss-Seidel sweep.
    fn improve(&self, won: &mut [f64], lost: &mut [f64]) {
        let orientations = self.graph.orientations;
        for depth in 0..self.depths() {
            let range = level(&self.graph.won, depth);
            let after = &*lost;
            won[range.start * orientations..range.end * orientations]
                .par_chunks_mut(orientations)
                .zip(range)
                .with_min_len(CHUNK)
                .for_each(|(values, rank)| {
                    let means = self.mean(rank, after, 0.0, |_, _| {});
                    for (value, mean) in values.iter_mut().zip(means) {
                        *value = 1.0 + mean;
                    }
                });
            if depth < self.graph.lost.levels.len() - 1 {
                self.reply(depth, won, lost, 0.0);
            }
        }
    }

    /// The bounds of V - P V, and what the equations are on average of each depth.
    fn check(&self, won: &[f64], lost: &[f64]) -> Residual {
        let orientations = self.graph.orientations;
        let depths = self.depths();
        let mut residual = Residual::new(depths);
        for depth in 0..depths {
            let range = level(&self.graph.won, depth);
            let values = &won[range.start * orientations..range.end * orientations];
            let parts: Vec<Residual> = values
                .par_chunks(orientations * CHUNK)
                .zip(range.into_par_iter().step_by(CHUNK))
                .map(|(values, start)| {
                    let mut part = Residual::new(depths);
                    for (values, rank) in values.chunks(orientations).zip(start..) {
                        let sums = &mut part.sums[depth];
                        let means = self.mean(rank, lost, 0.0, |to, sum| sums[to] += sum);
                        for (value, mean) in values.iter().zip(means) {
                            part.low = part.low.min(value - mean);
                            part.high = part.high.max(value - mean);
                            part.totals[depth] += value;
                            part.counts[depth] += 1.0;
                        }
                    }
                    part
                })
                .collect();
            parts.iter().for_each(|part| residual.merge(part));
        }
        residual
    }
}

fn level(nodes: &Nodes, depth: usize) -> std::ops::Range<usize> {
    nodes.levels[depth]..nodes.levels[depth + 1]
}

/// How far V is from a solution.
struct Residual {
    low: f64,
    high: f64,
    /// By depth: the sum of V, the number of nodes, and by depth moved to the sum of P V.
    totals: Vec<f64>,
    counts: Vec<f64>,
    sums: Vec<Vec<f64>>,
}

impl Residual {
    fn new(depths: usize) -> Residual {
        Residual {
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            totals: vec![0.0; depths],
            counts: vec![0.0; depths],
            // A move may lead to a lost position as deep as any.
            sums: vec![vec![0.0; 256]; depths],
        }
    }

    fn merge(&mut self, part: &Residual) {
        self.low = self.low.min(part.low);
        self.high = self.high.max(part.high);
        let add = |all: &mut [f64], part: &[f64]| {
            all.iter_mut()
                .zip(part)
                .for_each(|(all, part)| *all += part);
        };
        add(&mut self.totals, &part.totals);
        add(&mut self.counts, &part.counts);
        for (all, part) in self.sums.iter_mut().zip(&part.sums) {
            add(all, part);
        }
    }

    /// Factors for the values of each depth, such that the equations hold on average.
    fn factors(&self) -> Option<Vec<f64>> {
        let depths: Vec<usize> = (0..self.totals.len())
            .filter(|&depth| self.counts[depth] > 0.0)
            .collect();
        let rows = depths
            .iter()
            .map(|&from| {
                let entry = |&to: &usize| {
                    let own = if to == from { self.totals[from] } else { 0.0 };
                    own - self.sums[from][to]
                };
                let row = depths.iter().map(entry).chain([self.counts[from]]);
                row.map(|entry| entry / self.totals[from]).collect()
            })
            .collect();
        let solution = eliminate(rows);
        let sound = solution
            .iter()
            .all(|factor| factor.is_finite() && *factor > 0.0);
        sound.then(|| {
            let mut factors = vec![1.0; self.totals.len()];
            for (&depth, factor) in depths.iter().zip(solution) {
                factors[depth] = factor;
            }
            factors
        })
    }
}

/// Solves equations with their right-hand sides, by Gauss's elimination with pivoting. That it loses
/// digits where play takes very long does no harm: it only makes guesses better.
fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let len = rows.len();
    for k in 0..len {
        let pivot = (k..len).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs()));
        rows.swap(k, pivot.unwrap_or(k));
        let pivot = rows[k].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != k) {
            let factor = row[k] / pivot[k];
            row.iter_mut()
                .zip(&pivot)
                .for_each(|(x, y)| *x -= factor * y);
        }
    }
    (0..len).map(|k| rows[k][len] / rows[k][k]).collect()
}

/// V of a node, from a guess for each depth.
pub(super) fn expected_moves(
    graph: &Graph,
    weights: &Weights,
    guess: &[f64],
    nodes: &[usize],
) -> Result<Vec<Bounded>, ExactError> {
    let sweep = Sweep::new(graph, weights);
    let orientations = graph.orientations;
    let mut won = vec![0.0; graph.won.len() * orientations];
    let mut lost = vec![0.0; graph.lost.len() * orientations];
    for (depth, &guess) in guess.iter().enumerate().take(sweep.depths()) {
        let range = level(&graph.won, depth);
        let guess = if guess.is_finite() {
            guess
        } else {
            f64::from(u16::MAX)
        };
        won[range.start * orientations..range.end * orientations].fill(guess);
    }
    let mut least: f64 = 0.0;
    for _ in 0..MOST_ROUNDS {
        sweep.reply_all(&won, &mut lost, 0.0);
        let residual = sweep.check(&won, &lost);
        if residual.low > 0.0 {
            let bounded = |&node: &usize| Bounded {
                value: won[node],
                low: won[node] / residual.high,
                high: won[node] / residual.low,
            };
            let found: Vec<Bounded> = nodes.iter().map(bounded).collect();
            least = found
                .iter()
                .map(|bounded| bounded.low)
                .fold(least, f64::max);
            if 1.0 / residual.low - 1.0 / residual.high <= TOLERANCE {
                return Ok(found);
            }
        }
        if let Some(factors) = residual.factors() {
            for (depth, factor) in factors.into_iter().enumerate() {
                let range = level(&graph.won, depth);
                won[range.start * orientations..range.end * orientations]
                    .par_iter_mut()
                    .for_each(|value| *value *= factor);
            }
            sweep.reply_all(&won, &mut lost, 0.0);
        }
        sweep.improve(&mut won, &mut lost);
        sweep.improve(&mut won, &mut lost);
    }
    Err(ExactError::NotSettled { least })
}

/// The probability that the win is achieved within so many moves.
pub(super) fn win_within(graph: &Graph, weights: &Weights, moves: u32, node: usize) -> f64 {
    let sweep = Sweep::new(graph, weights);
    let orientations = graph.orientations;
    let mut won = vec![0.0; graph.won.len() * orientations];
    let mut lost = vec![0.0; graph.lost.len() * orientations];
    for done in 0..moves as usize {
        sweep.reply_all(&won, &mut lost, 1.0);
        // What is deeper cannot be won yet.
        for depth in 0..sweep.depths().min(done + 2) {
            let range = level(&graph.won, depth);
            won[range.start * orientations..range.end * orientations]
                .par_chunks_mut(orientations)
                .zip(range)
                .with_min_len(CHUNK)
                .for_each(|(values, rank)| {
                    let means = sweep.mean(rank, &lost, 1.0, |_, _| {});
                    values.copy_from_slice(&means[..orientations]);
                });
        }
    }
    won[node]
}
