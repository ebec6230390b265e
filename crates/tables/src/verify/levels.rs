//! Recomputes DTR from its definition: a *k*-ply rule leaves a win standing iff the winner can
//! force, within *k* plies, mate or a zeroing move into a position of DTR at most *k*.
//!
//! Within a horizon of *n* plies a position is worth the *level*, the DTR, of the zeroing move that
//! best play makes: the least that the winner can force, the greatest that the loser can. A
//! position undecided within *n* plies is worth a draw. With one ply more it is worth the best of
//! its zeroing moves and of what its quiet moves lead to; DTR is the first *n* at which the level
//! is at most *n*. Zeroing moves leave the pawn slice, so a slice is recomputed by itself: its
//! moves are generated once and then played through ply by ply.

use errare_core::{Metric, Outcome, Plies, Stopped};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Position};

use super::{Mismatch, Told, VerifyError, recurrence::without_moves};
use crate::{Layout, ProbeError, Prober, Scan, layout::side, probe::after, scan::ScanEntry};

/// Positions of the largest slice whose moves are kept in memory (half a gibibyte at most): a slice
/// of four men without pawns.
const LARGEST_SLICE: usize = 462 * 64 * 64;

/// Do the moves of a slice fit into memory?
pub(super) fn fit(layout: &Layout) -> bool {
    layout.slice_len() <= LARGEST_SLICE
}

/// The first position whose DTR is wrong.
pub(super) fn first_mismatch(
    prober: &Prober,
    scan: &Scan,
    told: &Told<'_>,
) -> Result<Option<Mismatch>, VerifyError> {
    for slice in 0..scan.layout.pawns.slices.len() {
        let part = scan.read(scan.groups_of_slice(slice))?;
        let entries: Vec<_> = part.entries().collect();
        let depths = Slice::new(prober, scan, &entries, told)?.depths(&entries, told)?;
        let wrong = entries
            .iter()
            .zip(depths)
            .find(|(entry, depth)| entry.outcome != *depth);
        if let Some((entry, depth)) = wrong {
            let position = scan.position(entry.place, entry.turn);
            return Ok(Some(Mismatch::new(&position, entry.outcome, depth.into())));
        }
    }
    Ok(None)
}

/// The value of a position for the side to move: 0 for a draw, otherwise closer to 0 the greater the
/// level; the other side's value is the negative.
type Worth = i16;

const DRAW: Worth = 0;
/// Worse than any option; used where there is none.
const NOTHING: Worth = Worth::MIN;

fn worth(outcome: Outcome) -> Worth {
    match outcome {
        Outcome::Win(Plies(level)) => Worth::MAX - level as Worth,
        Outcome::Draw => DRAW,
        Outcome::Loss(Plies(level)) => level as Worth - Worth::MAX,
    }
}

/// The level of a value that is not a draw.
fn level(worth: Worth) -> u16 {
    (Worth::MAX - worth.abs()) as u16
}

/// The moves of some positions of a slice.
#[derive(Default)]
struct Moves {
    /// For each position, the best of its zeroing moves, or its value without moves.
    exits: Vec<Worth>,
    /// For each position, the end of its quiet moves in the list of all.
    ends: Vec<u32>,
    /// The slots that quiet moves lead to.
    quiet: Vec<u32>,
}

/// A slice and its moves.
struct Slice<'a> {
    layout: &'a Layout,
    /// Each covers [`Slice::AT_A_TIME`] entries.
    moves: Vec<Moves>,
    /// The slot of each entry: its index in the slice, with those of Black to move after White's.
    slots: Vec<u32>,
}

impl<'a> Slice<'a> {
    const AT_A_TIME: usize = 1 << 12;

    /// Generates all moves.
    fn new(
        prober: &Prober,
        scan: &'a Scan,
        entries: &[ScanEntry],
        told: &Told<'_>,
    ) -> Result<Slice<'a>, VerifyError> {
        let layout = &scan.layout;
        let moves = entries.par_chunks(Slice::AT_A_TIME).map(|entries| {
            let mut moves = Moves::default();
            for entry in entries {
                let position = scan.position(entry.place, entry.turn);
                moves.add(prober, scan, &position)?;
            }
            told(entries)?;
            Ok(moves)
        });
        let slot = |entry: &ScanEntry| slot(layout, layout.index_in_slice(entry.place), entry.turn);
        Ok(Slice {
            layout,
            moves: moves.collect::<Result<_, VerifyError>>()?,
            slots: entries.iter().map(slot).collect(),
        })
    }

    /// The DTR of each entry.
    fn depths(&self, entries: &[ScanEntry], told: &Told<'_>) -> Result<Vec<Outcome>, Stopped> {
        let mated = worth(Outcome::Loss(Plies(0)));
        let exits = || self.moves.iter().flat_map(|moves| &moves.exits);
        let decided = exits().filter(|&&exit| exit != DRAW && exit != NOTHING);
        let greatest_level = decided.map(|&exit| level(exit)).max().unwrap_or(0);

        let mut depths = vec![Outcome::Draw; entries.len()];
        let mut worths = vec![DRAW; 2 * self.layout.slice_len()];
        let mut latest: Vec<Worth> = exits()
            .map(|&exit| if exit == mated { mated } else { DRAW })
            .collect();
        for horizon in 0.. {
            for ((depth, &worth), &slot) in depths.iter_mut().zip(&latest).zip(&self.slots) {
                worths[slot as usize] = worth;
                if *depth == Outcome::Draw && worth != DRAW && level(worth) <= horizon {
                    *depth = if worth > DRAW {
                        Outcome::Win(Plies(horizon))
                    } else {
                        Outcome::Loss(Plies(horizon))
                    };
                }
            }
            // No new position was checked, but this takes time too.
            told(&[])?;
            let next = self.next(&worths);
            if next == latest && horizon >= greatest_level {
                break;
            }
            latest = next;
        }
        Ok(depths)
    }

    /// The values of entries with the horizon extended by one ply.
    fn next(&self, worths: &[Worth]) -> Vec<Worth> {
        self.moves
            .par_iter()
            .flat_map_iter(|moves| {
                let starts = [0].into_iter().chain(moves.ends.iter().copied());
                moves
                    .exits
                    .iter()
                    .zip(starts.zip(&moves.ends))
                    .map(|(&exit, (start, &end))| {
                        let quiet = &moves.quiet[start as usize..end as usize];
                        let options = quiet.iter().map(|&slot| -worths[slot as usize]);
                        options.fold(exit, Worth::max)
                    })
            })
            .collect()
    }
}

impl Moves {
    fn add(&mut self, prober: &Prober, scan: &Scan, position: &Chess) -> Result<(), ProbeError> {
        let layout = &scan.layout;
        let moves = position.legal_moves();
        let mut exit = NOTHING;
        if moves.is_empty() {
            exit = worth(without_moves(position));
        }
        for m in moves {
            let after = after(position, m);
            if m.is_zeroing() {
                let option = prober.through_exit(&after, Metric::Dtr.into())?;
                exit = exit.max(worth(option));
            } else {
                let in_slice = (scan.index(&after) % layout.slice_len() as u64) as usize;
                self.quiet.push(slot(layout, in_slice, after.turn()));
            }
        }
        self.exits.push(exit);
        self.ends.push(self.quiet.len() as u32);
        Ok(())
    }
}

fn slot(layout: &Layout, index_in_slice: usize, turn: Color) -> u32 {
    (side(turn) * layout.slice_len() + index_in_slice) as u32
}
