//! Whoever chooses moves.

use errare_tables::ProbeError;
use rand::{Rng, RngExt};
use shakmaty::Chess;

use crate::{Oracle, Turn};

/// A position as an agent sees it.
#[derive(Debug, Clone, Copy)]
pub struct View<'a> {
    /// What knows its moves' worth.
    pub oracle: &'a Oracle,
    /// The position.
    pub position: &'a Chess,
    /// Its moves.
    pub turn: &'a Turn,
}

/// One side of one game. A new game needs a new agent.
pub trait Agent: Send {
    /// The number of the move chosen, in a position in which the game is not over.
    fn choose(&mut self, view: View<'_>, rng: &mut dyn Rng) -> Result<usize, ProbeError>;

    /// Learns what the opponent chose.
    fn watch(&mut self, _view: View<'_>, _chosen: usize) {}
}

/// Draws a number with these probabilities.
pub(crate) fn draw(chances: &[f64], rng: &mut dyn Rng) -> usize {
    let mut left = rng.random::<f64>();
    let possible = chances
        .iter()
        .enumerate()
        .filter(|(_, chance)| **chance > 0.0);
    let mut last = 0;
    for (number, chance) in possible {
        if left < *chance {
            return number;
        }
        left -= chance;
        last = number;
    }
    last
}
