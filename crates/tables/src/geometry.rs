//! The board as 64-bit words: its eight symmetries, rays, and set-wise moves.

use shakmaty::{Role, Square};

/// A set of squares, or of positions that differ in the square of one man: bit 0 is a1, bit 63 h8.
pub(crate) type Word = u64;

/// A square, 0 (a1) to 63 (h8).
pub(crate) type Sq = u8;

/// The set of one square.
pub(crate) const fn bit(square: Sq) -> Word {
    1 << square
}

/// The squares of a set, in ascending order.
pub(crate) fn squares(mut set: Word) -> impl Iterator<Item = Sq> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let square = set.trailing_zeros() as Sq;
            set &= set - 1;
            square
        })
    })
}

/// One of the eight symmetries of the board: bit 0 mirrors the files, then bit 1 flips the ranks,
/// then bit 2 transposes about the diagonal a1-h8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Symmetry(pub(crate) u8);

impl Symmetry {
    pub(crate) const IDENTITY: Symmetry = Symmetry(0);
    pub(crate) const MIRROR: Symmetry = Symmetry(1);
    pub(crate) const TRANSPOSE: Symmetry = Symmetry(4);
    pub(crate) const COUNT: usize = 8;

    /// Every symmetry, by its number.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry::IDENTITY; 8];
        let mut number = 0;
        while number < 8 {
            all[number] = Symmetry(number as u8);
            number += 1;
        }
        all
    };

    /// Its number, 0 for the identity.
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// The composition: this symmetry, then another.
    pub fn then(self, next: Symmetry) -> Symmetry {
        // Two squares suffice to tell the eight symmetries apart.
        let images = |symmetry: Symmetry| [0, 1].map(|square| symmetry.square(square));
        let both = images(self).map(|square| next.square(square));
        let found = Symmetry::ALL.into_iter().find(|&s| images(s) == both);
        found.expect("symmetries are a group")
    }

    /// The image of a square of the board.
    pub const fn image(self, square: Square) -> Square {
        Square::new(self.square(square as Sq) as u32)
    }

    /// The image of a square.
    #[inline]
    pub(crate) const fn square(self, square: Sq) -> Sq {
        IMAGES[(self.0 & 7) as usize][(square & 63) as usize]
    }

    const fn compute_square(self, square: Sq) -> Sq {
        let mirrored = square ^ ((self.0 & 1) * 7) ^ ((self.0 >> 1 & 1) * 56);
        if self.0 & 4 == 0 {
            mirrored
        } else {
            mirrored >> 3 | (mirrored & 7) << 3
        }
    }

    /// The image of a set of squares.
    pub(crate) const fn word(self, mut word: Word) -> Word {
        if self.0 & 1 != 0 {
            word = word.reverse_bits().swap_bytes();
        }
        if self.0 & 2 != 0 {
            word = word.swap_bytes();
        }
        if self.0 & 4 != 0 {
            word = transpose(word);
        }
        word
    }

    /// The inverse symmetry.
    pub const fn inverse(self) -> Symmetry {
        if self.0 & 4 == 0 {
            self
        } else {
            Symmetry(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1)
        }
    }
}

/// By symmetry and square.
static IMAGES: [[Sq; 64]; Symmetry::COUNT] = {
    let mut images = [[0; 64]; Symmetry::COUNT];
    let mut i = 0;
    while i < 64 * Symmetry::COUNT {
        let square = i % 64;
        images[i / 64][square] = Symmetry((i / 64) as u8).compute_square(square as Sq);
        i += 1;
    }
    images
};

/// Exchanges files and ranks by swapping ever smaller blocks.
const fn transpose(mut word: Word) -> Word {
    const BLOCKS: [(u32, Word); 3] = [
        (28, 0x0f0f_0f0f_0000_0000),
        (14, 0x3333_0000_3333_0000),
        (7, 0x5500_5500_5500_5500),
    ];
    let mut i = 0;
    while i < BLOCKS.len() {
        let (shift, block) = BLOCKS[i];
        let swapped = block & (word ^ word << shift);
        word ^= swapped ^ swapped >> shift;
        i += 1;
    }
    word
}

const NOT_FILE_A: Word = 0xfefe_fefe_fefe_fefe;
const NOT_FILE_H: Word = 0x7f7f_7f7f_7f7f_7f7f;

/// Shift (left if positive) and the squares that a step in this direction can reach. Orthogonal
/// directions first.
const DIRECTIONS: [(i32, Word); 8] = [
    (8, !0),
    (-8, !0),
    (1, NOT_FILE_A),
    (-1, NOT_FILE_H),
    (9, NOT_FILE_A),
    (7, NOT_FILE_H),
    (-7, NOT_FILE_A),
    (-9, NOT_FILE_H),
];

const NOT_FILES_AB: Word = NOT_FILE_A & NOT_FILE_A << 1;
const NOT_FILES_GH: Word = NOT_FILE_H & NOT_FILE_H >> 1;

const KNIGHT_STEPS: [(i32, Word); 8] = [
    (17, NOT_FILE_A),
    (15, NOT_FILE_H),
    (10, NOT_FILES_AB),
    (6, NOT_FILES_GH),
    (-6, NOT_FILES_AB),
    (-10, NOT_FILES_GH),
    (-15, NOT_FILE_A),
    (-17, NOT_FILE_H),
];

const fn shift(word: Word, by: i32) -> Word {
    if by >= 0 { word << by } else { word >> -by }
}

/// The range of [`DIRECTIONS`] in which a role slides.
const fn slides(role: Role) -> std::ops::Range<usize> {
    match role {
        Role::Rook => 0..4,
        Role::Bishop => 4..8,
        Role::Queen => 0..8,
        _ => 0..0,
    }
}

/// Where the men of a set can move, each alone on a board with these empty squares.
#[inline]
pub(crate) fn moves_of_set(role: Role, men: Word, empty: Word) -> Word {
    let orthogonal = || {
        slide::<0>(men, empty)
            | slide::<1>(men, empty)
            | slide::<2>(men, empty)
            | slide::<3>(men, empty)
    };
    let diagonal = || {
        slide::<4>(men, empty)
            | slide::<5>(men, empty)
            | slide::<6>(men, empty)
            | slide::<7>(men, empty)
    };
    let reached = match role {
        Role::Rook => orthogonal(),
        Role::Bishop => diagonal(),
        Role::Queen => orthogonal() | diagonal(),
        Role::Knight => KNIGHT_STEPS.iter().fold(0, |reached, &(by, arrivals)| {
            reached | shift(men, by) & arrivals
        }),
        Role::King => {
            let beside = men | shift(men, 1) & NOT_FILE_A | shift(men, -1) & NOT_FILE_H;
            shift(men, 1) & NOT_FILE_A
                | shift(men, -1) & NOT_FILE_H
                | shift(beside, 8)
                | shift(beside, -8)
        }
        Role::Pawn => 0,
    };
    reached & empty
}

/// Where the men of a set can slide in one direction, including the square that stops them.
#[inline]
fn slide<const DIRECTION: usize>(men: Word, empty: Word) -> Word {
    let (by, arrivals) = DIRECTIONS[DIRECTION];
    // Parallel prefix: after three doublings a man has slid up to seven squares.
    let mut through = empty & arrivals;
    let mut slid = men;
    slid |= through & shift(slid, by);
    through &= shift(through, by);
    slid |= through & shift(slid, 2 * by);
    through &= shift(through, 2 * by);
    slid |= through & shift(slid, 4 * by);
    shift(slid, by) & arrivals
}

/// Up to seven squares, in sliding order.
#[derive(Clone, Copy)]
struct Ray {
    len: u8,
    squares: [Sq; 7],
}

const NO_RAY: Ray = Ray {
    len: 0,
    squares: [0; 7],
};

const fn rays() -> [[Ray; 64]; 8] {
    let mut rays = [[NO_RAY; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let (by, arrivals) = DIRECTIONS[direction];
        let mut from = 0;
        while from < 64 {
            let mut men = bit(from);
            let ray = &mut rays[direction][from as usize];
            loop {
                men = shift(men, by) & arrivals;
                if men == 0 {
                    break;
                }
                ray.squares[ray.len as usize] = men.trailing_zeros() as Sq;
                ray.len += 1;
            }
            from += 1;
        }
        direction += 1;
    }
    rays
}

static RAYS: [[Ray; 64]; 8] = rays();

/// Calls `visit` with each square that a man can move to on a board with these occupied squares,
/// and with the set of squares that it does *not* pass over on its way.
#[inline(always)]
pub(crate) fn for_each_move(role: Role, from: Sq, occupied: Word, mut visit: impl FnMut(Sq, Word)) {
    if role == Role::Knight {
        let reached = moves_of_set(Role::Knight, bit(from), !occupied);
        for to in squares(reached) {
            visit(to, !0);
        }
        return;
    }
    for rays in &RAYS[slides(role)] {
        let ray = &rays[usize::from(from)];
        let mut not_passed = !0;
        for &to in &ray.squares[..usize::from(ray.len)] {
            if occupied & bit(to) != 0 {
                break;
            }
            visit(to, not_passed);
            not_passed &= !bit(to);
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Bitboard, Color, Square, attacks};

    use super::*;

    const ROLES: [Role; 5] = [
        Role::Queen,
        Role::Rook,
        Role::Bishop,
        Role::Knight,
        Role::King,
    ];
    const BOARDS: [Word; 4] = [0, 0x0012_4080_0110_0402, 0x8100_0024_1800_0081, !0];

    #[test]
    fn words_move_as_their_squares_do() {
        for symmetry in (0..8).map(Symmetry) {
            for square in 0..64 {
                let moved = symmetry.square(square);
                assert_eq!(
                    symmetry.word(bit(square)),
                    bit(moved),
                    "{symmetry:?} {square}"
                );
                assert_eq!(
                    symmetry.inverse().square(moved),
                    square,
                    "{symmetry:?} {square}"
                );
            }
        }
        for (one, other) in Symmetry::ALL
            .iter()
            .flat_map(|s| Symmetry::ALL.map(|t| (*s, t)))
        {
            for square in 0..64 {
                let both = other.square(one.square(square));
                assert_eq!(one.then(other).square(square), both, "{one:?} {other:?}");
            }
        }
        assert_eq!(Symmetry::TRANSPOSE.square(1), 8);
        assert_eq!(Symmetry::MIRROR.square(0), 7);
    }

    #[test]
    fn moves_agree_with_shakmaty() {
        for occupied in BOARDS {
            for role in ROLES {
                for from in 0..64u8 {
                    let square = Square::new(u32::from(from));
                    let piece = role.of(Color::White);
                    let expected =
                        attacks::attacks(square, piece, Bitboard(occupied)).0 & !occupied;
                    assert_eq!(moves_of_set(role, bit(from), !occupied), expected);
                    if role == Role::King {
                        continue;
                    }
                    let mut visited = 0;
                    for_each_move(role, from, occupied, |to, not_passed| {
                        visited |= bit(to);
                        let between = attacks::between(square, Square::new(u32::from(to))).0;
                        assert_eq!(not_passed, !between);
                    });
                    assert_eq!(visited, expected, "{role:?} {square}");
                }
            }
        }
    }
}
