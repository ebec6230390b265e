//! Pairs of non-adjacent kings: for endgames without pawns, the 462 that differ under the eight
//! symmetries of the board; where a pawn has already used up the left-right symmetry, all 3612. In
//! endgames of kings and pawns alone, the black king is the inner piece, and a "pair" is one of the
//! 64 squares of the white king.

use shakmaty::{Color, Square, attacks};

use super::side;
use crate::geometry::{Sq, Symmetry, squares};

/// A king's move to another pair, and the symmetry under which that pair is stored.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KingMove {
    /// 16 bits, so that the table of all pairs stays in the processor's cache.
    pair: u16,
    pub(crate) symmetry: Symmetry,
}

impl KingMove {
    /// The pair that the move leads to.
    #[inline]
    pub(crate) fn pair(self) -> usize {
        usize::from(self.pair)
    }
}

/// The pairs of kings that a layout has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KingPairs {
    /// One of each class of eight symmetric pairs.
    UpToSymmetry,
    /// All.
    All,
    /// The white king alone.
    WhiteOnly,
}

/// The pairs of kings of a layout.
#[derive(Debug)]
pub(crate) struct Kings {
    /// The squares of the white and black king; for a white king alone, its square twice.
    pub(crate) pairs: Vec<[Sq; 2]>,
    /// By white king * 64 + black king; `None` if they are adjacent.
    stored: Vec<Option<KingMove>>,
    /// By colour and pair.
    moves: [Vec<Vec<KingMove>>; 2],
}

impl Kings {
    /// The pairs of this kind.
    pub(crate) fn new(kind: KingPairs) -> Kings {
        let symmetries = match kind {
            KingPairs::UpToSymmetry => Symmetry::COUNT as u8,
            KingPairs::All | KingPairs::WhiteOnly => 1,
        };
        let all = || (0..64).flat_map(|white| (0..64).map(move |black| [white, black]));
        let apart = |[white, black]: [Sq; 2]| white != black && king_steps(white) & 1 << black == 0;
        let kept = |kings: [Sq; 2]| match kind {
            KingPairs::UpToSymmetry => apart(kings) && is_stored(kings),
            KingPairs::All => apart(kings),
            KingPairs::WhiteOnly => kings[0] == kings[1],
        };
        let pairs: Vec<_> = all().filter(|&kings| kept(kings)).collect();
        let stored: Vec<_> = all()
            .map(|kings| {
                (0..symmetries).map(Symmetry).find_map(|symmetry| {
                    let image = match kind {
                        KingPairs::WhiteOnly => [kings[0]; 2],
                        _ => kings.map(|square| symmetry.square(square)),
                    };
                    let pair = pairs.binary_search(&image).ok().filter(|_| apart(kings))?;
                    let pair = pair as u16;
                    Some(KingMove { pair, symmetry })
                })
            })
            .collect();

        let moves = Color::ALL.map(|color| {
            let moves_from = |&kings: &[Sq; 2]| {
                let steps = squares(king_steps(kings[side(color)])).filter_map(|to| {
                    let mut moved = kings;
                    moved[side(color)] = to;
                    match kind {
                        KingPairs::WhiteOnly => color.is_white().then(|| KingMove {
                            pair: u16::from(to),
                            symmetry: Symmetry::IDENTITY,
                        }),
                        _ => stored[key(moved)],
                    }
                });
                steps.collect()
            };
            pairs.iter().map(moves_from).collect()
        });
        Kings {
            pairs,
            stored,
            moves,
        }
    }

    /// The stored form of a pair; `None` if the kings are adjacent.
    pub(crate) fn find(&self, kings: [Sq; 2]) -> Option<KingMove> {
        self.stored[key(kings)]
    }

    /// The moves of one king from a pair.
    pub(crate) fn moves(&self, color: Color, pair: usize) -> &[KingMove] {
        &self.moves[side(color)][pair]
    }
}

fn key([white, black]: [Sq; 2]) -> usize {
    usize::from(white) * 64 + usize::from(black)
}

fn king_steps(from: Sq) -> u64 {
    attacks::king_attacks(Square::new(u32::from(from))).0
}

/// Is the white king in the triangle a1-d1-d4 and, if it is on the diagonal, the black king not
/// above it?
fn is_stored([white, black]: [Sq; 2]) -> bool {
    let (file, rank) = (white & 7, white >> 3);
    rank <= file && file < 4 && (rank < file || black >> 3 <= black & 7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_462_pairs_up_to_symmetry_and_3612_in_all() {
        assert_eq!(Kings::new(KingPairs::UpToSymmetry).pairs.len(), 462);
        assert_eq!(Kings::new(KingPairs::All).pairs.len(), 3612);
    }

    #[test]
    fn every_pair_is_stored_under_its_symmetry() {
        let kings = Kings::new(KingPairs::UpToSymmetry);
        for white in 0..64 {
            for black in 0..64 {
                if let Some(stored) = kings.find([white, black]) {
                    let image = [white, black].map(|square| stored.symmetry.square(square));
                    assert_eq!(kings.pairs[stored.pair()], image);
                }
            }
        }
    }
}
