//! The moves of one side in the positions of a pawn slice.

use shakmaty::{Bitboard, Square, attacks};

use super::{
    Census,
    lists::{MoveLists, Successor},
    reached::Reached,
};
use crate::{
    FileError, Value,
    build::subgames::StoredSubgames,
    generate::{Conversions, Push, QuietMoves, RowAt},
    geometry::{Sq, Symmetry, Word, squares},
    layout::LANES,
};

/// A pawn slice, and the slices and subgames that moves lead to.
pub(super) struct SliceMoves<'a> {
    census: &'a Census<'a>,
    pub(super) slice: usize,
    /// The codes of the side to move, in stored order.
    pub(super) own: Vec<u8>,
    quiet: QuietMoves<'a>,
    reached: Reached,
    conversions: Conversions<'a>,
    pushes: Vec<(Push, Reached)>,
}

impl<'a> SliceMoves<'a> {
    /// Reads everything that the moves of a slice need.
    pub(super) fn load(
        census: &'a Census<'a>,
        slice: usize,
        subgames: &StoredSubgames<'_>,
    ) -> Result<SliceMoves<'a>, FileError> {
        let (layout, turn) = (&census.scan.layout, census.turn);
        let (len, pawns) = (layout.slice_len(), &layout.pawns.slices[slice]);
        let pushes = Push::all(layout, turn, slice, subgames)?
            .into_iter()
            .map(|push| {
                let reached = Reached::load(census, push.slice)?;
                Ok((push, reached))
            })
            .collect::<Result<_, FileError>>()?;
        Ok(SliceMoves {
            census,
            slice,
            own: census.scan.table.codes(turn, (slice * len) as u64, len)?,
            quiet: QuietMoves::new(layout, pawns),
            reached: Reached::load(census, slice)?,
            conversions: Conversions::new(layout, turn, pawns, subgames)?,
            pushes,
        })
    }

    /// Lists the moves of some positions of a row.
    pub(super) fn list(&self, pair: usize, row: usize, positions: Word, lists: &mut MoveLists) {
        self.list_quiet(pair, row, positions, lists);
        let conversion = |positions: Word, value: Value| {
            if value != Value::NONE {
                let kind = self.census.kinds.conversion_to(value);
                for lane in squares(positions) {
                    self.push_elsewhere(lists, lane, kind);
                }
            }
        };
        self.conversions
            .visit(&self.quiet, pair, row, positions, conversion);
        for (push, reached) in &self.pushes {
            self.list_push(push, reached, pair, row, positions, lists);
        }
    }

    fn list_quiet(&self, pair: usize, row: usize, positions: Word, lists: &mut MoveLists) {
        let (layout, turn) = (&self.census.scan.layout, self.census.turn);
        let rows = layout.rows.len();
        let own = pair * rows;
        self.quiet
            .outer_moves(turn, pair, row, |other, unobstructed| {
                let to = at(pair, other, Symmetry::IDENTITY);
                for lane in squares(positions & unobstructed & self.reached.legal[own + other]) {
                    self.push(lists, lane, to, lane);
                }
            });
        if layout.inner.color == turn {
            let occupied = self.quiet.occupied(pair, row);
            let to = at(pair, row, Symmetry::IDENTITY);
            let free = self.reached.legal[own + row] & !occupied;
            for lane in squares(positions) {
                let square = Square::new(u32::from(lane));
                let reached = attacks::attacks(square, layout.inner, Bitboard(occupied)).0 & free;
                for arrival in squares(reached) {
                    self.push(lists, lane, to, arrival);
                }
            }
        }
        for step in layout.kings.moves(turn, pair) {
            let (pair, row) = (step.pair(), layout.rows.image(step.symmetry, row));
            let to = at(pair, row, step.symmetry);
            let legal = self.reached.legal[pair * rows + row];
            for lane in squares(positions & step.symmetry.inverse().word(legal)) {
                self.push(lists, lane, to, step.symmetry.square(lane));
            }
        }
    }

    fn list_push(
        &self,
        push: &Push,
        reached: &Reached,
        pair: usize,
        row: usize,
        positions: Word,
        lists: &mut MoveLists,
    ) {
        let (census, layout) = (self.census, &self.census.scan.layout);
        let i = pair * layout.rows.len() + row;
        let row_at = RowAt { layout, pair, row };
        let to = at(pair, row, Symmetry::IDENTITY);
        let open = push.unobstructed(layout, pair, row);
        for lane in squares(positions & reached.legal[i] & open) {
            let code = reached.codes[i * LANES + usize::from(lane)];
            let answered = push
                .may_be_answered_en_passant()
                .then(|| push.value_with_en_passant(row_at, lane, census.family, self.value(code)))
                .flatten();
            match answered {
                Some(value) => self.push_elsewhere(lists, lane, census.kinds.push_to(value)),
                None => {
                    let kind = census.kinds.push(code);
                    if census.successors {
                        let index = push.slice * layout.slice_len() + self.offset(to, lane);
                        lists.push_with_successor(lane, kind, Successor::new(index, to.symmetry));
                    } else {
                        lists.push(lane, kind);
                    }
                }
            }
        }
    }

    /// The value of a code of the side that is to move afterwards.
    fn value(&self, code: u8) -> Value {
        let palette = self.census.scan.table.palette(!self.census.turn);
        palette
            .get(usize::from(code))
            .map_or(Value::DRAW, |&outcome| outcome.into())
    }

    /// Adds a lane's move to a lane of a row in the same slice.
    #[inline]
    fn push(&self, lists: &mut MoveLists, lane: Sq, to: ReachedRow, arrival: Sq) {
        let layout = &self.census.scan.layout;
        let row = (to.pair * layout.rows.len() + to.row) * LANES;
        let code = self.reached.codes[row + usize::from(arrival)];
        let kind = self.census.kinds.quiet(code);
        if self.census.successors {
            let index = self.slice * layout.slice_len() + self.offset(to, arrival);
            lists.push_with_successor(lane, kind, Successor::new(index, to.symmetry));
        } else {
            lists.push(lane, kind);
        }
    }

    /// Adds a move that leaves the endgame.
    #[inline]
    fn push_elsewhere(&self, lists: &mut MoveLists, lane: Sq, kind: u16) {
        if self.census.successors {
            lists.push_with_successor(lane, kind, Successor::ELSEWHERE);
        } else {
            lists.push(lane, kind);
        }
    }

    /// The stored offset of a lane of a row in its slice.
    #[inline]
    fn offset(&self, ReachedRow { pair, row, .. }: ReachedRow, lane: Sq) -> usize {
        let layout = &self.census.scan.layout;
        let lane = usize::from(lane);
        let in_pair = match &self.census.offsets {
            None => row * LANES + lane,
            Some(offsets) => offsets[row * LANES + lane] as usize,
        };
        pair * layout.pair_len() + in_pair
    }
}

/// A row that a move leads to.
#[derive(Clone, Copy)]
struct ReachedRow {
    pair: usize,
    row: usize,
    /// The symmetry under which it is stored.
    symmetry: Symmetry,
}

fn at(pair: usize, row: usize, symmetry: Symmetry) -> ReachedRow {
    ReachedRow {
        pair,
        row,
        symmetry,
    }
}
