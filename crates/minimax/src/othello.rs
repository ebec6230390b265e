//! Othello. A player without a move passes, which counts as a ply; the game is over when neither side
//! has a move, and the side with more discs wins.

use crate::game::{GameEnd, GamePosition, MoveList};

/// A position: the discs of the side to move, and of the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Othello {
    own: u64,
    other: u64,
}

/// A move in Othello.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OthelloMove {
    /// A disc on a square, 0 for a1, 63 for h8.
    Disc(u8),
    /// No disc can be placed.
    Pass,
}

impl Default for Othello {
    /// The starting position, Black to move.
    fn default() -> Othello {
        let square = |file: u32, rank: u32| 1 << (8 * (rank - 1) + file - 1);
        Othello {
            own: square(4, 5) | square(5, 4),
            other: square(4, 4) | square(5, 5),
        }
    }
}

/// A step to a neighbouring square: the shift, and the squares that it can reach.
const STEPS: [(i32, u64); 8] = [
    (1, NOT_FIRST_FILE),
    (-1, NOT_LAST_FILE),
    (8, u64::MAX),
    (-8, u64::MAX),
    (9, NOT_FIRST_FILE),
    (7, NOT_LAST_FILE),
    (-7, NOT_FIRST_FILE),
    (-9, NOT_LAST_FILE),
];
const NOT_FIRST_FILE: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_LAST_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;

fn step(squares: u64, (shift, arrivals): (i32, u64)) -> u64 {
    let shifted = if shift > 0 {
        squares << shift
    } else {
        squares >> -shift
    };
    shifted & arrivals
}

/// The run of the other side's discs that begins next to `from`.
fn run(from: u64, other: u64, direction: (i32, u64)) -> u64 {
    let mut run = step(from, direction) & other;
    for _ in 0..5 {
        run |= step(run, direction) & other;
    }
    run
}

impl Othello {
    /// The squares where a disc can be placed: empty, at the end of a run that begins at an own disc.
    fn placements(&self) -> u64 {
        let ends = STEPS.map(|direction| step(run(self.own, self.other, direction), direction));
        ends.into_iter().fold(0, |all, ends| all | ends) & !(self.own | self.other)
    }

    fn reversed(&self) -> Othello {
        Othello {
            own: self.other,
            other: self.own,
        }
    }
}

impl GamePosition for Othello {
    type Move = OthelloMove;

    fn moves(&self) -> MoveList<OthelloMove> {
        let mut left = self.placements();
        if left == 0 && self.reversed().placements() != 0 {
            return MoveList::from_iter([OthelloMove::Pass]);
        }
        let mut moves = MoveList::new();
        while left != 0 {
            moves.push(OthelloMove::Disc(left.trailing_zeros() as u8));
            left &= left - 1;
        }
        moves
    }

    fn play(&self, chosen: OthelloMove) -> Othello {
        let OthelloMove::Disc(square) = chosen else {
            return self.reversed();
        };
        let disc = 1 << square;
        let flipped = STEPS.into_iter().fold(0, |all, direction| {
            let run = run(disc, self.other, direction);
            let closed = step(run, direction) & self.own != 0;
            if closed { all | run } else { all }
        });
        Othello {
            own: self.own | disc | flipped,
            other: self.other & !flipped,
        }
        .reversed()
    }

    fn terminal(&self) -> GameEnd {
        match self.own.count_ones().cmp(&self.other.count_ones()) {
            std::cmp::Ordering::Less => GameEnd::Loss,
            std::cmp::Ordering::Equal => GameEnd::Draw,
            std::cmp::Ordering::Greater => GameEnd::Win,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perft;

    /// The numbers that every Othello programmer compares with.
    #[test]
    fn perft_of_the_starting_position() {
        let expected = [4, 12, 56, 244, 1396, 8200, 55092, 390_216];
        for (depth, leaves) in (1..).zip(expected) {
            assert_eq!(perft(&Othello::default(), depth), leaves, "depth {depth}");
        }
    }

    #[test]
    fn who_cannot_move_passes() {
        // h1 is the mover's, g1 the other's.
        let position = Othello {
            own: 1 << 7,
            other: 1 << 6,
        };
        assert_eq!(position.moves()[..], [OthelloMove::Disc(5)]);
        let waiting = position.reversed();
        assert_eq!(waiting.moves()[..], [OthelloMove::Pass]);
        assert_eq!(waiting.play(OthelloMove::Pass), position);
        let over = position.play(OthelloMove::Disc(5));
        assert!(over.moves().is_empty());
        assert_eq!(over.terminal(), GameEnd::Loss);
    }
}
