//! The Markov chain of a player against an opponent.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{ChainState, Elimination, Matrix, States};

/// The chain of a player's move and the opponent's reply, on positions with the player to move.
#[derive(Debug, Clone)]
pub struct Chain {
    states: States,
    player: Color,
    /// Row by row.
    entries: Vec<f64>,
    /// By state: are there positions of it with the player to move?
    occurs: Vec<bool>,
}

/// The probability of each result, for the player.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ResultChances {
    /// The player wins.
    pub win: f64,
    /// A draw.
    pub draw: f64,
    /// The player loses.
    pub loss: f64,
}

impl Chain {
    /// The chain of the two sides' matrices.
    pub fn new(player: Color, matrix: &Matrix, answers: &Matrix) -> Chain {
        assert_eq!((matrix.mover, answers.mover), (player, !player));
        assert_eq!(matrix.states, answers.states);
        let states = matrix.states;
        let len = states.len();
        let mut entries = vec![0.0; len * len];
        for (row, product) in matrix.entries.chunks(len).zip(entries.chunks_mut(len)) {
            for (between, &chance) in row.iter().enumerate().filter(|(_, chance)| **chance > 0.0) {
                let answers = &answers.entries[between * len..][..len];
                for (entry, answer) in product.iter_mut().zip(answers) {
                    *entry += chance * answer;
                }
            }
        }
        let occurs = matrix.positions.iter().map(|&count| count > 0).collect();
        Chain {
            states,
            player,
            entries,
            occurs,
        }
    }

    /// The states.
    pub fn states(&self) -> States {
        self.states
    }

    /// The player's win of a depth.
    pub fn win(&self, depth: u16) -> ChainState {
        match self.player {
            Color::White => ChainState::Win(depth),
            Color::Black => ChainState::Loss(depth),
        }
    }

    /// The depths of wins that occur with the player to move, ascending.
    pub fn depths(&self) -> impl DoubleEndedIterator<Item = u16> {
        (1..=self.states.deepest(self.player)).filter(|&depth| self.occurs(self.win(depth)))
    }

    /// Are there positions of a state with the player to move?
    pub fn occurs(&self, state: ChainState) -> bool {
        self.occurs[self.states.number(state)]
    }

    /// The numbers of the states in which play goes on.
    fn transient(&self) -> Vec<usize> {
        (0..self.states.len())
            .filter(|&number| !self.states.state(number).is_final())
            .collect()
    }

    /// For each transient state, the probability that play ends in a given state at the next move.
    fn ends(&self, transient: &[usize], end: ChainState) -> Vec<f64> {
        let len = self.states.len();
        let end = self.states.number(end);
        transient
            .iter()
            .map(|&from| self.entries[from * len + end])
            .collect()
    }

    fn finals() -> [ChainState; 3] {
        [ChainState::Win(0), ChainState::Drawn, ChainState::Loss(0)]
    }

    fn elimination(&self, transient: &[usize]) -> Elimination {
        let len = self.states.len();
        let entry = |from: usize, to: usize| self.entries[from * len + to];
        let transitions = transient
            .iter()
            .flat_map(|&from| transient.iter().map(move |&to| entry(from, to)))
            .collect();
        let mut absorbed = vec![0.0; transient.len()];
        for end in Chain::finals() {
            let ends = self.ends(transient, end);
            absorbed
                .iter_mut()
                .zip(ends)
                .for_each(|(sum, end)| *sum += end);
        }
        Elimination::new(transitions, absorbed)
    }

    /// Spreads values of transient states over all states, with another value for the rest.
    fn spread(&self, transient: &[usize], values: &[f64], others: f64) -> Vec<f64> {
        let mut all = vec![others; self.states.len()];
        for (&number, &value) in transient.iter().zip(values) {
            all[number] = value;
        }
        all
    }

    /// L: for each state, the expected number of the player's moves until play ends; infinite if it may never end.
    pub fn expected_moves(&self) -> Vec<f64> {
        let transient = self.transient();
        let gain = vec![1.0; transient.len()];
        let lengths = self.elimination(&transient).collect(gain, f64::INFINITY);
        self.spread(&transient, &lengths, 0.0)
    }

    /// The standard deviation of that number.
    pub fn deviation(&self) -> Vec<f64> {
        let transient = self.transient();
        let elimination = self.elimination(&transient);
        let lengths = elimination.collect(vec![1.0; transient.len()], f64::INFINITY);
        // E[n^2] = 1 + 2 Q E[n] + Q E[n^2], and Q E[n] = E[n] - 1.
        // States that never end do not contribute to those that do; infinity times probability 0 would be NaN.
        let gain = |&length: &f64| {
            if length.is_finite() {
                2.0 * length - 1.0
            } else {
                0.0
            }
        };
        let gain = lengths.iter().map(gain).collect();
        let squares = elimination.collect(gain, f64::INFINITY);
        let deviations: Vec<f64> = squares
            .iter()
            .zip(&lengths)
            .map(|(square, length)| match length.is_finite() {
                true => (square - length * length).max(0.0).sqrt(),
                false => f64::INFINITY,
            })
            .collect();
        self.spread(&transient, &deviations, 0.0)
    }

    /// For each state, the probability that the player has won by its move of this number.
    pub fn win_within(&self, moves: u32) -> Vec<f64> {
        self.within(self.win(0), moves)
    }

    /// For each state, the probability that play has ended in a given state by the player's move of this number.
    fn within(&self, end: ChainState, moves: u32) -> Vec<f64> {
        let len = self.states.len();
        let mut chances = vec![0.0; len];
        chances[self.states.number(end)] = 1.0;
        // More moves than a game can have are handled by squaring the matrix: a hundred million take no time.
        let mut great = moves / MOVES_AT_A_TIME;
        if great > 0 {
            let mut square = power(&self.entries, len, MOVES_AT_A_TIME);
            loop {
                if great % 2 == 1 {
                    chances = before_a_move(&square, &chances);
                }
                great /= 2;
                if great == 0 {
                    break;
                }
                square = product(&square, &square, len);
            }
        }
        for _ in 0..moves % MOVES_AT_A_TIME {
            chances = before_a_move(&self.entries, &chances);
        }
        chances
    }

    fn results_of(&self, by_end: &[Vec<f64>; 3]) -> Vec<ResultChances> {
        let [white, draw, black] = by_end;
        let (win, loss) = self.player.fold_wb((white, black), (black, white));
        let results = win.iter().zip(draw).zip(loss);
        results
            .map(|((&win, &draw), &loss)| ResultChances { win, draw, loss })
            .collect()
    }

    /// For each state, the probability of each result by the player's move of this number. The remainder to 1 is
    /// undecided.
    pub fn results_within(&self, moves: u32) -> Vec<ResultChances> {
        self.results_of(&Chain::finals().map(|end| self.within(end, moves)))
    }

    /// For each state, the probability of each final result. The remainder to 1 goes on for ever.
    pub fn results(&self) -> Vec<ResultChances> {
        let transient = self.transient();
        let elimination = self.elimination(&transient);
        let by_end = Chain::finals().map(|end| {
            let chances = elimination.collect(self.ends(&transient, end), 0.0);
            let mut all = self.spread(&transient, &chances, 0.0);
            all[self.states.number(end)] = 1.0;
            all
        });
        self.results_of(&by_end)
    }
}

/// The number of moves followed one by one; a power of two.
const MOVES_AT_A_TIME: u32 = 1 << 12;

/// The probabilities in each state before a move, from those after it.
fn before_a_move(matrix: &[f64], chances: &[f64]) -> Vec<f64> {
    let rows = matrix.chunks(chances.len());
    rows.map(|row| row.iter().zip(chances).map(|(p, chance)| p * chance).sum())
        .collect()
}

/// The product of two square matrices, by rows.
fn product(a: &[f64], b: &[f64], len: usize) -> Vec<f64> {
    let mut product = vec![0.0; len * len];
    for (row, target) in a.chunks(len).zip(product.chunks_mut(len)) {
        for (factor, other) in row.iter().zip(b.chunks(len)) {
            for (sum, value) in target.iter_mut().zip(other) {
                *sum += factor * value;
            }
        }
    }
    product
}

/// A square matrix to a power that is a power of two.
fn power(matrix: &[f64], len: usize, exponent: u32) -> Vec<f64> {
    let mut square = matrix.to_vec();
    for _ in 0..exponent.ilog2() {
        square = product(&square, &square, len);
    }
    square
}
