//! The interface to a game that random minimaxing needs.

use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// The maximum number of moves in a position of any game here: the capacity of shakmaty's move
/// list.
pub const MOST_MOVES: usize = 270;

/// The moves of a position.
pub type MoveList<M> = ArrayVec<M, MOST_MOVES>;

/// How a game ended, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameEnd {
    /// The side to move has lost.
    Loss,
    /// Drawn.
    Draw,
    /// The side to move has won.
    Win,
}

impl GameEnd {
    /// The same end for the other side.
    pub fn reversed(self) -> GameEnd {
        match self {
            GameEnd::Loss => GameEnd::Win,
            GameEnd::Draw => GameEnd::Draw,
            GameEnd::Win => GameEnd::Loss,
        }
    }
}

/// A position of a two-player game with alternating moves.
///
/// Equal positions have equal moves and equal futures: what the past adds to the rules (repetition,
/// counters) belongs to [`MinimaxMatch`](crate::MinimaxMatch), not here.
pub trait GamePosition: Clone + Eq + Hash + Send + Sync {
    /// A move.
    type Move: Copy + Debug + PartialEq + Send + Sync;

    /// The legal moves; empty exactly if the game is over.
    fn moves(&self) -> MoveList<Self::Move>;

    /// The position after one of its moves.
    fn play(&self, chosen: Self::Move) -> Self;

    /// How a game without moves ended. Call it only for positions without moves.
    fn terminal(&self) -> GameEnd;

    /// Has a counter that is not part of the position made the game a draw?
    fn drawn_by_counter(&self) -> bool {
        false
    }

    /// Who is ahead in a game that has reached the limit of plies.
    fn adjudicate(&self) -> GameEnd {
        GameEnd::Draw
    }
}

/// What an end of the game inside the tree is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Terminals {
    /// A win is above every score, a loss below, a draw in the middle (Beal and Smith).
    Recognised,
    /// A random score like any leaf's: the dummy moves of the paper's section 3.
    Paper,
}

impl FromStr for Terminals {
    type Err = ParseTerminalsError;

    fn from_str(text: &str) -> Result<Terminals, ParseTerminalsError> {
        match text {
            "recognised" => Ok(Terminals::Recognised),
            "paper" => Ok(Terminals::Paper),
            _ => Err(ParseTerminalsError(text.to_owned())),
        }
    }
}

impl Display for Terminals {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Terminals::Recognised => "recognised",
            Terminals::Paper => "paper",
        })
    }
}

/// Returned when a name is not a convention for terminal positions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown terminals '{0}'; write recognised or paper")]
pub struct ParseTerminalsError(String);
