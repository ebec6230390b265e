//! One side to move of one pawn slice, during and after its solution.

use rayon::prelude::*;
use shakmaty::Color;

use crate::{Layout, Value, geometry::Word, layout::LANES};

/// The positions of a pawn slice with one side to move: which are legal, won and lost, and their
/// depths.
pub(crate) struct Half {
    /// By row: the legal positions.
    pub(crate) legal: Vec<Word>,
    /// The legal positions that are not (yet) known to be won.
    pub(crate) open: Vec<Word>,
    /// The positions known to be lost.
    pub(crate) lost: Vec<Word>,
    /// By lane: the depth of won and lost positions.
    pub(crate) depth: Vec<u8>,
}

impl Half {
    /// The legal positions of a slice, with unknown outcomes.
    pub(crate) fn new(layout: &Layout, slice: usize, turn: Color) -> Half {
        let rows = layout.rows.len();
        let legal: Vec<Word> = (0..layout.kings.pairs.len() * rows)
            .into_par_iter()
            .with_min_len(rows)
            .map(|i| layout.legal(turn, slice, i / rows, i % rows))
            .collect();
        Half {
            open: legal.clone(),
            lost: vec![0; legal.len()],
            depth: vec![0; legal.len() * LANES],
            legal,
        }
    }

    /// The same outcomes with other depths.
    pub(crate) fn with_depth(&self, depth: Vec<u8>) -> Half {
        Half {
            legal: self.legal.clone(),
            open: self.open.clone(),
            lost: self.lost.clone(),
            depth,
        }
    }

    /// The positions of a row that are won.
    #[inline]
    pub(crate) fn won(&self, row: usize) -> Word {
        self.legal[row] & !self.open[row]
    }

    /// The value of a position.
    #[inline]
    pub(crate) fn value(&self, row: usize, lane: usize) -> Value {
        let here = 1 << lane;
        let depth = || u16::from(self.depth[row * LANES + lane]);
        match () {
            () if self.legal[row] & here == 0 => Value::NONE,
            () if self.open[row] & here == 0 => Value::win(depth()),
            () if self.lost[row] & here != 0 => Value::loss(depth()),
            () => Value::DRAW,
        }
    }

    /// The values of some pairs of kings in stored order.
    pub(crate) fn values(&self, layout: &Layout, pairs: std::ops::Range<usize>) -> Vec<Value> {
        let rows = layout.rows.len();
        let mut values = vec![Value::NONE; pairs.len() * layout.pair_len()];
        values
            .par_chunks_mut(layout.pair_len())
            .zip(pairs)
            .for_each(|(values, pair)| {
                for row in 0..rows {
                    let (first, offset) = layout.stored_lanes(row);
                    for lane in usize::from(first)..LANES {
                        values[offset + lane - usize::from(first)] =
                            self.value(pair * rows + row, lane);
                    }
                }
            });
        values
    }
}
