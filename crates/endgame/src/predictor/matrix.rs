//! The transition matrix of one side's moves.

use shakmaty::Color;

use super::{ChainState, States};

/// m_ij: the probability that a side, to move in state i, moves to state j.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    pub(super) states: States,
    pub(super) mover: Color,
    /// Row by row.
    pub(super) entries: Vec<f64>,
    /// By state: the number of positions of the full board in the average.
    pub(super) positions: Vec<u64>,
}

impl Matrix {
    /// The states of rows and columns.
    pub fn states(&self) -> States {
        self.states
    }

    /// The side that moves.
    pub fn mover(&self) -> Color {
        self.mover
    }

    /// The probability of moving from one state to another.
    pub fn get(&self, from: ChainState, to: ChainState) -> f64 {
        self.row(from)[self.states.number(to)]
    }

    /// The probabilities of moving from a state to all states, in order.
    pub fn row(&self, from: ChainState) -> &[f64] {
        let len = self.states.len();
        &self.entries[self.states.number(from) * len..][..len]
    }

    /// The number of positions of the full board in a state, with the side to move. If there are
    /// none, or play is over, the row is that of an infallible side.
    pub fn positions(&self, from: ChainState) -> u64 {
        self.positions[self.states.number(from)]
    }

    /// The matrix of a side that is infallible in every state.
    pub(super) fn of_infallible(states: States, mover: Color) -> Matrix {
        let len = states.len();
        let mut entries = vec![0.0; len * len];
        for (row, from) in entries.chunks_mut(len).zip(states.all()) {
            row[states.number(Matrix::infallible(mover, from))] = 1.0;
        }
        Matrix {
            states,
            mover,
            entries,
            positions: vec![0; len],
        }
    }

    /// The state an infallible side moves to: its win comes a move nearer, anything else stays.
    pub(super) fn infallible(mover: Color, from: ChainState) -> ChainState {
        match (from, mover) {
            (ChainState::Win(depth @ 1..), Color::White) => ChainState::Win(depth - 1),
            (ChainState::Loss(depth @ 1..), Color::Black) => ChainState::Loss(depth - 1),
            _ => from,
        }
    }

    /// E[u_i M]: the expected depth after a move of the mover from its win of a depth, if it keeps
    /// the win.
    pub fn expected_depth(&self, depth: u16) -> f64 {
        let win = |depth| match self.mover {
            Color::White => ChainState::Win(depth),
            Color::Black => ChainState::Loss(depth),
        };
        let row = self.row(win(depth));
        (0..=self.states.deepest(self.mover))
            .map(|to| row[self.states.number(win(to))] * f64::from(to))
            .sum()
    }
}
