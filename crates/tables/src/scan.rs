//! Reads a table from beginning to end, a bounded part at a time.

use std::{ops::Range, path::PathBuf, sync::Arc};

use errare_core::{Material, Outcome, Stopped};
use rand::{Rng, RngExt};
use rayon::prelude::*;
use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position, PositionError, Setup};

use crate::{
    FileError, Layer, Layout, LayoutError, Store, TableFile,
    geometry::{Sq, Word, squares},
    layout::{LANES, Place, side},
};

/// A stored table and its layout.
///
/// ```
/// use errare_core::{Metric, Outcome, Plies};
/// use errare_tables::{Scan, Store, build};
///
/// # let directory = tempfile::tempdir()?;
/// # let store = Store::open(directory.path(), 16 << 20);
/// build(&store, &["KRK".parse()?], &[Metric::Dtm], 1 << 30, &())?;
/// let scan = Scan::new(&store, "KRK".parse()?, Metric::Dtm.into())?;
/// let mut outcomes = scan.positions().map(|entry| entry.map(|(_, outcome)| outcome));
/// assert!(outcomes.any(|outcome| matches!(outcome, Ok(Outcome::Win(Plies(31))))), "mate in 16 moves");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Scan {
    pub(crate) layout: Layout,
    pub(crate) table: Arc<TableFile>,
}

/// Why a table cannot be scanned.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// The endgame has no table.
    #[error(transparent)]
    Endgame(#[from] LayoutError),
    /// The table is missing.
    #[error("there is no {layer} table of {material} in {}", directory.display())]
    Missing {
        /// The endgame.
        material: Material,
        /// The layer.
        layer: Layer,
        /// The directory searched.
        directory: PathBuf,
    },
    /// The table cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The watcher stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// A legal position of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScanEntry {
    pub(crate) place: Place,
    pub(crate) turn: Color,
    pub(crate) outcome: Outcome,
}

impl Scan {
    /// Opens a table of a store.
    pub fn new(store: &Store, material: Material, layer: Layer) -> Result<Scan, ScanError> {
        let layout = Layout::new(material)?;
        let table = store
            .table(material, layer)?
            .ok_or_else(|| ScanError::Missing {
                material,
                layer,
                directory: store.directory().to_owned(),
            })?;
        table.check_layout(&layout)?;
        Ok(Scan { layout, table })
    }

    /// Every legal position with its outcome, one per class of symmetric positions, alternating
    /// between White and Black to move. No position has an en-passant right.
    pub fn positions(&self) -> impl Iterator<Item = Result<(Chess, Outcome), FileError>> {
        let entries = |range| -> Vec<Result<ScanEntry, FileError>> {
            match self.read(range) {
                Ok(part) => part.entries().map(Ok).collect(),
                Err(error) => vec![Err(error)],
            }
        };
        let position = |entry: ScanEntry| (self.position(entry.place, entry.turn), entry.outcome);
        self.ranges()
            .flat_map(entries)
            .filter(|entry| !matches!(entry, Ok(entry) if !self.stands_for_its_class(entry)))
            .map(move |entry| entry.map(position))
    }

    /// A random stored position among those selected, all equally likely.
    pub fn draw(
        &self,
        wanted: impl Fn(Color, Outcome) -> bool + Sync,
        rng: &mut impl Rng,
    ) -> Result<Option<Chess>, FileError> {
        let wanted = |entry: &ScanEntry| wanted(entry.turn, entry.outcome);
        let counts: Vec<u64> = self
            .parts()
            .map(|part| Ok(part?.entries().filter(wanted).count() as u64))
            .collect::<Result<_, FileError>>()?;
        let total: u64 = counts.iter().sum();
        if total == 0 {
            return Ok(None);
        }
        let mut number = rng.random_range(0..total);
        for (range, count) in self.ranges().zip(counts) {
            if number < count {
                let part = self.read(range)?;
                let drawn = part.entries().filter(wanted).nth(number as usize);
                return Ok(drawn.map(|entry| self.position(entry.place, entry.turn)));
            }
            number -= count;
        }
        unreachable!("the number is less than the total")
    }

    /// Is no symmetric position stored before this one?
    fn stands_for_its_class(&self, entry: &ScanEntry) -> bool {
        let index = self.layout.index_of(entry.place);
        self.layout.class(index) == index
    }

    /// The number of pairs of kings over all slices.
    fn groups(&self) -> usize {
        self.layout.pawns.slices.len() * self.layout.kings.pairs.len()
    }

    /// The groups of one slice.
    pub(crate) fn groups_of_slice(&self, slice: usize) -> Range<usize> {
        let pairs = self.layout.kings.pairs.len();
        slice * pairs..(slice + 1) * pairs
    }

    /// Ranges of groups to read at a time, some blocks of the file each.
    fn ranges(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        const POSITIONS: usize = 1 << 18;
        let (groups, step) = (self.groups(), (POSITIONS / self.layout.pair_len()).max(1));
        (0..groups)
            .step_by(step)
            .map(move |start| start..groups.min(start + step))
    }

    /// The parts of the table, in order.
    pub(crate) fn parts(&self) -> impl IndexedParallelIterator<Item = Result<Part<'_>, FileError>> {
        let ranges: Vec<_> = self.ranges().collect();
        ranges.into_par_iter().map(|range| self.read(range))
    }

    /// The table's codes for some groups.
    pub(crate) fn read(&self, groups: Range<usize>) -> Result<Part<'_>, FileError> {
        let pair_len = self.layout.pair_len();
        let start = (groups.start * pair_len) as u64;
        let codes = |turn| self.table.codes(turn, start, groups.len() * pair_len);
        Ok(Part {
            scan: self,
            codes: [codes(Color::White)?, codes(Color::Black)?],
            groups,
        })
    }

    /// The index of a position of this endgame, with the board's White as its White.
    pub(crate) fn index(&self, position: &Chess) -> u64 {
        let index = self.layout.index(position.board(), false);
        index.expect("the kings of a legal position are apart")
    }

    /// The position at a place that is known to be legal.
    pub(crate) fn position(&self, place: Place, turn: Color) -> Chess {
        let board = self.layout.board(self.layout.placement(place));
        let setup = Setup {
            board: board.expect("the men of a legal position are apart"),
            turn,
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Standard)
            .or_else(PositionError::ignore_impossible_check)
            .expect("the position is legal")
    }
}

/// The codes of consecutive groups, for both sides to move.
pub(crate) struct Part<'a> {
    scan: &'a Scan,
    groups: Range<usize>,
    codes: [Vec<u8>; 2],
}

impl Part<'_> {
    /// The number of stored positions, for each side to move.
    pub(crate) fn len(&self) -> u64 {
        self.codes[0].len() as u64
    }

    /// The rows in stored order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = ScanRow<'_>> {
        let layout = &self.scan.layout;
        let pairs = layout.kings.pairs.len();
        self.groups.clone().flat_map(move |group| {
            let (slice, pair) = (group / pairs, group % pairs);
            let reflected = layout.stores_reflections(slice, pair);
            let group_start = group * layout.pair_len();
            let part_start = self.groups.start * layout.pair_len();
            (0..layout.rows.len()).map(move |row| {
                let (first, offset) = layout.stored_lanes(row);
                let start = group_start + offset;
                let len = LANES - usize::from(first);
                let stored = Word::MAX.checked_shl(first.into()).unwrap_or(0);
                ScanRow {
                    slice,
                    pair,
                    row,
                    reflected,
                    first,
                    start: start as u64,
                    legal: Color::ALL.map(|turn| layout.legal(turn, slice, pair, row) & stored),
                    codes: [0, 1].map(|side| &self.codes[side][start - part_start..][..len]),
                }
            })
        })
    }

    /// The legal positions with their outcomes.
    pub(crate) fn entries(&self) -> impl Iterator<Item = ScanEntry> {
        let palettes = Color::ALL.map(|turn| self.scan.table.palette(turn));
        self.rows().flat_map(move |row| {
            let [white, black] = row.legal;
            squares(white | black).flat_map(move |lane| {
                let here = Color::ALL.into_iter();
                let legal = here.filter(move |&turn| row.is_legal(turn, lane));
                legal.map(move |turn| ScanEntry {
                    place: row.place(lane),
                    turn,
                    outcome: palettes[side(turn)][usize::from(row.code(turn, lane))],
                })
            })
        })
    }
}

/// A row of positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScanRow<'a> {
    slice: usize,
    pair: usize,
    row: usize,
    /// Are the positions stored together with their reflections?
    pub(crate) reflected: bool,
    /// The first stored lane, and its index.
    first: Sq,
    start: u64,
    /// By side to move: the stored lanes that are legal positions.
    pub(crate) legal: [Word; 2],
    codes: [&'a [u8]; 2],
}

impl ScanRow<'_> {
    /// Whether the position of a lane is legal.
    fn is_legal(&self, turn: Color, lane: Sq) -> bool {
        self.legal[side(turn)] >> lane & 1 == 1
    }

    /// The code of the position of a lane.
    #[inline]
    pub(crate) fn code(&self, turn: Color, lane: Sq) -> u8 {
        self.codes[side(turn)][usize::from(lane - self.first)]
    }

    /// The stored index of the position of a lane.
    #[inline]
    pub(crate) fn index(&self, lane: Sq) -> u64 {
        self.start + u64::from(lane - self.first)
    }

    /// Where the position of a lane is stored.
    pub(crate) fn place(&self, lane: Sq) -> Place {
        Place {
            slice: self.slice,
            pair: self.pair,
            row: self.row,
            lane,
        }
    }
}
