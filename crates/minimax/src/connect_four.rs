//! Connect Four: seven columns of six, four in a line win.

use crate::game::{GameEnd, GamePosition, MoveList};

const COLUMNS: u32 = 7;
const ROWS: u32 = 6;
/// Bits a column takes: one more than its rows, so that lines do not run from one into the next.
const STRIDE: u32 = ROWS + 1;

/// A position: the stones of the side to move, and of the other, column by column from below.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct ConnectFour {
    own: u64,
    other: u64,
}

impl ConnectFour {
    /// Has the side that just moved four in a line?
    fn lost(&self) -> bool {
        // Steps up, right, and along both diagonals.
        [1, STRIDE, STRIDE + 1, STRIDE - 1].into_iter().any(|step| {
            let pairs = self.other & (self.other >> step);
            pairs & (pairs >> (2 * step)) != 0
        })
    }

    fn height(&self, column: u32) -> u32 {
        let stones = (self.own | self.other) >> (column * STRIDE);
        (stones & ((1 << ROWS) - 1)).count_ones()
    }
}

impl GamePosition for ConnectFour {
    /// The column, from 0.
    type Move = u8;

    fn moves(&self) -> MoveList<u8> {
        if self.lost() {
            return MoveList::new();
        }
        let open = (0..COLUMNS).filter(|&column| self.height(column) < ROWS);
        open.map(|column| column as u8).collect()
    }

    fn play(&self, column: u8) -> ConnectFour {
        let column = column.into();
        let stone = 1 << (column * STRIDE + self.height(column));
        ConnectFour {
            own: self.other,
            other: self.own | stone,
        }
    }

    fn terminal(&self) -> GameEnd {
        if self.lost() {
            GameEnd::Loss
        } else {
            GameEnd::Draw
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft;

    /// Up to six plies every column is open and nobody can have lost by the sixth; with the seventh
    /// a column can be full (7 ways), and in the eighth games have ended.
    #[test]
    fn perft_of_the_empty_board() {
        for depth in 1..=6 {
            assert_eq!(perft(&ConnectFour::default(), depth), 7u64.pow(depth));
        }
        assert_eq!(perft(&ConnectFour::default(), 7), 7u64.pow(7) - 7);
        assert_eq!(perft(&ConnectFour::default(), 8), 5_673_234);
    }

    #[test]
    fn four_in_a_line_end_the_game() {
        let play = |columns: &[u8]| {
            columns
                .iter()
                .fold(ConnectFour::default(), |p, &c| p.play(c))
        };
        let lines: [&[u8]; 4] = [
            &[0, 1, 0, 1, 0, 1, 0],             // up
            &[0, 0, 1, 1, 2, 2, 3],             // right
            &[0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3], // diagonal
            &[3, 2, 2, 1, 1, 0, 1, 0, 0, 6, 0], // the other diagonal
        ];
        for line in lines {
            let before = play(&line[..line.len() - 1]);
            assert!(!before.moves().is_empty(), "{line:?}");
            let after = play(line);
            assert!(
                after.moves().is_empty() && after.terminal() == GameEnd::Loss,
                "{line:?}"
            );
        }
    }
}
