//! The positions of one side in a hunt, and the ends of play.
//!
//! Nodes are numbered in order of depth. The ends of play come after the nodes of each side, so
//! that the values of all destinations of moves are in one array.

use std::ops::Range;

use rayon::prelude::*;

/// Nodes per task.
pub(super) const CHUNK: usize = 1 << 12;

/// Computes the values of some nodes, in parallel.
pub(super) fn fill(values: &mut [f64], nodes: Range<usize>, value: impl Fn(usize) -> f64 + Sync) {
    values[nodes.clone()]
        .par_iter_mut()
        .zip(nodes)
        .with_min_len(CHUNK)
        .for_each(|(slot, node)| *slot = value(node));
}

/// How play in the graph can end; nothing is followed beyond that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The prey has won, or converted into a win.
    PreyWins,
    /// Drawn for good, or converted into a draw; if only wins are included, any draw.
    Drawn,
    /// The hunter has won; if draws are included, any position that the hunter wins.
    HunterWins,
}

impl End {
    pub(super) const COUNT: usize = 3;

    /// The end with this value for the prey.
    pub(super) fn of(value: i32) -> End {
        match value {
            1.. => End::PreyWins,
            0 => End::Drawn,
            _ => End::HunterWins,
        }
    }
}

/// Positions with one side to move.
#[derive(Debug)]
pub(super) struct Nodes {
    /// By node: the stored index of its position.
    pub(super) indices: Vec<u32>,
    /// By node: the number of positions of the full board it stands for.
    pub(super) orbits: Vec<u8>,
    /// By depth: its first node; and the end.
    pub(super) levels: Vec<usize>,
    /// By node: its first move; and the end.
    pub(super) starts: Vec<u64>,
    /// For each move: the node of the other side, or an end.
    pub(super) targets: Vec<u32>,
    /// For each move: the number of the state it leads to.
    pub(super) states: Vec<u8>,
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.indices.len()
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> u64 {
        Nodes::bytes_of(self.len() as u64, self.targets.len() as u64)
    }

    /// The bytes of this many positions and moves: a position's index, orbit and first move; a move's target and
    /// state.
    pub(super) fn bytes_of(positions: u64, moves: u64) -> u64 {
        positions * (4 + 1 + 8) + moves * (4 + 1)
    }

    /// The moves of a node: targets and numbers of states.
    #[inline]
    pub(super) fn moves(&self, node: usize) -> (&[u32], &[u8]) {
        let range = self.range(node);
        (&self.targets[range.clone()], &self.states[range])
    }

    /// The numbers of a node's moves.
    #[inline]
    pub(super) fn range(&self, node: usize) -> Range<usize> {
        self.starts[node] as usize..self.starts[node + 1] as usize
    }

    /// The nodes of a depth.
    pub(super) fn level(&self, depth: usize) -> Range<usize> {
        match self.levels.get(depth + 1) {
            Some(&end) => self.levels[depth]..end,
            None => 0..0,
        }
    }

    /// The number of depths, including 0.
    pub(super) fn depths(&self) -> usize {
        self.levels.len() - 1
    }

    /// Values of all nodes and ends, initially zero.
    pub(super) fn values(&self) -> Vec<f64> {
        vec![0.0; self.len() + End::COUNT]
    }
}
