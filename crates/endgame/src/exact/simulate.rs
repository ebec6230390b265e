//! Simulates games on the graph by the million.
//!
//! A move is one random number, compared with the cumulative probabilities of a position's moves,
//! likeliest first. Most of the time goes into waiting for memory, so a worker plays many games at once
//! and does each step for all of them before the next. The random numbers of a game depend only on the
//! seed and the game's number.

use std::sync::atomic::{AtomicU64, Ordering};

use errare_core::{Stopped, Watch};
use rand::Rng;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
use rayon::prelude::*;

use super::{
    graph::{ACHIEVED, Graph, Nodes},
    solve::Weights,
};

/// Games a worker plays at once.
const LANES: usize = 32;
/// Games a worker takes at a time.
const BATCH: u64 = 1024;
/// Steps of a batch between checks of the watch.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 12;

/// A move: its cumulative probability in units of 2^-32, and the opponent's node.
#[derive(Debug, Clone, Copy)]
struct Edge {
    cumulated: u32,
    to: u32,
}

/// The graph prepared for the games of one R_c.
#[derive(Debug)]
pub struct Simulator {
    /// By won node: its first move; and the end.
    starts: Vec<u64>,
    edges: Vec<Edge>,
    /// By lost node: its first reply; and the end.
    reply_starts: Vec<u64>,
    /// The won node after each reply.
    replies: Vec<u32>,
    start: u32,
}

/// The lengths of simulated games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lengths {
    /// The winner's moves in each finished game.
    pub moves: Vec<u64>,
    /// The number of games abandoned at the limit of moves.
    pub unfinished: usize,
}

impl Simulator {
    pub(super) fn new(graph: &Graph, weights: &Weights, start: usize) -> Simulator {
        let (starts, edges) = edges(&graph.won, weights);
        let (reply_starts, replies) = flat(&graph.lost, |rank| {
            graph.lost.moves(rank).0.iter().map(|target| target >> 3)
        });
        Simulator {
            starts,
            edges,
            reply_starts,
            replies,
            start: start as u32,
        }
    }

    /// Its size in bytes.
    pub(super) fn bytes(graph: &Graph) -> u64 {
        let nodes = graph.won.len() + graph.lost.len();
        let moves = 8 * graph.won.targets.len() + 4 * graph.lost.targets.len();
        (moves + 8 * nodes) as u64
    }

    /// Plays games from the position on this many threads.
    pub fn play(
        &self,
        games: u64,
        seed: u64,
        most_moves: u64,
        threads: usize,
        watch: &dyn Watch,
    ) -> Result<Lengths, Stopped> {
        watch.begin("playing games", Some(games));
        let next = AtomicU64::new(0);
        let work = || {
            let mut batches = Vec::new();
            loop {
                let first = next.fetch_add(BATCH, Ordering::Relaxed);
                if first >= games {
                    return Ok(batches);
                }
                let last = games.min(first + BATCH);
                batches.push((first, self.batch(first..last, seed, most_moves, watch)?));
                watch.advance(last - first);
            }
        };
        let mut batches = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            let mut all = Vec::new();
            for worker in workers {
                all.extend(worker.join().expect("no worker panics")?);
            }
            Ok::<_, Stopped>(all)
        })?;
        batches.sort_by_key(|(first, _)| *first);
        let (mut moves, mut unfinished) = (Vec::new(), 0);
        for length in batches.into_iter().flat_map(|(_, lengths)| lengths) {
            match length {
                Some(length) => moves.push(length),
                None => unfinished += 1,
            }
        }
        Ok(Lengths { moves, unfinished })
    }

    /// Plays the games with these numbers; `None` for those that reach the limit.
    fn batch(
        &self,
        numbers: std::ops::Range<u64>,
        seed: u64,
        most: u64,
        watch: &dyn Watch,
    ) -> Result<Vec<Option<u64>>, Stopped> {
        let mut lengths = vec![None; (numbers.end - numbers.start) as usize];
        let mut steps: u64 = 0;
        let mut waiting = numbers.clone();
        let mut lanes: Vec<Lane> = waiting
            .by_ref()
            .take(LANES)
            .map(|number| self.lane(number, seed))
            .collect();
        while !lanes.is_empty() {
            steps += 1;
            if steps.is_multiple_of(STEPS_BETWEEN_CHECKS) {
                watch.check()?;
            }
            self.step(&mut lanes);
            let mut at = 0;
            while let Some(lane) = lanes.get_mut(at) {
                let achieved = lane.node == ACHIEVED;
                if !achieved && lane.moves < most {
                    at += 1;
                    continue;
                }
                lengths[(lane.number - numbers.start) as usize] = achieved.then_some(lane.moves);
                match waiting.next() {
                    Some(number) => *lane = self.lane(number, seed),
                    None => {
                        lanes.swap_remove(at);
                    }
                }
            }
        }
        Ok(lengths)
    }

    fn lane(&self, number: u64, seed: u64) -> Lane {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        Lane {
            number,
            rng,
            node: self.start,
            moves: 0,
        }
    }

    /// Plays a move of the player and the reply in all games.
    #[inline]
    fn step(&self, lanes: &mut [Lane]) {
        let mut ranges = [(0, 0); LANES];
        for (lane, range) in lanes.iter().zip(&mut ranges) {
            let node = lane.node as usize;
            *range = (self.starts[node], self.starts[node + 1]);
        }
        for (lane, &(first, end)) in lanes.iter_mut().zip(&ranges) {
            let drawn = lane.rng.next_u32();
            let edges = &self.edges[first as usize..end as usize];
            let edge = edges.iter().find(|edge| drawn <= edge.cumulated);
            lane.node = edge.map_or(ACHIEVED, |edge| edge.to);
            lane.moves += 1;
        }
        for (lane, range) in lanes.iter().zip(&mut ranges) {
            *range = match lane.node {
                ACHIEVED => (0, 0),
                node => {
                    let node = node as usize;
                    (self.reply_starts[node], self.reply_starts[node + 1])
                }
            };
        }
        for (lane, &(first, end)) in lanes.iter_mut().zip(&ranges) {
            lane.node = match end - first {
                0 => ACHIEVED,
                1 => self.replies[first as usize],
                count => {
                    let drawn = (u64::from(lane.rng.next_u32()) * count) >> 32;
                    self.replies[first as usize + drawn as usize]
                }
            };
        }
    }
}

/// A game in progress.
struct Lane {
    number: u64,
    rng: ChaCha8Rng,
    node: u32,
    moves: u64,
}

/// The moves of all won nodes with their probabilities.
fn edges(won: &Nodes, weights: &Weights) -> (Vec<u64>, Vec<Edge>) {
    let lists: Vec<Vec<Edge>> = (0..won.len())
        .into_par_iter()
        .map(|rank| {
            let (targets, depths) = won.moves(rank);
            let by_depth = weights.of(depths);
            let weight = |depth: u8| by_depth[usize::from(depth)];
            let total: f64 = depths.iter().map(|&depth| weight(depth)).sum();
            let mut moves: Vec<_> = targets.iter().zip(depths).collect();
            moves.sort_by(|a, b| weight(*b.1).total_cmp(&weight(*a.1)));
            let mut sum = 0.0;
            let mut edges: Vec<Edge> = moves
                .into_iter()
                .map(|(&target, &depth)| {
                    sum += weight(depth);
                    Edge {
                        cumulated: (sum / total * f64::from(u32::MAX)).round() as u32,
                        to: if target == ACHIEVED {
                            ACHIEVED
                        } else {
                            target >> 3
                        },
                    }
                })
                .collect();
            if let Some(last) = edges.last_mut() {
                last.cumulated = u32::MAX;
            }
            edges
        })
        .collect();
    let mut starts = vec![0];
    let mut edges = Vec::with_capacity(won.targets.len());
    for list in lists {
        edges.extend(list);
        starts.push(edges.len() as u64);
    }
    (starts, edges)
}

/// Concatenates lists and returns where each begins.
fn flat<I: Iterator<Item = u32>>(nodes: &Nodes, list: impl Fn(usize) -> I) -> (Vec<u64>, Vec<u32>) {
    let mut starts = vec![0];
    let mut all = Vec::with_capacity(nodes.targets.len());
    for rank in 0..nodes.len() {
        all.extend(list(rank));
        starts.push(all.len() as u64);
    }
    (starts, all)
}
