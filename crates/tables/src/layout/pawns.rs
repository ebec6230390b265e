//! Pawn slices: the positions that share the squares of all pawns.
//!
//! A pawn that moves goes to another slice, so slices are numbered in the order in which they can
//! be solved: the further the pawns have advanced, the earlier. Slices of the same advancement do
//! not depend on each other.
//!
//! Either a slice or its mirror image is stored. The files of the pawns alone decide which, so that
//! a push never changes it; where the files are their own mirror image (a and h, say), both are
//! stored.

use std::ops::Range;

use shakmaty::Color;

use crate::geometry::{Sq, Symmetry};

/// The pawns of an endgame, at most three.
#[derive(Debug)]
pub(crate) struct Pawns {
    /// White ones first.
    pub(crate) colors: Vec<Color>,
    /// The squares of the pawns, slice by slice.
    pub(crate) slices: Vec<Vec<Sq>>,
    /// Ranges of slices with the same advancement, in the order in which they can be solved.
    pub(crate) stages: Vec<Range<usize>>,
    /// By the squares of the pawns, 48 per pawn.
    index: Vec<Option<Stored>>,
}

/// The stored form of a slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) slice: usize,
    pub(crate) symmetry: Symmetry,
}

const FIRST: Sq = 8;
const SQUARES: usize = 48;

impl Pawns {
    /// The slices of these pawns. Without pawns there is one.
    pub(crate) fn new(colors: Vec<Color>) -> Pawns {
        let count = SQUARES.pow(colors.len() as u32);
        let ordered = |pawns: &[Sq]| {
            let neighbours = pawns.windows(2).zip(colors.windows(2));
            neighbours
                .into_iter()
                .all(|(p, c)| c[0] != c[1] || p[0] < p[1])
        };
        let distinct = |pawns: &[Sq]| (1..pawns.len()).all(|i| !pawns[..i].contains(&pawns[i]));

        let mut slices: Vec<Vec<Sq>> = (0..count)
            .map(|key| from_key(key, colors.len()))
            .filter(|pawns| ordered(pawns) && distinct(pawns))
            .filter(|pawns| files(&colors, pawns) <= files(&colors, &mirrored(pawns)))
            .collect();
        slices.sort_by_key(|pawns| std::cmp::Reverse(advancement(&colors, pawns)));

        let mut stages: Vec<Range<usize>> = Vec::new();
        for (slice, pawns) in slices.iter().enumerate() {
            match stages.last_mut() {
                Some(stage)
                    if advancement(&colors, &slices[stage.start])
                        == advancement(&colors, pawns) =>
                {
                    stage.end = slice + 1;
                }
                _ => stages.push(slice..slice + 1),
            }
        }

        let mut by_squares = vec![None; count];
        for (slice, pawns) in slices.iter().enumerate() {
            let symmetry = Symmetry::IDENTITY;
            by_squares[to_key(pawns)] = Some(Stored { slice, symmetry });
        }
        let mut pawns = Pawns {
            colors,
            slices,
            stages,
            index: Vec::new(),
        };
        pawns.index = (0..count)
            .map(|key| {
                let sorted = pawns.sorted(from_key(key, pawns.colors.len()));
                let mirror = pawns.sorted(mirrored(&sorted));
                by_squares[to_key(&sorted)].or_else(|| {
                    let Stored { slice, .. } = by_squares[to_key(&mirror)]?;
                    let symmetry = Symmetry::MIRROR;
                    Some(Stored { slice, symmetry })
                })
            })
            .collect();
        pawns
    }

    /// The slice of pawns on these squares, in any order within a colour; `None` if two are on one
    /// square or one is on the first or last rank.
    pub(crate) fn find(&self, pawns: &[Sq]) -> Option<Stored> {
        let on_board = pawns
            .iter()
            .all(|pawn| (FIRST..FIRST + SQUARES as Sq).contains(pawn));
        if on_board {
            self.index[to_key(pawns)]
        } else {
            None
        }
    }

    /// Sorts the pawns within each colour.
    fn sorted(&self, mut pawns: Vec<Sq>) -> Vec<Sq> {
        let white = self.colors.iter().filter(|color| color.is_white()).count();
        pawns[..white].sort_unstable();
        pawns[white..].sort_unstable();
        pawns
    }
}

fn from_key(mut key: usize, pawns: usize) -> Vec<Sq> {
    let mut squares = vec![0; pawns];
    for square in squares.iter_mut().rev() {
        *square = FIRST + (key % SQUARES) as Sq;
        key /= SQUARES;
    }
    squares
}

fn to_key(pawns: &[Sq]) -> usize {
    pawns
        .iter()
        .fold(0, |key, &pawn| key * SQUARES + usize::from(pawn - FIRST))
}

fn mirrored(pawns: &[Sq]) -> Vec<Sq> {
    pawns
        .iter()
        .map(|&pawn| Symmetry::MIRROR.square(pawn))
        .collect()
}

/// The files of the pawns, sorted within each colour.
fn files(colors: &[Color], pawns: &[Sq]) -> Vec<(bool, Sq)> {
    let mut files: Vec<_> = colors
        .iter()
        .zip(pawns)
        .map(|(color, pawn)| (color.is_black(), pawn & 7))
        .collect();
    files.sort_unstable();
    files
}

/// The total number of ranks that the pawns have advanced.
fn advancement(colors: &[Color], pawns: &[Sq]) -> u32 {
    colors
        .iter()
        .zip(pawns)
        .map(|(color, pawn)| u32::from(color.fold_wb(pawn >> 3, 7 - (pawn >> 3))))
        .sum()
}

#[cfg(test)]
mod tests {
    use shakmaty::Color::{Black, White};

    use super::*;

    #[test]
    fn half_of_all_slices_are_stored_but_for_files_that_mirror_themselves() {
        assert_eq!(Pawns::new(vec![]).slices.len(), 1);
        assert_eq!(Pawns::new(vec![White]).slices.len(), 24);
        assert_eq!(Pawns::new(vec![White, Black]).slices.len(), 24 * 47);
        // 48 * 47 / 2 pairs; 4 pairs of mirrored files with 36 pairs of ranks are stored twice.
        let pairs = Pawns::new(vec![White, White]).slices.len();
        assert_eq!(pairs, (48 * 47 / 2 + 4 * 36) / 2);
    }

    #[test]
    fn a_push_leads_to_an_earlier_stage() {
        let pawns = Pawns::new(vec![White, White, Black]);
        let stage = |slice| pawns.stages.iter().position(|stage| stage.contains(&slice));
        for (slice, squares) in pawns.slices.iter().enumerate() {
            for pawn in 0..3 {
                let mut pushed = squares.clone();
                pushed[pawn] = if pawn < 2 {
                    pushed[pawn] + 8
                } else {
                    pushed[pawn] - 8
                };
                if let Some(stored) = pawns.find(&pushed) {
                    assert!(stage(stored.slice) < stage(slice));
                    assert_eq!(stored.symmetry, Symmetry::IDENTITY);
                }
            }
        }
    }
}
