//! Set-wise quiet moves within a pawn slice.
//!
//! A quiet move of a piece can be undone by the reverse move, so one relation serves both ways: the
//! positions from which a set can be reached ([`QuietMoves::reach`], cheap for small sets), and
//! those of a row that cannot reach a set ([`QuietMoves::without_move_into`], cheap for few rows).
//! Sets hold only legal positions, which accounts for blocked squares and for kings moving into
//! check.

use shakmaty::Color;

use super::frontier::Frontier;
use crate::{
    Layout,
    geometry::{Sq, Word, bit, for_each_move, moves_of_set},
};

/// The quiet moves within a pawn slice of an endgame.
pub(crate) struct QuietMoves<'a> {
    layout: &'a Layout,
    /// By pair of kings: the squares of kings and pawns.
    fixed: Vec<Word>,
}

impl<'a> QuietMoves<'a> {
    /// The moves of the pieces and kings around pawns on these squares.
    pub(crate) fn new(layout: &'a Layout, pawns: &[Sq]) -> QuietMoves<'a> {
        let pawns = pawns.iter().fold(0, |set, &pawn| set | bit(pawn));
        let fixed = layout
            .kings
            .pairs
            .iter()
            .map(|&[white, black]| bit(white) | bit(black) | pawns)
            .collect();
        QuietMoves { layout, fixed }
    }

    /// The endgame's layout.
    pub(crate) fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The squares of all men except the inner piece.
    #[inline]
    pub(crate) fn occupied(&self, pair: usize, row: usize) -> Word {
        self.fixed[pair] | self.layout.rows.occupied[row]
    }

    /// Can a move by `turn` from this pair of kings reach the set at all?
    pub(crate) fn may_reach(&self, turn: Color, pair: usize, set: &Frontier) -> bool {
        let king_moves = self.layout.kings.moves(turn, pair);
        set.has(pair) || king_moves.iter().any(|to| set.has(to.pair()))
    }

    /// Adds to `reached`, row by row, the positions of a pair of kings from which a quiet move by
    /// `turn` leads into the set.
    pub(crate) fn reach(&self, turn: Color, pair: usize, set: &Frontier, reached: &mut [Word]) {
        for (row, word) in set.rows(pair) {
            let inner = self.layout.inner;
            if inner.color == turn {
                reached[row] |= moves_of_set(inner.role, word, !self.occupied(pair, row));
            }
            self.outer_moves(turn, pair, row, |other, unobstructed| {
                reached[other] |= word & unobstructed;
            });
        }
        for to in self.layout.kings.moves(turn, pair) {
            let back = to.symmetry.inverse();
            for (row, word) in set.rows(to.pair()) {
                reached[self.layout.rows.image(back, row)] |= back.word(word);
            }
        }
    }

    /// Those of the candidates, positions of a row, that have no quiet move by `turn` into the set,
    /// which is given as the words of all rows of the slice.
    #[inline]
    pub(crate) fn without_move_into(
        &self,
        turn: Color,
        pair: usize,
        row: usize,
        mut candidates: Word,
        set: &[Word],
    ) -> Word {
        let rows = self.layout.rows.len();
        let own = &set[pair * rows..][..rows];
        let inner = self.layout.inner;
        if inner.color == turn {
            candidates &= !moves_of_set(inner.role, own[row], !self.occupied(pair, row));
        }
        for to in self.layout.kings.moves(turn, pair) {
            if candidates == 0 {
                return 0;
            }
            let word = set[to.pair() * rows + self.layout.rows.image(to.symmetry, row)];
            candidates &= !to.symmetry.inverse().word(word);
        }
        if candidates != 0 {
            self.outer_moves(turn, pair, row, |other, unobstructed| {
                candidates &= !(own[other] & unobstructed);
            });
        }
        candidates
    }

    /// Calls `visit` with every row that a move of an outer piece leads to, and the squares of the
    /// inner piece that do not block it.
    #[inline(always)]
    pub(crate) fn outer_moves(
        &self,
        turn: Color,
        pair: usize,
        row: usize,
        mut visit: impl FnMut(usize, Word),
    ) {
        let rows = &self.layout.rows;
        let occupied = self.occupied(pair, row);
        let from = rows.squares[row];
        for (i, outer) in self.layout.outers().iter().enumerate() {
            if outer.color == turn {
                for_each_move(outer.role, from[i], occupied, |to, unobstructed| {
                    let mut moved = from;
                    moved[i] = to;
                    visit(rows.find(moved), unobstructed);
                });
            }
        }
    }
}
