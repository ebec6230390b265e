//! Simulates games on a graph of play by the million.
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

/// The node after a move that achieves the win.
pub(crate) const ACHIEVED: u32 = u32::MAX;

/// Games a worker plays at once.
const LANES: usize = 32;
/// Games a worker takes at a time.
const BATCH: u64 = 1024;
/// Steps of a batch between checks of the watch.
const STEPS_BETWEEN_CHECKS: u64 = 1 << 12;
/// Nodes whose moves are prepared in one task.
const CHUNK: usize = 1 << 12;
/// Nodes whose moves are in memory twice while they are prepared: tasks for many cores, little beside all nodes.
const PREPARED: usize = 32 * CHUNK;

/// A move: its cumulative probability in units of 2^-32, and the opponent's node.
#[derive(Debug, Clone, Copy)]
struct Edge {
    cumulated: u32,
    to: u32,
}

/// A graph prepared for the games of one R_c against one opponent.
#[derive(Debug)]
pub struct Simulator {
    /// The player's moves.
    edges: Lists<Edge>,
    /// The player's node after each reply; where there is none, the win is achieved.
    replies: Lists<u32>,
    start: u32,
}

/// A list for each node.
#[derive(Debug)]
struct Lists<T> {
    /// By node: its first entry; and the end.
    starts: Vec<u64>,
    all: Vec<T>,
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
    /// Games from a node of the player. `moves` lists the moves of its nodes: weights, and the opponent's nodes; `replies` the
    /// player's nodes after the replies of the opponent, which are equally likely. Both come with the numbers of nodes and entries.
    pub(crate) fn new(
        start: usize,
        counts: [usize; 2],
        moves: impl Fn(usize) -> Vec<(f64, u32)> + Sync,
        reply_counts: [usize; 2],
        replies: impl Fn(usize) -> Vec<u32> + Sync,
    ) -> Simulator {
        Simulator {
            edges: Lists::new(counts, |node| edges(moves(node))),
            replies: Lists::new(reply_counts, replies),
            start: start as u32,
        }
    }

    /// The bytes for this many nodes, moves and replies.
    pub(crate) fn bytes(nodes: usize, moves: usize, replies: usize) -> u64 {
        (nodes * size_of::<u64>() + moves * size_of::<Edge>() + replies * size_of::<u32>()) as u64
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
            *range = self.edges.range(lane.node);
        }
        for (lane, &(first, end)) in lanes.iter_mut().zip(&ranges) {
            let drawn = lane.rng.next_u32();
            let edges = &self.edges.all[first as usize..end as usize];
            let edge = edges.iter().find(|edge| drawn <= edge.cumulated);
            lane.node = edge.map_or(ACHIEVED, |edge| edge.to);
            lane.moves += 1;
        }
        for (lane, range) in lanes.iter().zip(&mut ranges) {
            *range = match lane.node {
                ACHIEVED => (0, 0),
                node => self.replies.range(node),
            };
        }
        for (lane, &(first, end)) in lanes.iter_mut().zip(&ranges) {
            lane.node = match end - first {
                0 => ACHIEVED,
                1 => self.replies.all[first as usize],
                count => {
                    let drawn = (u64::from(lane.rng.next_u32()) * count) >> 32;
                    self.replies.all[first as usize + drawn as usize]
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

/// Moves, likeliest first, with their cumulative probabilities.
fn edges(mut moves: Vec<(f64, u32)>) -> Vec<Edge> {
    let total: f64 = moves.iter().map(|(weight, _)| weight).sum();
    moves.sort_by(|a, b| b.0.total_cmp(&a.0));
    let mut sum = 0.0;
    let cumulated = |(weight, to): (f64, u32)| {
        sum += weight;
        Edge {
            cumulated: (sum / total * f64::from(u32::MAX)).round() as u32,
            to,
        }
    };
    let mut edges: Vec<Edge> = moves.into_iter().map(cumulated).collect();
    if let Some(last) = edges.last_mut() {
        last.cumulated = u32::MAX;
    }
    edges
}

impl<T: Copy + Send> Lists<T> {
    /// The lists of so many nodes, with so many entries.
    fn new([nodes, entries]: [usize; 2], list: impl Fn(usize) -> Vec<T> + Sync) -> Lists<T> {
        let mut starts = Vec::with_capacity(nodes + 1);
        let mut all = Vec::with_capacity(entries);
        starts.push(0);
        for begin in (0..nodes).step_by(PREPARED) {
            let end = nodes.min(begin + PREPARED);
            let chunks = (begin..end).into_par_iter().step_by(CHUNK).map(|first| {
                let lists = (first..end.min(first + CHUNK)).map(&list);
                lists.collect::<Vec<_>>()
            });
            for list in chunks.collect::<Vec<_>>().into_iter().flatten() {
                all.extend(list);
                starts.push(all.len() as u64);
            }
        }
        Lists { starts, all }
    }

    #[inline]
    fn range(&self, node: u32) -> (u64, u64) {
        (self.starts[node as usize], self.starts[node as usize + 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order_and_fit() {
        let nodes = PREPARED + CHUNK + 1;
        let entries = (0..nodes).map(|node| node % 3).sum();
        let lists = Lists::new([nodes, entries], |node| vec![node; node % 3]);
        assert_eq!((lists.all.len(), lists.all.capacity()), (entries, entries));
        for node in 0..nodes {
            let (start, end) = lists.range(node as u32);
            assert_eq!(
                lists.all[start as usize..end as usize],
                vec![node; node % 3]
            );
        }
    }
}
