//! The standing of a game for one side.

use errare_choice::State;
use errare_core::{Colour, Metric, Outcome};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// The value of a position or game for one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum GameValue {
    /// A loss.
    Loss,
    /// A draw.
    Draw,
    /// A win.
    Win,
}

impl GameValue {
    /// Of 1, 0 or -1.
    pub(crate) fn of_sign(sign: i32) -> GameValue {
        match sign {
            0 => GameValue::Draw,
            1.. => GameValue::Win,
            _ => GameValue::Loss,
        }
    }

    /// The value for the other side.
    #[must_use]
    pub fn reversed(self) -> GameValue {
        match self {
            GameValue::Loss => GameValue::Win,
            GameValue::Draw => GameValue::Draw,
            GameValue::Win => GameValue::Loss,
        }
    }
}

/// A value with its depth, from one side's view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Standing {
    /// The value.
    pub value: GameValue,
    /// The number of moves the winner still needs, in the session's metric; none in a draw.
    pub moves: Option<u16>,
}

impl Standing {
    /// The standing in a position with a side to move, for `side`.
    pub fn of(outcome: Outcome, turn: Color, side: Colour, metric: Metric) -> Standing {
        let value = GameValue::of_sign(outcome.sign());
        Standing {
            value: if Colour::from(turn) == side {
                value
            } else {
                value.reversed()
            },
            moves: outcome.moves_in(metric).map(|moves| moves.0),
        }
    }

    /// The standing after a move for the side that makes it: the winner's moves include this one. In DTR,
    /// which is a bound rather than a number of moves, it is that of the position after it.
    pub(super) fn through(state: State, metric: Metric) -> Standing {
        let this_move = u16::from(metric != Metric::Dtr);
        Standing {
            value: GameValue::of_sign(state.value()),
            moves: match state {
                State::Win(depth) => Some(depth + this_move),
                State::Draw => None,
                State::Loss(depth) => Some(depth),
            },
        }
    }
}
