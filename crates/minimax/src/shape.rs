//! The shape of a game tree: the number of children of every node, and nothing else.
//!
//! The probabilities depend only on the shape, and equal positions at the same level have equal subtrees, so
//! each position of a level is expanded once. A node is the list of its children's *rows*; an evaluation
//! computes a row of numbers per node, level by level upwards (see [`Tree::propagate`](crate::Tree::propagate)
//! for the recursion). Leaves are never visited: for parents of leaves, the number of children is all that
//! matters.
//!
//! A position in which the game is over is a node with one dummy child, as in the paper's canonical extension
//! (section 3), whose row is the value of that end. Ends are recognised above the last level only: any position
//! at the horizon is a leaf.

mod children;

use std::num::NonZeroU32;

use errare_core::{Stopped, Watch};
use indexmap::IndexSet;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

use crate::distribution::{LANES, ScorePoint, ScoreRow, Scores};
use crate::game::{GameEnd, GamePosition, Terminals};

/// The shape of a tree of some depth.
#[derive(Debug, Clone)]
pub struct Shape {
    /// The levels from the root down whose children are nodes of the next.
    upper: Vec<Level<u32>>,
    /// The level whose children are parents of leaves.
    lowest: Level<u16>,
    /// The highest row among the children of the lowest level.
    highest_row: usize,
    /// The number of plies to the leaves.
    depth: u32,
}

/// The nodes of one level.
#[derive(Debug, Clone)]
struct Level<Index> {
    /// Where the children of each node end.
    ends: Vec<usize>,
    /// The children of all nodes, each by its row.
    children: Vec<Index>,
}

/// The number of rows that every level has before those of its nodes: dummy children.
const DUMMIES: usize = 4;
const LOSS: usize = 0;
const DRAW: usize = 1;
const WIN: usize = 2;
const LEAF: usize = 3;

/// Levels with fewer nodes are evaluated by one thread: waking another costs more.
const WORTH_SHARING: usize = 2048;

/// How many nodes are expanded between two visits to the set of known positions.
const BATCH: usize = 4096;

/// How many nodes of the lowest level are expanded between checks of the watch: some tenths of a second.
const WATCHED_BATCH: usize = 1 << 16;

impl<Index: Copy + Into<u32> + Sync> Level<Index> {
    fn new() -> Self {
        Level {
            ends: Vec::new(),
            children: Vec::new(),
        }
    }

    fn push(&mut self, children: impl IntoIterator<Item = Index>) {
        self.children.extend(children);
        self.ends.push(self.children.len());
    }

    fn nodes(&self) -> impl Iterator<Item = &[Index]> {
        (0..self.ends.len()).map(|node| self.children_of(node))
    }

    fn children_of(&self, node: usize) -> &[Index] {
        let start = if node == 0 { 0 } else { self.ends[node - 1] };
        &self.children[start..self.ends[node]]
    }

    /// The rows of this level from those of the level below.
    fn evaluate(&self, below: &[ScoreRow], dummies: [ScoreRow; DUMMIES]) -> Vec<ScoreRow> {
        let row = |node| {
            let mut product = [1.0; LANES];
            for &child in self.children_of(node) {
                let factor = &below[child.into() as usize];
                for (product, factor) in product.iter_mut().zip(factor) {
                    *product *= factor;
                }
            }
            product.map(|product| 1.0 - product)
        };
        let mut rows = Vec::with_capacity(DUMMIES + self.ends.len());
        rows.extend(dummies);
        if self.ends.len() < WORTH_SHARING {
            rows.extend((0..self.ends.len()).map(row));
        } else {
            rows.par_extend((0..self.ends.len()).into_par_iter().map(row));
        }
        rows
    }
}

impl Shape {
    /// The shape of the tree below a position in which the game is not over.
    pub fn of<G: GamePosition>(root: &G, depth: NonZeroU32, terminals: Terminals) -> Shape {
        Shape::watched(root, depth, terminals, &()).expect("nobody stops it")
    }

    /// Like [`Shape::of`], watched: a step is the expansion of a position, and the number of steps becomes known
    /// level by level.
    pub fn watched<G: GamePosition>(
        root: &G,
        depth: NonZeroU32,
        terminals: Terminals,
        watch: &dyn Watch,
    ) -> Result<Shape, Stopped> {
        let depth = depth.get();
        let mut positions = vec![root.clone()];
        let mut upper = Vec::new();
        for level in 0..depth.saturating_sub(2) {
            watch.begin("growing the tree", Some(positions.len() as u64));
            let (nodes, next) = expand(&positions, |end| dummy(end, terminals, level), watch)?;
            upper.push(nodes);
            positions = next;
        }
        let lowest = if depth == 1 {
            // The moves are leaves themselves.
            let mut root_only = Level::new();
            root_only.push(root.moves().iter().map(|_| LEAF as u16));
            root_only
        } else {
            let level = depth - 2;
            let family = |position: &G| mobilities(position, terminals, level);
            watch.begin("counting the leaves", Some(positions.len() as u64));
            let mut nodes = Level::new();
            for batch in positions.chunks(WATCHED_BATCH) {
                watch.check()?;
                let families: Vec<Vec<u16>> = batch.par_iter().map(family).collect();
                families.into_iter().for_each(|family| nodes.push(family));
                watch.advance(batch.len() as u64);
            }
            nodes
        };
        Ok(Shape {
            upper,
            highest_row: lowest.children.iter().max().copied().map_or(0, usize::from),
            lowest,
            depth,
        })
    }

    /// The number of positions at the horizon: the perft of the root.
    pub fn leaves(&self) -> u128 {
        let parent = |&row: &u16| mobility(row.into()).unwrap_or(0.0) as u128;
        if self.depth == 1 {
            return self.lowest.children.len() as u128;
        }
        let mut leaves: Vec<u128> =
            with_dummies(self.lowest.nodes().map(|c| c.iter().map(parent).sum()));
        for level in self.upper.iter().rev() {
            let sum = |children: &[u32]| children.iter().map(|&child| leaves[child as usize]).sum();
            leaves = with_dummies(level.nodes().map(sum));
        }
        leaves[DUMMIES]
    }

    /// The number of nodes stored: far fewer than in the tree, where moves transpose.
    pub fn nodes(&self) -> usize {
        let upper: usize = self.upper.iter().map(|level| level.ends.len()).sum();
        upper + self.lowest.ends.len() + self.lowest.children.len()
    }

    /// The rows of the parents of leaves, by their number of children.
    fn leaf_parents(&self, points: &[ScorePoint; LANES]) -> Vec<ScoreRow> {
        let odd = self.depth % 2 == 1;
        let leaf = points.map(|point| if odd { point.below } else { point.above });
        let one_child = points.map(|point| if odd { point.above } else { point.below });
        let mut rows = Vec::from(dummies(points, (self.depth - 1).max(1)));
        // 1 - leaf^(n+1) = (1 - leaf) + leaf (1 - leaf^n): no digits are lost.
        let mut row = one_child;
        while rows.len() <= self.highest_row {
            rows.push(row);
            for ((row, leaf), one) in row.iter_mut().zip(leaf).zip(one_child) {
                *row = one + leaf * *row;
            }
        }
        rows
    }
}

impl Scores for Shape {
    fn moves(&self) -> usize {
        match self.upper.first() {
            Some(root) => root.children.len(),
            None => self.lowest.children.len(),
        }
    }

    fn distributions(&self, points: &[ScorePoint; LANES]) -> Vec<ScoreRow> {
        let mut rows = self.leaf_parents(points);
        let Some((root, between)) = self.upper.split_first() else {
            return self
                .lowest
                .children
                .iter()
                .map(|&child| rows[child as usize])
                .collect();
        };
        let mut level = self.depth - 2;
        rows = self.lowest.evaluate(&rows, dummies(points, level));
        for nodes in between.iter().rev() {
            level -= 1;
            rows = nodes.evaluate(&rows, dummies(points, level));
        }
        root.children
            .iter()
            .map(|&child| rows[child as usize])
            .collect()
    }
}

/// The number of children of a parent of leaves, by its row; `None` for a dummy.
fn mobility(row: usize) -> Option<f64> {
    (row >= DUMMIES).then(|| (row + 1 - DUMMIES) as f64)
}

/// The row of the dummy child of a game that ended with its position at this level.
fn dummy(end: GameEnd, terminals: Terminals, level: u32) -> usize {
    let first_player = if level.is_multiple_of(2) {
        end
    } else {
        end.reversed()
    };
    match (terminals, first_player) {
        (Terminals::Paper, _) => LEAF,
        (Terminals::Recognised, GameEnd::Loss) => LOSS,
        (Terminals::Recognised, GameEnd::Draw) => DRAW,
        (Terminals::Recognised, GameEnd::Win) => WIN,
    }
}

/// The rows of the dummy children at a level.
fn dummies(points: &[ScorePoint; LANES], level: u32) -> [ScoreRow; DUMMIES] {
    let at_most = |worth: usize, point: &ScorePoint| match worth {
        LOSS => 1.0,
        DRAW => point.draw,
        WIN => 0.0,
        _ => point.below,
    };
    std::array::from_fn(|worth| {
        points.each_ref().map(|point| match level % 2 {
            1 => at_most(worth, point),
            _ if worth == LEAF => point.above,
            _ => 1.0 - at_most(worth, point),
        })
    })
}

/// Prepends a zero for each dummy to the values of nodes.
fn with_dummies(values: impl Iterator<Item = u128>) -> Vec<u128> {
    std::iter::repeat_n(0, DUMMIES).chain(values).collect()
}

/// The nodes of a level, and the distinct positions of the next.
fn expand<G: GamePosition>(
    positions: &[G],
    dummy: impl Fn(GameEnd) -> usize,
    watch: &dyn Watch,
) -> Result<(Level<u32>, Vec<G>), Stopped> {
    let children = |position: &G| -> Vec<G> {
        let moves = position.moves();
        moves
            .into_iter()
            .map(|chosen| position.play(chosen))
            .collect()
    };
    let mut nodes = Level::new();
    let mut next: IndexSet<G, FxBuildHasher> = IndexSet::default();
    for batch in positions.chunks(BATCH) {
        watch.check()?;
        let families: Vec<Vec<G>> = batch.par_iter().map(children).collect();
        for (position, family) in batch.iter().zip(families) {
            if family.is_empty() {
                nodes.push([dummy(position.terminal()) as u32]);
            } else {
                nodes.push(
                    family
                        .into_iter()
                        .map(|child| (DUMMIES + next.insert_full(child).0) as u32),
                );
            }
        }
        watch.advance(batch.len() as u64);
    }
    Ok((nodes, next.into_iter().collect()))
}

/// The rows of a node's children that are parents of leaves.
fn mobilities<G: GamePosition>(position: &G, terminals: Terminals, level: u32) -> Vec<u16> {
    let moves = position.moves();
    if moves.is_empty() {
        return vec![dummy(position.terminal(), terminals, level) as u16];
    }
    let row = |chosen| {
        let child = position.play(chosen);
        match child.moves().len() {
            0 => dummy(child.terminal(), terminals, level + 1) as u16,
            mobility => (DUMMIES - 1 + mobility) as u16,
        }
    };
    moves.into_iter().map(row).collect()
}
