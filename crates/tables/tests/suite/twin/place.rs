//! Where the twin keeps a position: the pawns choose a slice, the other men a slot in it.
//!
//! Symmetry is used in the plainest way: all images of a position are computed, and the least one
//! stands for all of them.

use std::{iter::repeat_n, sync::LazyLock};

use errare_core::Material;
use errare_tables::MAX_MEN;
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, Piece, PositionError, Role, Setup, Square,
};

/// The positions of an endgame that share their pawns, or whose mirror images do: quiet moves stay
/// among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Slice {
    material: Material,
    /// The squares of the pawns, White's first, as digits to the base of 64.
    pawns: u32,
}

/// The place of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) slice: Slice,
    pub(crate) slot: usize,
}

/// A man on its square: the place of the man in [`KINDS`] times 64, plus the square. Sorted, these
/// are pawns, then kings, then pieces. Entries beyond the number of men are `NOBODY`.
type Men = [u16; MAX_MEN];

const NOBODY: u16 = u16::MAX;

const WHITE_KING: usize = 2;
const BLACK_KING: usize = 3;

/// Pawns, kings, pieces.
const KINDS: [Piece; 12] = [
    Role::Pawn.of(Color::White),
    Role::Pawn.of(Color::Black),
    Role::King.of(Color::White),
    Role::King.of(Color::Black),
    Role::Queen.of(Color::White),
    Role::Rook.of(Color::White),
    Role::Bishop.of(Color::White),
    Role::Knight.of(Color::White),
    Role::Queen.of(Color::Black),
    Role::Rook.of(Color::Black),
    Role::Bishop.of(Color::Black),
    Role::Knight.of(Color::Black),
];

/// Where each symmetry of the board takes each square; the first two keep the ranks of pawns.
static SYMMETRIES: LazyLock<[[u16; 64]; 8]> = LazyLock::new(|| {
    [0, 1, 2, 3, 4, 5, 6, 7].map(|symmetry| {
        std::array::from_fn(|square| {
            let mut square = Square::new(square as u32);
            if symmetry & 1 != 0 {
                square = square.flip_horizontal();
            }
            if symmetry & 2 != 0 {
                square = square.flip_vertical();
            }
            if symmetry & 4 != 0 {
                square = square.flip_diagonal();
            }
            square as u16
        })
    })
});

/// The symmetries without pawns that take a square as low as it can go.
static LOWERING: LazyLock<[Vec<[u16; 64]>; 64]> = LazyLock::new(|| {
    std::array::from_fn(|square| {
        let least = SYMMETRIES.iter().map(|symmetry| symmetry[square]).min();
        let mut lowering = SYMMETRIES.to_vec();
        lowering.retain(|symmetry| Some(symmetry[square]) == least);
        lowering
    })
});

/// The least image of the men on a board. Without pawns the white king comes first, so its square
/// is the lowest possible.
fn least_image(board: &Board) -> Men {
    let mut men = [NOBODY; MAX_MEN];
    let mut len = 0;
    for (kind, piece) in KINDS.into_iter().enumerate() {
        for square in board.by_piece(piece) {
            men[len] = kind as u16 * 64 + square as u16;
            len += 1;
        }
    }
    let symmetries: &[_] = match usize::from(men[0]) / 64 {
        WHITE_KING => &LOWERING[usize::from(men[0]) % 64],
        _ => &SYMMETRIES[..2],
    };
    symmetries
        .iter()
        .map(|symmetry| {
            let mut image = men;
            for man in &mut image[..len] {
                *man = *man / 64 * 64 + symmetry[usize::from(*man % 64)];
            }
            image[..len].sort_unstable();
            image
        })
        .min()
        .expect("there is the identity")
}

/// The pairs of kings that least images have, without and with pawns. With pawns, which come first,
/// these are all pairs.
static KINGS: LazyLock<[Kings; 2]> = LazyLock::new(|| [false, true].map(Kings::new));

struct Kings {
    pairs: Vec<[Square; 2]>,
    /// By the squares of both kings.
    number: Vec<usize>,
}

impl Kings {
    fn new(has_pawns: bool) -> Kings {
        let mut pairs = Vec::new();
        let mut number = vec![usize::MAX; 64 * 64];
        for white in Square::ALL {
            for black in Square::ALL {
                let is_least = SYMMETRIES.iter().all(|symmetry| {
                    let image = [white, black].map(|square| symmetry[square as usize]);
                    image >= [white as u16, black as u16]
                });
                if (has_pawns || is_least) && white.distance(black) > 1 {
                    number[white as usize * 64 + black as usize] = pairs.len();
                    pairs.push([white, black]);
                }
            }
        }
        Kings { pairs, number }
    }
}

impl Place {
    /// The place of the position with these men and this side to move, ignoring its en-passant
    /// right; none if only the kings are left.
    pub(crate) fn of(board: &Board, turn: Color) -> Option<Place> {
        let (material, flipped) = Material::of(board);
        let (pawns, slot) = if flipped {
            pawns_and_slot(&board.clone().into_mirrored(), !turn)
        } else {
            pawns_and_slot(board, turn)
        };
        let slice = Slice { material, pawns };
        (material.men() > 2).then_some(Place { slice, slot })
    }
}

/// The place of a position of an endgame whose White is the board's White.
pub(crate) fn pawns_and_slot(board: &Board, turn: Color) -> (u32, usize) {
    let (mut pawns, mut kings, mut pieces, mut squares) = (0, 0, 0, 1);
    for man in least_image(board) {
        if man == NOBODY {
            break;
        }
        let (kind, square) = (usize::from(man / 64), usize::from(man % 64));
        match kind {
            ..WHITE_KING => pawns = pawns * 64 + square as u32,
            WHITE_KING | BLACK_KING => kings = kings * 64 + square,
            _ => (pieces, squares) = (pieces * 64 + square, squares * 64),
        }
    }
    let Kings { pairs, number } = &KINGS[usize::from(!board.pawns().is_empty())];
    let pair = turn.fold_wb(0, pairs.len()) + number[kings];
    (pawns, pair * squares + pieces)
}

impl Slice {
    /// The slices of an endgame.
    pub(crate) fn all(material: Material) -> impl Iterator<Item = Slice> {
        let pawns = Color::ALL.map(|color| material.army(color).count(Role::Pawn));
        (0..1 << (6 * (pawns[0] + pawns[1])))
            .map(move |pawns| Slice { material, pawns })
            .filter(move |slice| slice.is_least(pawns))
    }

    /// Whether no two pawns share a square, none is on the first or last rank, and the mirror image
    /// is not less.
    fn is_least(self, [white, black]: [usize; 2]) -> bool {
        let mut board = Board::empty();
        for (i, square) in digits(self.pawns as usize, white + black).enumerate() {
            board.set_piece_at(square, Role::Pawn.of(Color::from_white(i < white)));
        }
        let least = least_image(&board).into_iter().take(white + black);
        (board.pawns() & !Bitboard::BACKRANKS).count() == white + black
            && least.fold(0, |least, man| least * 64 + u32::from(man % 64)) == self.pawns
    }
}

/// The slots of a slice.
pub(crate) struct Slots {
    slice: Slice,
    pairs: &'static [[Square; 2]],
    pawns: Vec<Piece>,
    pieces: Vec<Piece>,
}

impl Slots {
    /// The slots of a slice.
    pub(crate) fn new(slice: Slice) -> Slots {
        let (pawns, pieces) = KINDS
            .into_iter()
            .filter(|man| man.role != Role::King)
            .flat_map(|man| repeat_n(man, slice.material.army(man.color).count(man.role)))
            .partition(|man| man.role == Role::Pawn);
        Slots {
            slice,
            pairs: &KINGS[usize::from(slice.material.has_pawns())].pairs,
            pawns,
            pieces,
        }
    }

    /// The number of slots.
    pub(crate) fn len(&self) -> usize {
        (2 * self.pairs.len()) << (6 * self.pieces.len())
    }

    /// The position at a slot; none if it is illegal or stored elsewhere.
    pub(crate) fn position(&self, slot: usize) -> Option<Chess> {
        let pair = slot >> (6 * self.pieces.len());
        let kings = [Role::King.of(Color::White), Role::King.of(Color::Black)]
            .into_iter()
            .zip(self.pairs[pair % self.pairs.len()]);
        let pawns = digits(self.slice.pawns as usize, self.pawns.len());
        let pieces = digits(slot, self.pieces.len());

        let mut setup = Setup::empty();
        setup.turn = Color::from_white(pair < self.pairs.len());
        let pawns = self.pawns.iter().copied().zip(pawns);
        let pieces = self.pieces.iter().copied().zip(pieces);
        for (man, square) in kings.chain(pawns).chain(pieces) {
            setup.board.set_piece_at(square, man);
        }
        let men = 2 + self.pawns.len() + self.pieces.len();
        if setup.board.occupied().count() < men
            || pawns_and_slot(&setup.board, setup.turn) != (self.slice.pawns, slot)
        {
            return None;
        }
        match setup.position(CastlingMode::Standard) {
            Ok(position) => Some(position),
            Err(error) => PositionError::ignore_impossible_check(error).ok(),
        }
    }
}

/// The last digits of a number to the base of 64, as squares.
fn digits(number: usize, count: usize) -> impl Iterator<Item = Square> {
    (0..count)
        .rev()
        .map(move |digit| Square::new((number >> (6 * digit)) as u32 % 64))
}
