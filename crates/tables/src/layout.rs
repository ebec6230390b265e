//! The layout of an endgame's positions: pawn slice, pair of kings, row, lane.
//!
//! The men other than kings and pawns are one *inner* piece and up to two *outer* ones. Positions
//! that differ only in the square of the inner piece form a **row**, and each is a **lane** of it, so
//! a set of positions of a row is one 64-bit word. In an endgame of kings and pawns alone, the inner
//! piece is the black king.
//!
//! Symmetry: without pawns the eight symmetries of the board leave 462 pairs of kings. With pawns
//! the left-right mirror image is used on the pawns, not on the kings: 24 pawn squares times all
//! 3612 pairs of kings are as many as 48 times 1806, and no move inside a slice ever leaves it for
//! its mirror image.
//!
//! Like pieces are stored once: two like outer pieces share 2016 rows instead of 4096, and an inner
//! piece like the outer ones is stored only on squares beyond theirs.

mod kings;
mod pawns;
mod reflection;
mod rows;

use errare_core::Material;
use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use self::{
    kings::{KingPairs, Kings},
    pawns::Pawns,
    rows::Rows,
};
use crate::geometry::{Sq, Symmetry, Word, bit};

/// The maximum number of men in a table.
pub const MAX_MEN: usize = 5;

/// The lanes of a row: the squares of the inner piece.
pub(crate) const LANES: usize = 64;

/// 0 for White, 1 for Black: an index into per-side arrays.
pub(crate) const fn side(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// A position given by the squares of its men.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Placement {
    /// The squares of the white and the black king.
    pub(crate) kings: [Sq; 2],
    /// The squares of the other men, in the order of the layout.
    pub(crate) men: [Sq; 3],
}

/// A position's coordinates in the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) slice: usize,
    pub(crate) pair: usize,
    pub(crate) row: usize,
    pub(crate) lane: Sq,
}

/// The order in which the positions of an endgame are stored.
#[derive(Debug)]
pub struct Layout {
    material: Material,
    /// All men except the kings: outer pieces, the inner piece, pawns.
    men: Vec<Piece>,
    outers: usize,
    /// The inner piece: the last before the pawns, or the black king.
    pub(crate) inner: Piece,
    pub(crate) kings: Kings,
    pub(crate) rows: Rows,
    pub(crate) pawns: Pawns,
    /// How many lanes of each row are skipped because an equivalent position is stored instead.
    skipped_lanes: Vec<Sq>,
    /// The offset of each row among the stored positions of a pair of kings.
    row_offsets: Vec<u32>,
    /// The number of stored positions of a pair of kings.
    pair_len: usize,
}

/// Why an endgame has no table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LayoutError {
    /// More men than tables support.
    #[error("{0} has {men} men; tables have at most {MAX_MEN}", men = .0.men())]
    TooManyMen(Material),
    /// Two bare kings need no table.
    #[error("{0} is always a draw and has no table")]
    BareKings(Material),
}

impl Layout {
    /// The layout of an endgame's table.
    pub fn new(material: Material) -> Result<Layout, LayoutError> {
        match material.men() {
            ..=2 => return Err(LayoutError::BareKings(material)),
            3..=MAX_MEN => {}
            _ => return Err(LayoutError::TooManyMen(material)),
        }
        let men_of = |color: Color| material.army(color).men().map(move |role| role.of(color));
        let (pawns, mut pieces): (Vec<_>, Vec<_>) = men_of(Color::White)
            .chain(men_of(Color::Black))
            .partition(|man| man.role == Role::Pawn);
        if let [a, b, c] = pieces[..] {
            // Two equal pieces share rows, so they are the outer ones. Otherwise the inner piece is
            // the only black one, or the strongest, whose moves are then made 64 at a time.
            pieces = match () {
                () if a == b => vec![a, b, c],
                () if b == c => vec![b, c, a],
                () if c.color.is_black() => vec![a, b, c],
                () => vec![b, c, a],
            };
        }
        let inner = pieces
            .last()
            .copied()
            .unwrap_or(Role::King.of(Color::Black));
        let outers = pieces.len().saturating_sub(1);
        let alike = outers == 2 && pieces[0] == pieces[1];
        let rows = Rows::new(outers, alike);

        let skipped_lanes: Vec<Sq> = rows
            .squares
            .iter()
            .map(|row| match outers {
                1.. if pieces[outers - 1] == inner => row[outers - 1] + 1,
                _ => 0,
            })
            .collect();
        let kings = match () {
            () if pieces.is_empty() => KingPairs::WhiteOnly,
            () if pawns.is_empty() => KingPairs::UpToSymmetry,
            () => KingPairs::All,
        };
        let mut pair_len = 0;
        let row_offsets = skipped_lanes
            .iter()
            .map(|&skipped| {
                let offset = pair_len as u32;
                pair_len += LANES - usize::from(skipped);
                offset
            })
            .collect();
        Ok(Layout {
            material,
            outers,
            inner,
            kings: Kings::new(kings),
            rows,
            pawns: Pawns::new(pawns.iter().map(|pawn| pawn.color).collect()),
            men: pieces.into_iter().chain(pawns).collect(),
            skipped_lanes,
            row_offsets,
            pair_len,
        })
    }

    /// The endgame.
    pub fn material(&self) -> Material {
        self.material
    }

    /// The number of stored positions for each side to move.
    pub fn len(&self) -> u64 {
        (self.pawns.slices.len() * self.slice_len()) as u64
    }

    /// Always false: every endgame has positions.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All men except the kings: outer pieces, the inner piece, pawns.
    pub fn men(&self) -> &[Piece] {
        &self.men
    }

    /// The outer pieces.
    pub(crate) fn outers(&self) -> &[Piece] {
        &self.men[..self.outers]
    }

    /// The index of the inner piece among [`Layout::men`]; `None` if it is the black king.
    pub(crate) fn inner_man(&self) -> Option<usize> {
        (self.inner.role != Role::King).then_some(self.outers)
    }

    /// The index of the first pawn among [`Layout::men`].
    pub(crate) fn first_pawn(&self) -> usize {
        self.men.len() - self.pawns.colors.len()
    }

    /// The number of stored positions of a pawn slice, for each side to move.
    pub(crate) fn slice_len(&self) -> usize {
        self.kings.pairs.len() * self.pair_len
    }

    /// The number of stored positions of one pair of kings of a slice, for each side to move.
    pub(crate) fn pair_len(&self) -> usize {
        self.pair_len
    }

    /// The first stored lane of a row, and its offset among the positions of its pair of kings.
    pub(crate) fn stored_lanes(&self, row: usize) -> (Sq, usize) {
        (self.skipped_lanes[row], self.row_offsets[row] as usize)
    }

    /// For each row and lane, the offset of its position among those of its pair of kings; `None` if
    /// the offsets are the identity.
    pub(crate) fn lane_offsets(&self) -> Option<Vec<u32>> {
        self.skipped_lanes
            .iter()
            .any(|&skipped| skipped > 0)
            .then(|| {
                let places = (0..self.rows.len()).flat_map(|row| {
                    (0..LANES as Sq).map(move |lane| Place {
                        slice: 0,
                        pair: 0,
                        row,
                        lane,
                    })
                });
                places
                    .map(|place| {
                        let stored = self
                            .find_in_slice(self.placement(place), 0, Symmetry::IDENTITY)
                            .expect("the kings of a stored pair are apart");
                        let (skipped, offset) = self.stored_lanes(stored.row);
                        // Two equal men on one square are not a position, and nothing is stored.
                        (offset as u32 + u32::from(stored.lane.saturating_sub(skipped)))
                            .min(self.pair_len as u32 - 1)
                    })
                    .collect()
            })
    }

    /// The stored index of a place.
    pub(crate) fn index_of(&self, place: Place) -> u64 {
        (place.slice * self.slice_len() + self.index_in_slice(place)) as u64
    }

    /// The stored index of a place within its slice.
    #[inline]
    pub(crate) fn index_in_slice(&self, place: Place) -> usize {
        let (skipped, offset) = self.stored_lanes(place.row);
        place.pair * self.pair_len + offset + usize::from(place.lane - skipped)
    }

    /// The place at a stored index.
    pub(crate) fn place_at(&self, index: u64) -> Place {
        let index = index as usize;
        let (slice, index) = (index / self.slice_len(), index % self.slice_len());
        let (pair, index) = (index / self.pair_len, index % self.pair_len);
        // Empty rows share their successor's offset, so take the last row that starts here.
        let row = self
            .row_offsets
            .partition_point(|&offset| offset as usize <= index)
            - 1;
        let (skipped, offset) = self.stored_lanes(row);
        let lane = (index - offset) as Sq + skipped;
        Place {
            slice,
            pair,
            row,
            lane,
        }
    }

    /// The place of a position; `None` if the kings are adjacent or the pawns impossible.
    #[inline]
    pub(crate) fn find(&self, placement: Placement) -> Option<Place> {
        let (pawns_symmetry, slice) = if self.pawns.colors.is_empty() {
            (Symmetry::IDENTITY, 0)
        } else {
            let pawns = self.first_pawn()..self.men.len();
            let stored = self.pawns.find(&placement.men[pawns])?;
            (stored.symmetry, stored.slice)
        };
        self.find_in_slice(placement, slice, pawns_symmetry)
    }

    /// The place of a position whose slice, and the symmetry that leads there, are known.
    #[inline]
    pub(crate) fn find_in_slice(
        &self,
        placement: Placement,
        slice: usize,
        symmetry: Symmetry,
    ) -> Option<Place> {
        let kings = self
            .kings
            .find(placement.kings.map(|square| symmetry.square(square)))?;
        // Only one of the two is ever different from the identity.
        let symmetry = Symmetry(symmetry.0 | kings.symmetry.0);
        let mut men = placement.men.map(|square| symmetry.square(square));
        let lane = if let Some(inner) = self.inner_man() {
            for outer in 0..self.outers {
                if self.men[outer] == self.inner && men[outer] > men[inner] {
                    men.swap(outer, inner);
                }
            }
            men[inner]
        } else {
            symmetry.square(placement.kings[side(Color::Black)])
        };
        let outer = |i| if i < self.outers { men[i] } else { 0 };
        Some(Place {
            slice,
            pair: kings.pair(),
            row: self.rows.find([outer(0), outer(1)]),
            lane,
        })
    }

    /// The squares of the men at a place.
    pub(crate) fn placement(&self, place: Place) -> Placement {
        let mut men = [0; 3];
        men[..self.outers].copy_from_slice(&self.rows.squares[place.row][..self.outers]);
        let mut kings = self.kings.pairs[place.pair];
        match self.inner_man() {
            Some(inner) => men[inner] = place.lane,
            None => kings[side(Color::Black)] = place.lane,
        }
        let first_pawn = self.first_pawn();
        men[first_pawn..self.men.len()].copy_from_slice(&self.pawns.slices[place.slice]);
        Placement { kings, men }
    }

    /// The board of a position; none if two men are on one square.
    pub(crate) fn board(&self, placement: Placement) -> Option<Board> {
        let mut board = Board::empty();
        let kings = [Color::White, Color::Black].map(|color| Role::King.of(color));
        let pieces = kings.iter().zip(placement.kings);
        for (&piece, square) in pieces.chain(self.men.iter().zip(placement.men)) {
            let square = Square::new(u32::from(square));
            if board.piece_at(square).is_some() {
                return None;
            }
            board.set_piece_at(square, piece);
        }
        Some(board)
    }

    /// The index of a board, and the symmetry that maps the board to the position stored there;
    /// `None` if the kings are adjacent. See [`Layout::index`].
    pub(crate) fn locate(&self, board: &Board, flipped: bool) -> Option<(u64, Symmetry)> {
        let placement = self.placement_of(board, flipped)?;
        let pawns = &placement.men[self.first_pawn()..self.men.len()];
        let stored = self.pawns.find(pawns)?;
        let kings = placement.kings.map(|square| stored.symmetry.square(square));
        // As in `find_in_slice`, only one of the two is ever different from the identity.
        let symmetry = Symmetry(stored.symmetry.0 | self.kings.find(kings)?.symmetry.0);
        let place = self.find(placement)?;
        Some((self.index_of(place), symmetry))
    }

    /// The index of a board of this endgame, with colours swapped if `flipped` (see
    /// [`Material::of`]); `None` if the kings are adjacent.
    pub fn index(&self, board: &Board, flipped: bool) -> Option<u64> {
        let placement = self.placement_of(board, flipped)?;
        self.find(placement).map(|place| self.index_of(place))
    }

    /// The squares of the men on a board, which is turned upside down if colours are swapped.
    fn placement_of(&self, board: &Board, flipped: bool) -> Option<Placement> {
        let seen = |square: Square| square as Sq ^ if flipped { 56 } else { 0 };
        let real = |color: Color| if flipped { !color } else { color };
        let king = |color| board.king_of(real(color)).map(seen);
        let mut placement = Placement {
            kings: [king(Color::White)?, king(Color::Black)?],
            men: [0; 3],
        };
        let mut left = board.occupied();
        for (man, square) in self.men.iter().zip(&mut placement.men) {
            let role_and_color = board.by_piece(man.role.of(real(man.color)));
            let found = (role_and_color & left).first()?;
            left.discard(found);
            *square = seen(found);
        }
        Some(placement)
    }

    /// The lanes of a row that are legal positions with `turn` to move: no two men on one square,
    /// the other king not in check.
    pub(crate) fn legal(&self, turn: Color, slice: usize, pair: usize, row: usize) -> Word {
        let [white, black] = self.kings.pairs[pair];
        let pawns = &self.pawns.slices[slice];
        let pawn_set = pawns.iter().fold(0, |set, &pawn| set | bit(pawn));
        let kings = bit(white) | bit(black);
        let outers = self.rows.occupied[row];
        let overlapping = kings & pawn_set != 0
            || outers & (kings | pawn_set) != 0
            || outers.count_ones() as usize != self.outers;
        if overlapping {
            return 0;
        }
        let occupied = Bitboard(kings | pawn_set | outers);
        let mut lanes = !occupied.0;
        let king = Square::new(u32::from(turn.fold_wb(black, white)));
        if self.inner.color == turn || self.inner.role == Role::King {
            lanes &= !attacks::attacks(king, self.inner, occupied).0;
        }
        let fixed = self.rows.squares[row][..self.outers].iter().chain(pawns);
        let attackers = self.outers().iter().chain(&self.men[self.first_pawn()..]);
        for (&attacker, &square) in attackers.zip(fixed) {
            if attacker.color == turn {
                let square = Square::new(u32::from(square));
                let attacked = attacks::attacks(square, attacker, occupied);
                if self.inner == Role::King.of(!turn) {
                    lanes &= !attacked.0;
                } else if attacked.contains(king) {
                    // Only the inner piece can still be in between.
                    lanes &= attacks::between(square, king).0;
                }
            }
        }
        lanes
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, FromSetup, Position, PositionError, Setup};

    use super::*;

    fn layout(name: &str) -> Layout {
        Layout::new(name.parse().unwrap()).unwrap()
    }

    #[test]
    fn table_sizes() {
        assert_eq!(layout("KQK").len(), 462 * 64);
        assert_eq!(layout("KQKR").len(), 462 * 64 * 64);
        assert_eq!(layout("KBBK").len(), 462 * 2016);
        assert_eq!(layout("KBBKN").len(), 462 * 2016 * 64);
        assert_eq!(layout("KNNNK").len(), 462 * 64 * 63 * 62 / 6);
        assert_eq!(layout("KPK").len(), 24 * 64 * 64);
        assert_eq!(layout("KRPKR").len(), 24 * 3612 * 64 * 64);
    }

    #[test]
    fn six_men_and_bare_kings_are_refused() {
        let refused = |name: &str| Layout::new(name.parse().unwrap()).unwrap_err().to_string();
        assert_eq!(refused("KQRKQR"), "KQRKQR has 6 men; tables have at most 5");
        assert_eq!(refused("KK"), "KK is always a draw and has no table");
    }

    /// Index, place, placement and board are inverse to each other, and the set-wise legality is
    /// shakmaty's.
    #[test]
    fn positions_are_found_where_they_are_stored() {
        for name in [
            "KQK", "KPK", "KBBK", "KRKP", "KPKP", "KPPK", "KNNNK", "KQRKB", "KBBKN", "KPPKP",
        ] {
            let layout = layout(name);
            let step = (layout.len() / 40_009).max(1) | 1;
            for index in (0..layout.len()).step_by(step as usize) {
                let place = layout.place_at(index);
                assert_eq!(layout.index_of(place), index, "{name}");
                let placement = layout.placement(place);
                for turn in [Color::White, Color::Black] {
                    let lanes = layout.legal(turn, place.slice, place.pair, place.row);
                    let legal = lanes & bit(place.lane) != 0;
                    let position = layout.board(placement).and_then(|board| {
                        let setup = Setup {
                            board,
                            turn,
                            ..Setup::empty()
                        };
                        Chess::from_setup(setup, CastlingMode::Standard)
                            .or_else(PositionError::ignore_impossible_check)
                            .ok()
                    });
                    assert_eq!(legal, position.is_some(), "{name} {index} {turn}");
                    if let Some(position) = position {
                        let (material, flipped) = Material::of(position.board());
                        assert_eq!(material, layout.material());
                        assert!(!flipped);
                        let found = layout.index(position.board(), false).unwrap();
                        let same = found == index || {
                            // Both kings on the diagonal: the reflected position may be stored too.
                            let [white, black] = placement.kings;
                            white >> 3 == white & 7 && black >> 3 == black & 7
                        };
                        assert!(same, "{name} {index} {found}");
                    }
                }
            }
        }
    }
}
