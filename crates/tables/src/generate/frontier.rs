//! Sets of positions of one pawn slice that are mostly empty.

use rayon::prelude::*;

use crate::geometry::{Word, squares};

/// The positions settled in one ply, for one side to move: a word a row, and which are not empty.
pub(crate) struct Frontier {
    rows: usize,
    words: Vec<Word>,
    marks: RowSet,
    /// By pair of kings: whether it has any position.
    occupied: Vec<bool>,
}

impl Frontier {
    /// An empty set over this many pairs of kings and rows.
    pub(crate) fn new(pairs: usize, rows: usize) -> Frontier {
        Frontier {
            rows,
            words: vec![0; pairs * rows],
            marks: RowSet::new(pairs, rows),
            occupied: vec![false; pairs],
        }
    }

    /// Whether a pair of kings has any position of the set.
    #[inline]
    pub(crate) fn has(&self, pair: usize) -> bool {
        self.occupied[pair]
    }

    /// Whether there is no position at all.
    pub(crate) fn is_empty(&self) -> bool {
        !self.occupied.contains(&true)
    }

    /// The rows of a pair of kings that are not empty, with their positions.
    #[inline]
    pub(crate) fn rows(&self, pair: usize) -> impl Iterator<Item = (usize, Word)> {
        let words = &self.words[pair * self.rows..][..self.rows];
        self.marks.rows(pair).map(|row| (row, words[row]))
    }

    /// The parts of the set for each pair of kings, to be filled independently.
    pub(crate) fn pairs_mut(&mut self) -> impl IndexedParallelIterator<Item = FrontierPair<'_>> {
        self.words
            .par_chunks_mut(self.rows)
            .zip(self.marks.words.par_chunks_mut(self.marks.words_a_pair))
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

/// A set of rows of a pawn slice.
#[derive(Clone)]
pub(crate) struct RowSet {
    words: Vec<Word>,
    words_a_pair: usize,
}

impl RowSet {
    /// An empty set over this many pairs of kings and rows.
    pub(crate) fn new(pairs: usize, rows: usize) -> RowSet {
        let words_a_pair = rows.div_ceil(64);
        RowSet {
            words: vec![0; pairs * words_a_pair],
            words_a_pair,
        }
    }

    /// Adds a row.
    pub(crate) fn add(&mut self, pair: usize, row: usize) {
        self.words[pair * self.words_a_pair + row / 64] |= 1 << (row % 64);
    }

    /// The rows of a pair of kings in the set.
    #[inline]
    pub(crate) fn rows(&self, pair: usize) -> impl Iterator<Item = usize> {
        rows_of(&self.words[pair * self.words_a_pair..][..self.words_a_pair])
    }

    /// Whether a pair of kings has any row in the set.
    pub(crate) fn has(&self, pair: usize) -> bool {
        self.rows(pair).next().is_some()
    }
}

#[inline]
fn rows_of(marks: &[Word]) -> impl Iterator<Item = usize> {
    marks
        .iter()
        .enumerate()
        .flat_map(|(i, &mark)| squares(mark).map(move |row| i * 64 + usize::from(row)))
}
