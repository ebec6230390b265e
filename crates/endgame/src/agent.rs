//! Players on tables, and the agents that play their games.

use errare_core::{Stopped, Watch};
use errare_tables::ProbeError;
use rand::{Rng, RngExt};
use shakmaty::{Chess, Color};

use crate::{HuntError, Oracle, Turn};

/// A position as an agent sees it.
#[derive(Debug, Clone, Copy)]
pub struct TableView<'a> {
    /// The oracle that values its moves.
    pub oracle: &'a Oracle,
    /// The position.
    pub position: &'a Chess,
    /// Its moves.
    pub turn: &'a Turn,
}

/// Why no move was made.
#[derive(Debug, thiserror::Error)]
pub enum TablePlayError {
    /// The tables gave no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The watcher stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// A hunter has no solution.
    #[error(transparent)]
    Hunt(#[from] HuntError),
    /// Something else that a player depends on failed.
    #[error(transparent)]
    Other(Box<dyn std::error::Error + Send + Sync>),
}

/// A player that can start games.
pub trait TablePlayer: Sync {
    /// Starts one side of a new game.
    fn agent(&self) -> Box<dyn TableAgent + '_>;

    /// The probability of each move, if it is known and depends on the position alone; the match then asks once
    /// per position. Otherwise agents are asked for each move.
    fn chances(&self, _view: TableView<'_>) -> Result<Option<Vec<f64>>, TablePlayError> {
        Ok(None)
    }
}

/// One side of one game. A new game needs a new agent.
pub trait TableAgent: Send {
    /// The game begins, with this many plies on the clock of the 50-move rule.
    fn begin(&mut self, _clock: u32) {}

    /// Prepares to play this colour in positions like this one, which may take long. If the watch stops it, an
    /// agent that can choose without the preparation does so.
    fn prepare(
        &mut self,
        _view: TableView<'_>,
        _own: Color,
        _watch: &dyn Watch,
    ) -> Result<(), TablePlayError> {
        Ok(())
    }

    /// The index of the chosen move, in a position in which the game is not over.
    fn choose(&mut self, view: TableView<'_>, rng: &mut dyn Rng) -> Result<usize, TablePlayError>;

    /// What the user should know about how it chooses now, such as that it is not prepared yet.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Learns from the opponent's choice.
    fn watch(&mut self, _view: TableView<'_>, _chosen: usize) {}
}

/// Draws an index with these probabilities.
pub fn draw(chances: &[f64], rng: &mut dyn Rng) -> usize {
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
