//! The positions of a slice that moves lead to, decoded to every lane of every row.

use rayon::prelude::*;
use shakmaty::Position;

use super::{Census, kinds::STALEMATE};
use crate::{
    FileError,
    generate::QuietMoves,
    geometry::{Word, squares},
    layout::{LANES, Place},
};

/// A slice with the other side to move.
pub(super) struct Reached {
    /// By row: the legal positions.
    pub(super) legal: Vec<Word>,
    /// By lane: the codes.
    pub(super) codes: Vec<u8>,
}

impl Reached {
    /// Reads the positions of a slice in which the census's side has just moved.
    pub(super) fn load(census: &Census<'_>, slice: usize) -> Result<Reached, FileError> {
        let (layout, turn) = (&census.scan.layout, !census.turn);
        let (rows, len) = (layout.rows.len(), layout.slice_len());
        let stored = census.scan.table.codes(turn, (slice * len) as u64, len)?;
        let codes = match &census.offsets {
            None => stored,
            Some(offsets) => stored
                .par_chunks(layout.pair_len())
                .flat_map_iter(|pair| offsets.iter().map(|&offset| pair[offset as usize]))
                .collect(),
        };
        let legal = (0..layout.kings.pairs.len() * rows)
            .into_par_iter()
            .with_min_len(rows)
            .map(|i| layout.legal(turn, slice, i / rows, i % rows))
            .collect();
        let mut reached = Reached { legal, codes };
        let palette = census.scan.table.palette(turn);
        if census.kinds.tell_stalemates(palette) {
            reached.mark_stalemates(census, slice);
        }
        Ok(reached)
    }

    /// Gives stalemates their own code.
    fn mark_stalemates(&mut self, census: &Census<'_>, slice: usize) {
        let (layout, turn) = (&census.scan.layout, !census.turn);
        let rows = layout.rows.len();
        let quiet = QuietMoves::new(layout, &layout.pawns.slices[slice]);
        let palette = census.scan.table.palette(turn);
        let afterwards: Vec<Word> = (0..self.legal.len())
            .into_par_iter()
            .with_min_len(rows)
            .map(|i| layout.legal(!turn, slice, i / rows, i % rows))
            .collect();
        let legal = &self.legal;
        self.codes
            .par_chunks_mut(LANES)
            .enumerate()
            .with_min_len(rows)
            .for_each(|(i, codes)| {
                let (pair, row) = (i / rows, i % rows);
                let still = quiet.without_move_into(turn, pair, row, legal[i], &afterwards);
                for lane in squares(still) {
                    let code = &mut codes[usize::from(lane)];
                    let place = Place {
                        slice,
                        pair,
                        row,
                        lane,
                    };
                    let drawn = palette[usize::from(*code)].sign() == 0;
                    // Few positions get here, so captures and pawn moves may be found the slow way.
                    if drawn && census.scan.position(place, turn).is_stalemate() {
                        *code = STALEMATE;
                    }
                }
            });
    }
}
