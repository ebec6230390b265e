//! Pawn pushes, from a pawn slice to one solved before it.

use rayon::prelude::*;
use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, Move, Position, PositionError, Role, Setup, Square,
};

use super::{
    conversions::{is_last_step, passage},
    exits::{Exits, RowExits},
    family::{Exit, Family},
    half::Half,
    subgames::{Passage, Subgames},
};
use crate::{
    Layout, Value,
    geometry::{Sq, Word, bit, squares},
    layout::{LANES, Place, Placement},
};

/// A push of one pawn, by one rank or two.
pub(crate) struct Push {
    turn: Color,
    /// The index of the pawn among the men.
    pawn: usize,
    to: Sq,
    /// The square that a double push passes.
    passed: Option<Sq>,
    /// The slice it leads to.
    pub(crate) slice: usize,
    /// The possible replies by capture en passant.
    en_passant: Vec<EnPassant>,
}

/// The capture of a pawn en passant.
struct EnPassant {
    /// Where the capturing pawn comes from.
    from: Sq,
    /// The index of the capturing pawn among the men.
    capturer: usize,
    passage: Passage,
}

impl Push {
    /// Every push of one side in a slice.
    pub(crate) fn all<S: Subgames>(
        layout: &Layout,
        turn: Color,
        slice: usize,
        subgames: &S,
    ) -> Result<Vec<Push>, S::Error> {
        let squares = &layout.pawns.slices[slice];
        let mut pushes = Vec::new();
        for (i, &from) in squares.iter().enumerate() {
            if layout.pawns.colors[i] != turn || is_last_step(turn, from) {
                continue;
            }
            let ahead = |square: Sq| turn.fold_wb(square + 8, square.wrapping_sub(8));
            let first_rank = turn.fold_wb(1, 6);
            let passed = ahead(from);
            if squares.contains(&passed) {
                continue;
            }
            let mut steps = vec![(passed, None)];
            if from >> 3 == first_rank && !squares.contains(&ahead(passed)) {
                steps.push((ahead(passed), Some(passed)));
            }
            for (to, passed) in steps {
                let mut pushed = squares.clone();
                pushed[i] = to;
                let stored = layout
                    .pawns
                    .find(&pushed)
                    .expect("a push keeps pawns apart");
                let pawn = layout.first_pawn() + i;
                let mut push = Push {
                    turn,
                    pawn,
                    to,
                    passed,
                    slice: stored.slice,
                    en_passant: Vec::new(),
                };
                push.find_en_passant(layout, &pushed, subgames)?;
                pushes.push(push);
            }
        }
        Ok(pushes)
    }

    fn find_en_passant<S: Subgames>(
        &mut self,
        layout: &Layout,
        pushed: &[Sq],
        subgames: &S,
    ) -> Result<(), S::Error> {
        let Some(passed) = self.passed else {
            return Ok(());
        };
        for (i, &from) in pushed.iter().enumerate() {
            let beside = from >> 3 == self.to >> 3 && (from & 7).abs_diff(self.to & 7) == 1;
            if beside && layout.pawns.colors[i] == !self.turn {
                let capturer = layout.first_pawn() + i;
                let passage = passage(
                    layout,
                    !self.turn,
                    pushed,
                    subgames,
                    Some(self.pawn),
                    Some((capturer, passed, Role::Pawn)),
                )?;
                self.en_passant.push(EnPassant {
                    from,
                    capturer,
                    passage,
                });
            }
        }
        Ok(())
    }

    /// Adds the push to the exits; `reached` is the slice it leads to, with the other side to move.
    pub(crate) fn add_to(
        &self,
        exits: &mut Exits,
        family: Family,
        layout: &Layout,
        half: &Half,
        reached: &Half,
    ) {
        let rows = layout.rows.len();
        exits
            .rows_mut()
            .enumerate()
            .with_min_len(rows)
            .for_each(|(i, mut exits)| {
                let (pair, row) = (i / rows, i % rows);
                let open = self.unobstructed(layout, pair, row);
                let positions = half.legal[i] & reached.legal[i] & open;
                if positions == 0 {
                } else if !self.may_be_answered_en_passant() {
                    let depths = &reached.depth[i * LANES..][..LANES];
                    let cost = |lane: usize| family.cost(Exit::Push, depths[lane]);
                    let (won, lost) = (reached.won(i), reached.lost[i]);
                    exits.add_draws(positions & !won & !lost);
                    if family == Family::Zeroing {
                        exits.add_free(positions & lost, positions & won);
                    } else {
                        exits.add_wins(positions & lost, cost);
                        exits.add_losses(positions & won, cost);
                    }
                } else {
                    let at = RowAt { layout, pair, row };
                    self.add_with_en_passant(positions, at, family, reached, &mut exits);
                }
            });
    }

    /// Can the push be answered en passant?
    pub(crate) fn may_be_answered_en_passant(&self) -> bool {
        !self.en_passant.is_empty()
    }

    /// The squares of the inner piece that do not block the push in a row. The arrival square is
    /// not checked: such positions are illegal afterwards.
    pub(crate) fn unobstructed(&self, layout: &Layout, pair: usize, row: usize) -> Word {
        let Some(passed) = self.passed else {
            return !0;
        };
        let [white, black] = layout.kings.pairs[pair];
        let men = bit(white) | bit(black) | layout.rows.occupied[row];
        if men & bit(passed) == 0 {
            !bit(passed)
        } else {
            0
        }
    }

    /// Adds the push where it can be answered en passant. Slow, but such positions are few.
    fn add_with_en_passant(
        &self,
        positions: Word,
        at: RowAt<'_>,
        family: Family,
        reached: &Half,
        exits: &mut RowExits<'_>,
    ) {
        let rows = at.layout.rows.len();
        for lane in squares(positions) {
            let without = reached.value(at.pair * rows + at.row, usize::from(lane));
            let answered = self.value_with_en_passant(at, lane, family, without);
            let value = answered.unwrap_or(without);
            exits.add(bit(lane), value, family.cost_of(Exit::Push, value));
        }
    }

    /// The value after the push for the other side if it may capture en passant: its best choice
    /// among those captures and, if it has other moves as well, the value of these.
    pub(crate) fn value_with_en_passant(
        &self,
        at: RowAt<'_>,
        lane: Sq,
        family: Family,
        without: Value,
    ) -> Option<Value> {
        let (layout, placement) = (at.layout, at.placement(self, lane));
        let setup = Setup {
            board: layout.board(placement).expect("the position is legal"),
            turn: !self.turn,
            ep_square: self.passed.map(|square| Square::new(u32::from(square))),
            ..Setup::empty()
        };
        let position = Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .expect("the position is legal");
        let moves = position.legal_moves();
        let (captures, others): (Vec<&Move>, Vec<&Move>) =
            moves.iter().partition(|m| m.is_en_passant());
        if captures.is_empty() {
            return None;
        }
        let passed = self.passed.expect("a double push");
        let outcomes = captures.iter().filter_map(|m| {
            let answer = self
                .en_passant
                .iter()
                .find(|answer| m.from() == Some(Square::new(u32::from(answer.from))))
                .expect("every capture en passant is known");
            let mut men = placement.men;
            men[answer.capturer] = passed;
            family.through_conversion(answer.passage.value(placement.kings, men))
        });
        let without = without.outcome().filter(|_| !others.is_empty());
        let best = outcomes
            .chain(without)
            .max_by_key(|outcome| outcome.preference());
        best.map(Value::from)
    }
}

/// A row of a pair of kings.
#[derive(Clone, Copy)]
pub(crate) struct RowAt<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) pair: usize,
    pub(crate) row: usize,
}

impl RowAt<'_> {
    /// The men after a push, with the inner piece on a given square.
    fn placement(self, push: &Push, lane: Sq) -> Placement {
        self.layout.placement(Place {
            slice: push.slice,
            pair: self.pair,
            row: self.row,
            lane,
        })
    }
}
