//! Estimates the cost of a tree before it is built.
//!
//! Random walks give an unbiased estimate of the number of nodes of each level: the product of the
//! numbers of moves met on the way down (Knuth 1975, *Estimating the efficiency of backtrack
//! programs*). Since equal positions are expanded only once, the estimate is an upper bound of the
//! work.

use std::mem::size_of;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

use crate::Alpha;
use crate::distribution::{LANES, ScoreRow};
use crate::game::GamePosition;

/// The estimated cost of a tree, ignoring transpositions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchCost {
    /// Leaves of the tree.
    pub leaves: f64,
    /// Time to expand and evaluate it with one thread.
    pub time: Duration,
    /// Memory to hold its shape.
    pub bytes: f64,
}

const WALKS: u32 = 200;

/// Seconds to multiply one child's row of [`LANES`] numbers into its parent's, as measured on a
/// server of the 2020s.
const EVALUATION: f64 = 5e-9;

/// Typical number of passes for continuous leaves.
const PASSES: f64 = 16.0;

impl SearchCost {
    /// Estimates the cost of searching a position to a depth.
    pub fn estimate<G: GamePosition>(root: &G, depth: NonZeroU32, alpha: Alpha) -> SearchCost {
        let depth = depth.get() as usize;
        // The walks are part of the answer, so their seed is fixed.
        let mut rng = ChaCha8Rng::seed_from_u64(0);
        let mut nodes = vec![0.0; depth + 1];
        let mut generated = 0;
        let started = Instant::now();
        for _ in 0..WALKS {
            let mut position = root.clone();
            let mut weight = 1.0 / f64::from(WALKS);
            for level in &mut nodes {
                *level += weight;
                let moves = position.moves();
                generated += 1;
                let Some(&chosen) = moves.choose(&mut rng) else {
                    break;
                };
                weight *= moves.len() as f64;
                position = position.play(chosen);
            }
        }
        let generation = started.elapsed().as_secs_f64() / f64::from(generated);
        let passes = alpha
            .scores()
            .map_or(PASSES, |scores| f64::from(scores) / LANES as f64);
        let at = |plies_left: usize| {
            depth
                .checked_sub(plies_left)
                .map_or(0.0, |level| nodes[level])
        };
        let seconds = at(1) * (generation + passes * EVALUATION);
        SearchCost {
            leaves: at(0),
            time: Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX),
            bytes: at(1) * size_of::<u16>() as f64
                + at(2) * (2 * size_of::<G>() + size_of::<ScoreRow>()) as f64,
        }
    }
}
