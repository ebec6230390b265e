//! Captures and promotions from the positions of a pawn slice.

use rayon::prelude::*;
use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use super::{
    exits::Exits,
    family::{Exit, Family},
    half::Half,
    moves::QuietMoves,
    subgames::{Passage, Subgames},
};
use crate::{
    Layout, Value,
    geometry::{Sq, Word, bit, squares},
    layout::side,
};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Which side captures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Capturer {
    King,
    Man(usize),
}

struct Capture {
    capturer: Capturer,
    victim: usize,
    /// The only square on which a pawn captures here.
    on: Option<Sq>,
    passage: Passage,
}

struct Promotion {
    pawn: usize,
    to: Sq,
    passage: Passage,
}

/// The captures and promotions of one side in a pawn slice.
pub(crate) struct Conversions<'a> {
    layout: &'a Layout,
    turn: Color,
    pawns: &'a [Sq],
    captures: Vec<Capture>,
    promotions: Vec<Promotion>,
}

impl<'a> Conversions<'a> {
    /// The captures and promotions available to `turn` around pawns on these squares.
    pub(crate) fn new<S: Subgames>(
        layout: &'a Layout,
        turn: Color,
        pawns: &'a [Sq],
        subgames: &S,
    ) -> Result<Conversions<'a>, S::Error> {
        let mut conversions = Conversions {
            layout,
            turn,
            pawns,
            captures: Vec::new(),
            promotions: Vec::new(),
        };
        let is_pawn = |man: usize| man >= layout.first_pawn();
        let own = |man: &usize| layout.men()[*man].color == turn;
        let men = 0..layout.men().len();
        for victim in men.clone().filter(|man| !own(man)) {
            let pieces = men.clone().filter(|man| own(man) && !is_pawn(*man));
            for capturer in [Capturer::King]
                .into_iter()
                .chain(pieces.map(Capturer::Man))
            {
                let passage = conversions.passage(subgames, Some(victim), None)?;
                conversions.captures.push(Capture {
                    capturer,
                    victim,
                    on: None,
                    passage,
                });
            }
        }
        for pawn in men.clone().filter(|man| own(man) && is_pawn(*man)) {
            let from = conversions.pawn_square(pawn);
            let roles = if is_last_step(turn, from) {
                &PROMOTIONS[..]
            } else {
                &[Role::Pawn]
            };
            for &role in roles {
                let attacked = attacks::pawn_attacks(turn, Square::new(u32::from(from)));
                for on in squares(attacked.0) {
                    for victim in men.clone().filter(|man| !own(man)) {
                        if is_pawn(victim) && conversions.pawn_square(victim) != on {
                            continue;
                        }
                        let moved = Some((pawn, on, role));
                        let passage = conversions.passage(subgames, Some(victim), moved)?;
                        conversions.captures.push(Capture {
                            capturer: Capturer::Man(pawn),
                            victim,
                            on: Some(on),
                            passage,
                        });
                    }
                }
                if role != Role::Pawn {
                    let to = turn.fold_wb(from + 8, from.wrapping_sub(8));
                    let passage = conversions.passage(subgames, None, Some((pawn, to, role)))?;
                    conversions.promotions.push(Promotion { pawn, to, passage });
                }
            }
        }
        Ok(conversions)
    }

    fn passage<S: Subgames>(
        &self,
        subgames: &S,
        victim: Option<usize>,
        moved: Option<PawnMove>,
    ) -> Result<Passage, S::Error> {
        passage(self.layout, self.turn, self.pawns, subgames, victim, moved)
    }

    fn pawn_square(&self, man: usize) -> Sq {
        self.pawns[man - self.layout.first_pawn()]
    }

    /// Adds all captures and promotions to the exits.
    pub(crate) fn add_to(
        &self,
        exits: &mut Exits,
        family: Family,
        moves: &QuietMoves<'_>,
        half: &Half,
    ) {
        if self.is_empty() {
            return;
        }
        let rows = self.layout.rows.len();
        exits
            .rows_mut()
            .enumerate()
            .with_min_len(rows)
            .for_each(|(i, mut exits)| {
                let (pair, row) = (i / rows, i % rows);
                self.visit(moves, pair, row, half.legal[i], |positions, value| {
                    exits.add(positions, value, family.cost_of(Exit::Conversion, value));
                });
            });
    }

    /// Are there none at all?
    pub(crate) fn is_empty(&self) -> bool {
        self.captures.is_empty() && self.promotions.is_empty()
    }

    /// Calls `visit` with each capture and promotion from these legal positions of a row: the
    /// positions from which it leads to one common position, and the value of that position, which
    /// is [`Value::NONE`] if the move is illegal.
    #[inline]
    pub(crate) fn visit(
        &self,
        moves: &QuietMoves<'_>,
        pair: usize,
        row: usize,
        legal: Word,
        mut visit: impl FnMut(Word, Value),
    ) {
        if legal == 0 {
            return;
        }
        let board = RowBoard {
            layout: self.layout,
            kings: self.layout.kings.pairs[pair],
            men: self.men_of_row(row),
            occupied: moves.occupied(pair, row),
            legal,
        };
        for capture in &self.captures {
            self.visit_capture(capture, &board, &mut visit);
        }
        for promotion in &self.promotions {
            visit_promotion(promotion, &board, &mut visit);
        }
    }

    /// The squares of outer pieces and pawns; that of the inner piece is left open.
    pub(crate) fn men_of_row(&self, row: usize) -> [Sq; 3] {
        let mut men = [0; 3];
        let outers = self.layout.outers().len();
        men[..outers].copy_from_slice(&self.layout.rows.squares[row][..outers]);
        men[self.layout.first_pawn()..self.layout.men().len()].copy_from_slice(self.pawns);
        men
    }

    fn visit_capture(
        &self,
        capture: &Capture,
        board: &RowBoard<'_>,
        visit: &mut impl FnMut(Word, Value),
    ) {
        let (piece, from) = match capture.capturer {
            Capturer::King => (Role::King.of(self.turn), board.king(self.turn)),
            Capturer::Man(man) => (self.layout.men()[man], board.square(man)),
        };
        let occupied = Bitboard(board.occupied);
        let reached = |lane: Sq, on: Sq| {
            let (mut kings, mut men) = board.with_inner_on(lane);
            match capture.capturer {
                Capturer::King => kings[side(self.turn)] = on,
                Capturer::Man(man) => men[man] = on,
            }
            capture.passage.value(kings, men)
        };
        let mut add = |positions: Word, lane: Sq, on: Sq| visit(positions, reached(lane, on));
        let targets = |from: Sq| match capture.on {
            Some(on) => bit(on),
            None => attacks::attacks(Square::new(u32::from(from)), piece, occupied).0,
        };
        match (from, board.square(capture.victim)) {
            (Some(from), Some(on)) => {
                if targets(from) & bit(on) != 0 {
                    let [from, to] = [from, on].map(|square| Square::new(u32::from(square)));
                    let passed = attacks::between(from, to).0;
                    for lane in squares(board.legal & !passed) {
                        add(bit(lane), lane, on);
                    }
                }
            }
            (Some(from), None) => {
                for lane in squares(board.legal & targets(from)) {
                    add(bit(lane), lane, lane);
                }
            }
            // The capturer is the inner piece: it arrives at the same square from anywhere.
            (None, Some(on)) => {
                let from = board.legal & targets(on);
                if from != 0 {
                    add(from, on, on);
                }
            }
            (None, None) => unreachable!("no man captures itself"),
        }
    }
}

fn visit_promotion(
    promotion: &Promotion,
    board: &RowBoard<'_>,
    visit: &mut impl FnMut(Word, Value),
) {
    if board.occupied & bit(promotion.to) != 0 {
        return;
    }
    for lane in squares(board.legal & !bit(promotion.to)) {
        let (kings, mut men) = board.with_inner_on(lane);
        men[promotion.pawn] = promotion.to;
        visit(bit(lane), promotion.passage.value(kings, men));
    }
}

/// A pawn's number among the men, the square it moves to, and what it is then.
type PawnMove = (usize, Sq, Role);

/// The passage to the subgame after a victim has gone and a pawn has moved or promoted.
pub(crate) fn passage<S: Subgames>(
    layout: &Layout,
    mover: Color,
    pawns: &[Sq],
    subgames: &S,
    victim: Option<usize>,
    moved: Option<PawnMove>,
) -> Result<Passage, S::Error> {
    let left: Vec<(usize, Piece, Option<Sq>)> = layout
        .men()
        .iter()
        .enumerate()
        .filter(|&(number, _)| Some(number) != victim)
        .map(|(number, &man)| {
            let (role, square) = match moved {
                Some((pawn, to, role)) if pawn == number => (role, Some(to)),
                _ if man.role == Role::Pawn => {
                    (Role::Pawn, Some(pawns[number - layout.first_pawn()]))
                }
                _ => (man.role, None),
            };
            (number, role.of(man.color), square)
        })
        .collect();
    Passage::new(subgames, mover, &left)
}

/// Does the pawn's next step promote it?
pub(crate) fn is_last_step(color: Color, from: Sq) -> bool {
    from >> 3 == color.fold_wb(6, 1)
}

/// The positions of a row.
struct RowBoard<'a> {
    layout: &'a Layout,
    kings: [Sq; 2],
    men: [Sq; 3],
    occupied: Word,
    legal: Word,
}

impl RowBoard<'_> {
    /// The square of a man; `None` for the inner piece.
    fn square(&self, man: usize) -> Option<Sq> {
        (Some(man) != self.layout.inner_man()).then(|| self.men[man])
    }

    /// The square of a king; `None` if it is the inner piece.
    fn king(&self, color: Color) -> Option<Sq> {
        (Role::King.of(color) != self.layout.inner).then(|| self.kings[side(color)])
    }

    /// The squares of the kings and the other men, with the inner piece on a given square.
    fn with_inner_on(&self, lane: Sq) -> ([Sq; 2], [Sq; 3]) {
        let (mut kings, mut men) = (self.kings, self.men);
        match self.layout.inner_man() {
            Some(inner) => men[inner] = lane,
            None => kings[side(Color::Black)] = lane,
        }
        (kings, men)
    }
}
