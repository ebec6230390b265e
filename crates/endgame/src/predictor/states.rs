//! The states of an endgame's chain, from White's view.

use errare_choice::State;
use errare_core::{Metric, Outcome};
use shakmaty::Color;

/// A state of play in an endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChainState {
    /// White wins; at depth 0 the win is achieved.
    Win(u16),
    /// A draw in the endgame.
    Draw,
    /// A draw for good: stalemate, or a conversion into a drawn endgame.
    Drawn,
    /// Black wins; at depth 0 the win is achieved.
    Loss(u16),
}

impl ChainState {
    /// 1 if White wins, 0 for draws, -1 if Black wins.
    pub const fn value(self) -> i32 {
        match self {
            ChainState::Win(_) => 1,
            ChainState::Draw | ChainState::Drawn => 0,
            ChainState::Loss(_) => -1,
        }
    }

    /// Does play end here?
    pub const fn is_final(self) -> bool {
        matches!(
            self,
            ChainState::Win(0) | ChainState::Drawn | ChainState::Loss(0)
        )
    }

    /// The state from the view of one side.
    pub(crate) fn seen_by(self, side: Color) -> State {
        match (self, side) {
            (ChainState::Draw | ChainState::Drawn, _) => State::Draw,
            (ChainState::Win(depth), Color::White) | (ChainState::Loss(depth), Color::Black) => {
                State::Win(depth)
            }
            (ChainState::Win(depth), Color::Black) | (ChainState::Loss(depth), Color::White) => {
                State::Loss(depth)
            }
        }
    }

    /// The state that one side sees as `seen`.
    pub(crate) fn of(seen: State, side: Color) -> ChainState {
        match (seen, side) {
            (State::Draw, _) => ChainState::Draw,
            (State::Win(depth), Color::White) | (State::Loss(depth), Color::Black) => {
                ChainState::Win(depth)
            }
            (State::Win(depth), Color::Black) | (State::Loss(depth), Color::White) => {
                ChainState::Loss(depth)
            }
        }
    }

    /// The state of a position with a side to move.
    pub(crate) fn of_position(outcome: Outcome, turn: Color, metric: Metric) -> ChainState {
        let depth = outcome.moves_in(metric).map_or(0, |moves| moves.0);
        let seen = match outcome {
            Outcome::Win(_) => State::Win(depth),
            Outcome::Draw => State::Draw,
            Outcome::Loss(_) => State::Loss(depth),
        };
        ChainState::of(seen, turn)
    }
}

/// The depths of White's and Black's deepest wins, which determine the numbering of states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct States {
    /// The deepest win of White.
    pub white: u16,
    /// The deepest win of Black.
    pub black: u16,
}

impl States {
    /// The number of states.
    #[expect(clippy::len_without_is_empty, reason = "there are always some")]
    pub const fn len(self) -> usize {
        self.white as usize + self.black as usize + 4
    }

    /// The number of a state, in the papers' order: White's preferred states first.
    pub const fn number(self, state: ChainState) -> usize {
        let white = self.white as usize;
        match state {
            ChainState::Win(depth) => depth as usize,
            ChainState::Draw => white + 1,
            ChainState::Drawn => white + 2,
            ChainState::Loss(depth) => self.len() - 1 - depth as usize,
        }
    }

    /// The state with a number.
    pub const fn state(self, number: usize) -> ChainState {
        let white = self.white as usize;
        match number {
            _ if number <= white => ChainState::Win(number as u16),
            _ if number == white + 1 => ChainState::Draw,
            _ if number == white + 2 => ChainState::Drawn,
            _ => ChainState::Loss((self.len() - 1 - number) as u16),
        }
    }

    /// All states in order.
    pub fn all(self) -> impl DoubleEndedIterator<Item = ChainState> {
        (0..self.len()).map(move |number| self.state(number))
    }

    /// The deepest win of a side.
    pub const fn deepest(self, side: Color) -> u16 {
        match side {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_states_are_inverse() {
        let states = States {
            white: 31,
            black: 3,
        };
        // The paper's 37 states, and the draw that ends the game.
        assert_eq!(states.len(), 38);
        for number in 0..states.len() {
            let state = states.state(number);
            assert_eq!(states.number(state), number);
            for side in Color::ALL {
                let seen = ChainState::of(state.seen_by(side), side);
                assert!(seen == state || state == ChainState::Drawn);
            }
        }
        assert_eq!(states.state(35), ChainState::Loss(2));
    }
}
