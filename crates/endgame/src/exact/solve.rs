//! Solves for expected lengths and probabilities on the graph.
//!
//! V = 1 + P V is iterated from the mean lengths of the endgame's Markov chain. A sweep goes through the
//! depths in ascending order, using the values just computed for smaller depths (Gauss-Seidel); before it,
//! the values of each depth are scaled by a common factor such that the equations hold on average at each
//! depth (aggregation and disaggregation). The scaling handles what sweeps are slow at: play that goes up
//! and down many times.
//!
//! If r = V - P V lies between l > 0 and h at every node, the solution lies between V / h and V / l, since
//! it is N 1 and V is N r, with the nonnegative matrix N = 1 + P + P² + .... This bounds the error of V.

use errare_core::{Stopped, Watch};
use errare_tables::Symmetry;
use rayon::prelude::*;
use shakmaty::Color;

use super::{
    Bounded, ExactError,
    graph::{Graph, Nodes},
    simulate::ACHIEVED,
};
use crate::{ChainState, Predictor, predictor::ratio};

/// The required relative distance of the bounds.
const TOLERANCE: f64 = 1e-6;
/// Enough rounds wherever floating-point numbers can represent the answer.
const MOST_ROUNDS: usize = 500;
/// Nodes per task.
const CHUNK: usize = 1 << 12;

/// The weight of a move by the depth it leads to, relative to the best move (for c < 0 the worst).
pub(super) struct Weights {
    depths: usize,
    /// By reference depth, and depth.
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

    /// The weights for a position whose moves lead to these depths.
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
fn turns<const ORIENTATIONS: usize>() -> Vec<[u8; ORIENTATIONS]> {
    let turned = |onward: Symmetry, from: usize| match ORIENTATIONS {
        1 => 0,
        _ => onward.inverse().then(Symmetry::ALL[from]).number() as u8,
    };
    let all = Symmetry::ALL.into_iter();
    all.map(|onward| std::array::from_fn(|from| turned(onward, from)))
        .collect()
}

/// The values of a position in each of its orientations.
type Values<const ORIENTATIONS: usize> = [f64; ORIENTATIONS];

/// One sweep's view of the graph.
struct Sweep<'a, const ORIENTATIONS: usize> {
    graph: &'a Graph,
    weights: &'a Weights,
    turns: Vec<[u8; ORIENTATIONS]>,
}

impl<'a, const ORIENTATIONS: usize> Sweep<'a, ORIENTATIONS> {
    fn new(graph: &'a Graph, weights: &'a Weights) -> Self {
        Sweep {
            graph,
            weights,
            turns: turns(),
        }
    }

    fn depths(&self) -> usize {
        self.graph.won.levels.len() - 1
    }

    /// Values of all positions, initially zero.
    fn values(nodes: &Nodes) -> Vec<Values<ORIENTATIONS>> {
        vec![[0.0; ORIENTATIONS]; nodes.len()]
    }

    /// Σ p W over the moves of a won position, in every orientation; achieved wins count as `achieved`.
    /// Calls `each` with the depth and share of each move, summed over orientations.
    #[inline]
    fn mean(
        &self,
        rank: usize,
        after: &[Values<ORIENTATIONS>],
        achieved: f64,
        mut each: impl FnMut(usize, f64),
    ) -> Values<ORIENTATIONS> {
        let (targets, depths) = self.graph.won.moves(rank);
        let weights = self.weights.of(depths);
        let weight = |depth: &u8| weights[usize::from(*depth)];
        let scale = depths.iter().map(weight).sum::<f64>().recip();
        let mut sums = [0.0; ORIENTATIONS];
        for (&target, depth) in targets.iter().zip(depths) {
            let share = weight(depth) * scale;
            let mut part = 0.0;
            if target == ACHIEVED {
                sums.iter_mut().for_each(|sum| *sum += share * achieved);
            } else {
                let values = &after[(target >> 3) as usize];
                let turned = &self.turns[(target & 7) as usize];
                for (sum, &turned) in sums.iter_mut().zip(turned) {
                    // The remainder is the number itself, and shows the compiler that it is within bounds.
                    *sum += share * values[usize::from(turned) % ORIENTATIONS];
                }
                part = share * values.iter().sum::<f64>();
            }
            each(usize::from(*depth), part);
        }
        sums
    }

    /// Computes W of the lost positions of a depth from V.
    fn reply(
        &self,
        depth: usize,
        won: &[Values<ORIENTATIONS>],
        lost: &mut [Values<ORIENTATIONS>],
        achieved: f64,
    ) {
        let graph = self.graph;
        let range = level(&graph.lost, depth);
        lost[range.clone()]
            .par_iter_mut()
            .zip(range)
            .with_min_len(CHUNK)
            .for_each(|(values, rank)| {
                if let Some(named) = &graph.named {
                    let replies = &named[rank * ORIENTATIONS..];
                    for (value, &reply) in values.iter_mut().zip(replies) {
                        *value = match reply {
                            ACHIEVED => achieved,
                            node => won.as_flattened()[node as usize],
                        };
                    }
                    return;
                }
                let (targets, _) = graph.lost.moves(rank);
                for (orientation, value) in values.iter_mut().enumerate() {
                    let sum: f64 = targets
                        .iter()
                        .map(|&target| {
                            let turned = self.turns[(target & 7) as usize][orientation];
                            won[(target >> 3) as usize][usize::from(turned)]
                        })
                        .sum();
                    *value = match targets.len() {
                        0 => achieved,
                        count => sum / count as f64,
                    };
                }
            });
    }

    fn reply_all(
        &self,
        won: &[Values<ORIENTATIONS>],
        lost: &mut [Values<ORIENTATIONS>],
        achieved: f64,
    ) {
        for depth in 0..self.graph.lost.levels.len() - 1 {
            self.reply(depth, won, lost, achieved);
        }
    }

    /// One Gauss-Seidel sweep.
    fn improve(&self, won: &mut [Values<ORIENTATIONS>], lost: &mut [Values<ORIENTATIONS>]) {
        for depth in 0..self.depths() {
            let range = level(&self.graph.won, depth);
            let after = &*lost;
            won[range.clone()]
                .par_iter_mut()
                .zip(range)
                .with_min_len(CHUNK)
                .for_each(|(values, rank)| {
                    *values = self
                        .mean(rank, after, 0.0, |_, _| {})
                        .map(|mean| 1.0 + mean);
                });
            if depth < self.graph.lost.levels.len() - 1 {
                self.reply(depth, won, lost, 0.0);
            }
        }
    }

    /// The bounds of V - P V, and the averaged equations of each depth.
    fn check(&self, won: &[Values<ORIENTATIONS>], lost: &[Values<ORIENTATIONS>]) -> Residual {
        let depths = self.depths();
        let mut residual = Residual::new(depths);
        for depth in 0..depths {
            let range = level(&self.graph.won, depth);
            let parts: Vec<Residual> = won[range.clone()]
                .par_chunks(CHUNK)
                .zip(range.into_par_iter().step_by(CHUNK))
                .map(|(values, start)| {
                    let mut part = Residual::new(depths);
                    for (values, rank) in values.iter().zip(start..) {
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
    /// By depth: the sum of V, the number of nodes, and, by depth moved to, the sum of P V.
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
            // A move may lead to a lost position of any depth.
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

/// Solves a linear system with its right-hand sides, by Gaussian elimination with pivoting. Losing digits
/// where play takes very long does no harm: the result only improves guesses.
pub(crate) fn eliminate(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
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

/// V at nodes, starting from a guess for each depth.
pub(super) fn expected_moves(
    graph: &Graph,
    weights: &Weights,
    guess: &[f64],
    nodes: &[usize],
    watch: &dyn Watch,
) -> Result<Vec<Bounded>, ExactError> {
    match graph.orientations {
        1 => Sweep::<1>::new(graph, weights).expected_moves(guess, nodes, watch),
        2 => Sweep::<2>::new(graph, weights).expected_moves(guess, nodes, watch),
        _ => Sweep::<8>::new(graph, weights).expected_moves(guess, nodes, watch),
    }
}

/// The probability that the win is achieved within this many moves.
pub(super) fn win_within(
    graph: &Graph,
    weights: &Weights,
    moves: u32,
    node: usize,
    watch: &dyn Watch,
) -> Result<f64, Stopped> {
    match graph.orientations {
        1 => Sweep::<1>::new(graph, weights).win_within(moves, node, watch),
        2 => Sweep::<2>::new(graph, weights).win_within(moves, node, watch),
        _ => Sweep::<8>::new(graph, weights).win_within(moves, node, watch),
    }
}

impl<const ORIENTATIONS: usize> Sweep<'_, ORIENTATIONS> {
    fn expected_moves(
        &self,
        guess: &[f64],
        nodes: &[usize],
        watch: &dyn Watch,
    ) -> Result<Vec<Bounded>, ExactError> {
        let graph = self.graph;
        watch.begin("solving for expected lengths, round", None);
        let (mut won, mut lost) = (Self::values(&graph.won), Self::values(&graph.lost));
        for (depth, &guess) in guess.iter().enumerate().take(self.depths()) {
            let guess = if guess.is_finite() {
                guess
            } else {
                f64::from(u16::MAX)
            };
            won[level(&graph.won, depth)].fill([guess; ORIENTATIONS]);
        }
        let mut least: f64 = 0.0;
        for _ in 0..MOST_ROUNDS {
            watch.check()?;
            self.reply_all(&won, &mut lost, 0.0);
            let residual = self.check(&won, &lost);
            if residual.low > 0.0 {
                let bounded = |&node: &usize| {
                    let value = won.as_flattened()[node];
                    Bounded {
                        value,
                        low: value / residual.high,
                        high: value / residual.low,
                    }
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
                    won[level(&graph.won, depth)]
                        .par_iter_mut()
                        .for_each(|values| *values = values.map(|value| value * factor));
                }
                self.reply_all(&won, &mut lost, 0.0);
            }
            self.improve(&mut won, &mut lost);
            self.improve(&mut won, &mut lost);
            watch.advance(1);
        }
        Err(ExactError::NotSettled { least })
    }

    fn win_within(&self, moves: u32, node: usize, watch: &dyn Watch) -> Result<f64, Stopped> {
        let graph = self.graph;
        watch.begin("solving for the chance to win in time", Some(moves.into()));
        let (mut won, mut lost) = (Self::values(&graph.won), Self::values(&graph.lost));
        for done in 0..moves as usize {
            watch.check()?;
            self.reply_all(&won, &mut lost, 1.0);
            // Deeper positions cannot be won yet.
            for depth in 0..self.depths().min(done + 2) {
                let range = level(&graph.won, depth);
                won[range.clone()]
                    .par_iter_mut()
                    .zip(range)
                    .with_min_len(CHUNK)
                    .for_each(|(values, rank)| {
                        *values = self.mean(rank, &lost, 1.0, |_, _| {});
                    });
            }
            watch.advance(1);
        }
        Ok(won.as_flattened()[node])
    }
}
