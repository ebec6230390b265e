//! Sparse sets of positions of one pawn slice.

use rayon::prelude::*;

use crate::geometry::{Word, squares};

/// The positions settled in one ply, for one side to move: a word per row, and which words are not
/// empty.
pub(crate) struct Frontier {
    rows: usize,
    words: Vec<Word>,
    /// A bit for each row, a whole number of words for each pair of kings.
    marks: Vec<Word>,
    /// By pair of kings: does it have any position?
    occupied: Vec<bool>,
}

impl Frontier {
    /// An empty set over this many pairs of kings and rows.
    pub(crate) fn new(pairs: usize, rows: usize) -> Frontier {
        Frontier {
            rows,
            words: vec![0; pairs * rows],
            marks: vec![0; pairs * rows.div_ceil(64)],
            occupied: vec![false; pairs],
        }
    }

    /// Does a pair of kings have any position of the set?
    #[inline]
    pub(crate) fn has(&self, pair: usize) -> bool {
        self.occupied[pair]
    }

    /// Is the set empty?
    pub(crate) fn is_empty(&self) -> bool {
        !self.occupied.contains(&true)
    }

    /// The rows of a pair of kings that are not empty, with their positions.
    #[inline]
    pub(crate) fn rows(&self, pair: usize) -> impl Iterator<Item = (usize, Word)> {
        let words = &self.words[pair * self.rows..][..self.rows];
        let marks_a_pair = self.rows.div_ceil(64);
        let marks = &self.marks[pair * marks_a_pair..][..marks_a_pair];
        rows_of(marks).map(|row| (row, words[row]))
    }

    /// Mutable parts of the set for each pair of kings, to be filled independently.
    pub(crate) fn pairs_mut(&mut self) -> impl IndexedParallelIterator<Item = FrontierPair<'_>> {
        self.words
            .par_chunks_mut(self.rows)
            .zip(self.marks.par_chunks_mut(self.rows.div_ceil(64)))
            .zip(&mut self.occupied)
            .map(|((words, marks), occupied)| FrontierPair {
                words,
                marks,
                occupied,
            })
    }
}

/// The part of a [`Frontier`] that belongs to one pair of kings.
pub(crate) struct FrontierPair<'a> {
    words: &'a mut [Word],
    marks: &'a mut [Word],
    occupied: &'a mut bool,
}

impl FrontierPair<'_> {
    /// Removes every position.
    pub(crate) fn clear(&mut self) {
        if *self.occupied {
            for row in rows_of(self.marks) {
                self.words[row] = 0;
            }
            self.marks.fill(0);
            *self.occupied = false;
        }
    }

    /// Adds the positions of a row.
    #[inline]
    pub(crate) fn add(&mut self, row: usize, positions: Word) {
        self.words[row] |= positions;
        self.marks[row / 64] |= 1 << (row % 64);
        *self.occupied = true;
    }
}

#[inline]
fn rows_of(marks: &[Word]) -> impl Iterator<Item = usize> {
    marks
        .iter()
        .enumerate()
        .flat_map(|(i, &mark)| squares(mark).map(move |row| i * 64 + usize::from(row)))
}
