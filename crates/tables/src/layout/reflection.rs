//! Positions that are stored together with their reflection.
//!
//! An entry of a table stands for all images of its position under the symmetries of the board:
//! eight without pawns, two with them. Where the kings (without pawns) or the files of the pawns
//! are their own reflection, both a position and its reflection have an entry, so each stands for
//! half as many; or for itself alone, if it is its own reflection.

use super::{Layout, Place};
use crate::geometry::Symmetry;

impl Layout {
    /// The number of symmetries of the board under which the endgame is invariant.
    pub(crate) fn symmetries(&self) -> u64 {
        if self.pawns.colors.is_empty() { 8 } else { 2 }
    }

    /// The symmetry that the layout does not always use up.
    fn reflecting(&self) -> Symmetry {
        if self.pawns.colors.is_empty() {
            Symmetry::TRANSPOSE
        } else {
            Symmetry::MIRROR
        }
    }

    /// Are the reflections of positions with this slice and pair of kings stored too?
    pub(crate) fn stores_reflections(&self, slice: usize, pair: usize) -> bool {
        let symmetry = self.reflecting();
        let image = |square: &u8| symmetry.square(*square);
        if self.pawns.colors.is_empty() {
            let kings = self.kings.pairs[pair];
            kings.each_ref().map(image) == kings
        } else {
            let mirrored: Vec<_> = self.pawns.slices[slice].iter().map(image).collect();
            let stored = self.pawns.find(&mirrored);
            stored.is_some_and(|stored| stored.symmetry == Symmetry::IDENTITY)
        }
    }

    /// The place of the reflection of a position, if [reflections are
    /// stored](Layout::stores_reflections).
    pub(crate) fn reflection(&self, place: Place) -> Place {
        let symmetry = self.reflecting();
        let mut placement = self.placement(place);
        placement.kings = placement.kings.map(|square| symmetry.square(square));
        placement.men = placement.men.map(|square| symmetry.square(square));
        self.find(placement).expect("the kings are still apart")
    }

    /// The index that represents the symmetry class of a position: its own, or that of its
    /// reflection if that is stored before it.
    pub(crate) fn class(&self, index: u64) -> u64 {
        let place = self.place_at(index);
        if self.stores_reflections(place.slice, place.pair) {
            index.min(self.index_of(self.reflection(place)))
        } else {
            index
        }
    }

    /// The index of the position with colours swapped, if both sides have the same men.
    pub(crate) fn exchanged(&self, index: u64) -> Option<u64> {
        if !self.material.is_symmetric() {
            return None;
        }
        let board = self.board(self.placement(self.place_at(index)))?;
        self.index(&board.into_mirrored(), false)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use shakmaty::{Board, Color};

    use super::*;
    use crate::geometry::squares;

    /// All images of a board under the symmetries of its endgame.
    fn images(board: &Board) -> Vec<Board> {
        let flipped = |board: &Board, flip: fn(&mut Board)| {
            let mut board = board.clone();
            flip(&mut board);
            board
        };
        let mut images = vec![board.clone()];
        let flips: &[fn(&mut Board)] = if board.pawns().is_empty() {
            &[
                Board::flip_horizontal,
                Board::flip_vertical,
                Board::flip_diagonal,
            ]
        } else {
            &[Board::flip_horizontal]
        };
        for flip in flips {
            let more: Vec<_> = images.iter().map(|image| flipped(image, *flip)).collect();
            images.extend(more);
        }
        images
    }

    /// Entries represent every position of the board once.
    #[test]
    fn entries_and_their_images_are_all_positions() {
        for name in ["KQK", "KPK", "KBBK", "KPPK"] {
            let layout = Layout::new(name.parse().unwrap()).unwrap();
            let mut weights = 0;
            let mut boards = HashSet::new();
            for slice in 0..layout.pawns.slices.len() {
                // Two pawns have many slices; those on the second rank are enough.
                let low = layout.pawns.slices[slice].iter().all(|&pawn| pawn < 16);
                if !low {
                    continue;
                }
                for pair in 0..layout.kings.pairs.len() {
                    let doubled = layout.stores_reflections(slice, pair);
                    let weight = layout.symmetries() / if doubled { 2 } else { 1 };
                    for row in 0..layout.rows.len() {
                        let (first, _) = layout.stored_lanes(row);
                        let legal = layout.legal(Color::White, slice, pair, row);
                        for lane in squares(legal).filter(|&lane| lane >= first) {
                            let place = Place {
                                slice,
                                pair,
                                row,
                                lane,
                            };
                            weights += weight;
                            let board = layout.board(layout.placement(place)).unwrap();
                            boards.extend(images(&board));
                            if doubled {
                                let reflection = layout.reflection(place);
                                assert_eq!(layout.reflection(reflection), place, "{name}");
                            }
                        }
                    }
                }
            }
            assert_eq!(weights, boards.len() as u64, "{name}");
        }
    }
}
