//! A census: every move of every position of a stored table.
//!
//! For each stored position of one side to move, the census lists what each of its legal moves leads
//! to. Averages over a whole endgame, such as the Markov matrices of Haworth & Andrist (2004),
//! section 5, are computed from it, and so is the graph on which play from one position is followed.
//!
//! It works like the generator, on 64 positions of a [row](Layout) at a time, with the codes of a
//! pawn slice in memory; a move takes a few nanoseconds. The destination of a move is reported as a
//! *kind*, a number that the caller assigns to every [`Destination`] beforehand.
//!
//! Positions are processed in units of fixed size whose results are merged in order, so a result does
//! not depend on the number of threads, not even by rounding.

mod kinds;
mod lists;
mod reached;
mod slice;
#[cfg(test)]
mod tests;

use std::ops::Range;

use errare_core::{Material, Metric, Outcome, Watch};
use rayon::prelude::*;
use shakmaty::{Board, Chess, Color};

use self::{kinds::Kinds, lists::MoveLists, slice::SliceMoves};
pub use self::{
    kinds::{CensusStep, Destination},
    lists::Successor,
};
use crate::{
    FileError, Layer, Scan, ScanError, Store,
    build::subgames::StoredSubgames,
    generate::Family,
    geometry::{Symmetry, Word, squares},
    layout::LANES,
};

/// Positions per task.
const UNIT: usize = 1 << 17;

/// Maximum number of positions of slices in memory at once, unless a single slice has more.
const BATCH: usize = 1 << 21;

/// A position and the destinations of its moves.
#[derive(Debug, Clone, Copy)]
pub struct CensusEntry<'a> {
    /// The stored index of the position.
    pub index: u32,
    /// The number of positions of the full board it stands for.
    pub weight: u32,
    /// The outcome for the side to move.
    pub outcome: Outcome,
    /// The kind of each legal move. Empty if the position is mate or stalemate.
    pub kinds: &'a [u16],
    /// The stored index of the position after each move. Empty unless the census [lists
    /// them](Census::with_successors).
    pub successors: &'a [Successor],
}

/// The moves of one side in all positions of an endgame.
#[derive(Debug)]
pub struct Census<'a> {
    store: &'a Store,
    scan: Scan,
    turn: Color,
    family: Family,
    kinds: Kinds,
    /// By code of the side to move: is the position included?
    wanted: Vec<bool>,
    successors: bool,
    /// For each row and lane, the offset of its position among those of its pair of kings; `None` if
    /// the offsets are the identity.
    offsets: Option<Vec<u32>>,
}

impl<'a> Census<'a> {
    /// A census of a stored table with one side to move. `kind` numbers the destinations of moves.
    pub fn new(
        store: &'a Store,
        material: Material,
        metric: Metric,
        turn: Color,
        kind: impl Fn(Destination) -> u16,
    ) -> Result<Census<'a>, ScanError> {
        let scan = Scan::new(store, material, Layer::Metric(metric))?;
        scan.table.check_codes()?;
        let family = match metric {
            Metric::Dtm => Family::Mate,
            Metric::Dtc => Family::Conversion,
            Metric::Dtz => Family::Zeroing,
            Metric::Dtr => Family::Rule,
        };
        Ok(Census {
            store,
            turn,
            family,
            kinds: Kinds::new(scan.table.palette(!turn), kind),
            wanted: vec![true; scan.table.palette(turn).len()],
            successors: false,
            offsets: scan.layout.lane_offsets(),
            scan,
        })
    }

    /// Includes only positions with these outcomes.
    #[must_use]
    pub fn only(mut self, wanted: impl Fn(Outcome) -> bool) -> Census<'a> {
        self.wanted = self.outcomes().iter().map(|&o| wanted(o)).collect();
        self
    }

    /// Also lists the stored indices of the positions after the moves.
    #[must_use]
    pub fn with_successors(mut self) -> Census<'a> {
        self.successors = true;
        self
    }

    /// The outcomes that occur with the side to move.
    pub fn outcomes(&self) -> &[Outcome] {
        self.scan.table.palette(self.turn)
    }

    /// The number of stored positions with the census's side to move, legal or not.
    pub fn stored(&self) -> u64 {
        self.scan.layout.len()
    }

    /// The number of symmetries of the board under which the endgame is invariant: the first ones of
    /// [`Symmetry::ALL`].
    pub fn symmetries(&self) -> usize {
        self.scan.layout.symmetries() as usize
    }

    /// The legal position stored at an index.
    pub fn position(&self, index: u32) -> Chess {
        let place = self.scan.layout.place_at(index.into());
        self.scan.position(place, self.turn)
    }

    /// The stored index of a board of this endgame, and the symmetry that maps the board to it. With
    /// `flipped` the board's Black is the endgame's White, and the board is first turned upside down.
    pub fn locate(&self, board: &Board, flipped: bool) -> Option<(u32, Symmetry)> {
        let (index, symmetry) = self.scan.layout.locate(board, flipped)?;
        Some((index as u32, symmetry))
    }

    /// Folds over all positions: `add` accumulates within a unit of work, starting from `empty`, and
    /// `merge` combines the results of units in order. Advances the watch's stage, which the caller
    /// begins, by [stored positions](Census::stored).
    pub fn fold<A: Send>(
        &self,
        watch: &dyn Watch,
        empty: impl Fn() -> A + Sync,
        add: impl Fn(&mut A, &CensusEntry<'_>) + Sync,
        mut merge: impl FnMut(&mut A, A),
    ) -> Result<A, ScanError> {
        let layout = &self.scan.layout;
        let subgames = StoredSubgames::new(self.store, self.family.layer());
        let pairs = layout.kings.pairs.len();
        let step = (UNIT / layout.pair_len()).max(1);
        let slices: Vec<usize> = (0..layout.pawns.slices.len()).collect();
        let mut total = empty();
        for batch in slices.chunks((BATCH / layout.slice_len()).max(1)) {
            let loaded: Vec<SliceMoves<'_>> = batch
                .into_par_iter()
                .map(|&slice| SliceMoves::load(self, slice, &subgames))
                .collect::<Result<_, FileError>>()?;
            let groups = batch.len() * pairs;
            let units: Vec<Range<usize>> = (0..groups)
                .step_by(step)
                .map(|start| start..groups.min(start + step))
                .collect();
            let parts: Vec<A> = units
                .into_par_iter()
                .map(|unit| {
                    let (mut part, mut lists) = (empty(), MoveLists::new());
                    for group in unit {
                        watch.check()?;
                        let moves = &loaded[group / pairs];
                        self.count(moves, group % pairs, &mut lists, |choice| {
                            add(&mut part, choice);
                        });
                        watch.advance(layout.pair_len() as u64);
                    }
                    Ok(part)
                })
                .collect::<Result<_, ScanError>>()?;
            for part in parts {
                merge(&mut total, part);
            }
        }
        Ok(total)
    }

    /// Calls `visit` with every included position of a pair of kings.
    fn count(
        &self,
        moves: &SliceMoves<'_>,
        pair: usize,
        lists: &mut MoveLists,
        mut visit: impl FnMut(&CensusEntry<'_>),
    ) {
        let layout = &self.scan.layout;
        let reflected = layout.stores_reflections(moves.slice, pair);
        let weight = layout.symmetries() as u32 / if reflected { 2 } else { 1 };
        let pair_start = pair * layout.pair_len();
        let slice_start = moves.slice * layout.slice_len();
        for row in 0..layout.rows.len() {
            let (first, offset) = layout.stored_lanes(row);
            let start = pair_start + offset;
            let codes = &moves.own[start..][..LANES - usize::from(first)];
            let legal = layout.legal(self.turn, moves.slice, pair, row);
            let wanted = legal & self.wanted_lanes(codes, first);
            if wanted == 0 {
                continue;
            }
            lists.clear();
            moves.list(pair, row, wanted, lists);
            for lane in squares(wanted) {
                let at = usize::from(lane - first);
                visit(&CensusEntry {
                    index: (slice_start + start + at) as u32,
                    weight,
                    outcome: self.outcomes()[usize::from(codes[at])],
                    kinds: lists.kinds(lane),
                    successors: lists.successors(lane),
                });
            }
        }
    }

    /// The lanes, from the first one stored, whose codes are included.
    fn wanted_lanes(&self, codes: &[u8], first: u8) -> Word {
        let mut lanes = 0;
        for &code in codes.iter().rev() {
            lanes = lanes << 1 | Word::from(self.wanted[usize::from(code)]);
        }
        lanes.checked_shl(first.into()).unwrap_or(0)
    }
}
