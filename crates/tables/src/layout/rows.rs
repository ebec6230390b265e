//! Rows: the squares of the one or two outer pieces. The positions of a row differ only in the
//! square of the inner piece and share one word.

use crate::geometry::{Sq, Symmetry, Word, bit};

/// The rows of a layout, the same for every pair of kings.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The squares of the outer pieces, padded with 0.
    pub(crate) squares: Vec<[Sq; 2]>,
    /// The same as a set.
    pub(crate) occupied: Vec<Word>,
    /// By square of the first outer piece * 64 + square of the second.
    index: Vec<u16>,
    /// By symmetry and row.
    images: Vec<Vec<u16>>,
}

impl Rows {
    /// The rows of this many outer pieces; equal pieces are stored once.
    pub(crate) fn new(outers: usize, alike: bool) -> Rows {
        let second = |first: Sq| match outers {
            2 if alike => first + 1..64,
            2 => 0..64,
            _ => 0..1,
        };
        let first = if outers == 0 { 0..1 } else { 0..64 };
        let squares: Vec<[Sq; 2]> = first.flat_map(|a| second(a).map(move |b| [a, b])).collect();
        let occupied = squares
            .iter()
            .map(|row| {
                row[..outers]
                    .iter()
                    .fold(0, |set, &square| set | bit(square))
            })
            .collect();

        let mut index = vec![0; 64 * 64];
        for (row, &[a, b]) in squares.iter().enumerate() {
            index[key([a, b])] = row as u16;
            if alike {
                index[key([b, a])] = row as u16;
            }
        }
        let image = |symmetry: Symmetry, row: &[Sq; 2]| {
            let mut image = *row;
            for square in &mut image[..outers] {
                *square = symmetry.square(*square);
            }
            index[key(image)]
        };
        let images = (0..Symmetry::COUNT as u8)
            .map(|s| squares.iter().map(|row| image(Symmetry(s), row)).collect())
            .collect();
        Rows {
            squares,
            occupied,
            index,
            images,
        }
    }

    /// The row of these squares of the outer pieces.
    #[inline]
    pub(crate) fn find(&self, squares: [Sq; 2]) -> usize {
        usize::from(self.index[key(squares)])
    }

    /// The image of a row under a symmetry.
    #[inline]
    pub(crate) fn image(&self, symmetry: Symmetry, row: usize) -> usize {
        usize::from(self.images[usize::from(symmetry.0)][row])
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.squares.len()
    }
}

#[inline]
fn key([a, b]: [Sq; 2]) -> usize {
    usize::from(a) * 64 + usize::from(b)
}
