//! How a game stands for one side.

use errare_choice::State;
use errare_core::{Colour, Metric, Outcome};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// What a position or a game is worth to somebody, as the papers say: its value.
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
    pub fn of_sign(sign: i32) -> GameValue {
        match sign {
            0 => GameValue::Draw,
            1.. => GameValue::Win,
            _ => GameValue::Loss,
        }
    }

    /// The same for the other side.
    #[must_use]
    pub fn reversed(self) -> GameValue {
        match self {
            GameValue::Loss => GameValue::Win,
            GameValue::Draw => GameValue::Draw,
            GameValue::Win => GameValue::Loss,
        }
    }
}

/// A value with its depth, as one side sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Standing {
    /// The value.
    pub value: GameValue,
    /// The winner's moves that are still to be made, in the session's metric; none in a draw.
    pub moves: Option<u16>,
}

impl Standing {
    /// Of a position with a side to move, for `side`.
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

    /// Of a move for the side that makes it: the winner's moves include this one. By DTR, which is no number
    /// of moves but a bound, it is the bound of the position after it.
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
