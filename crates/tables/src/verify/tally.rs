//! Counts the outcomes in a table, to check its description of itself.

use std::sync::{Mutex, PoisonError};

use errare_core::Outcome;
use rustc_hash::FxHashMap;
use shakmaty::Color;

use crate::{
    file::{Description, Side},
    layout::side,
    scan::ScanEntry,
};

/// The number of positions with each outcome, by side to move.
#[derive(Default)]
pub(super) struct VerifyTally(Mutex<[FxHashMap<Outcome, u64>; 2]>);

impl VerifyTally {
    /// Counts some more positions.
    pub(super) fn add(&self, entries: &[ScanEntry]) {
        let mut some = [FxHashMap::default(), FxHashMap::default()];
        for entry in entries {
            *some[side(entry.turn)].entry(entry.outcome).or_insert(0) += 1;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (all, some) in all.iter_mut().zip(some) {
            for (outcome, count) in some {
                *all.entry(outcome).or_insert(0) += count;
            }
        }
    }

    /// Do the counts agree with the table's description?
    pub(super) fn agrees_with(self, table: &Description) -> bool {
        let counted = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        Color::ALL.into_iter().all(|turn| {
            let Side { palette, counts } = table.side(turn);
            let said = palette.iter().copied().zip(counts.iter().copied());
            said.collect::<FxHashMap<_, _>>() == counted[side(turn)]
        })
    }
}
