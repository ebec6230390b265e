//! Verifies a stored table independently of the code that generated it: shakmaty's move generator, one
//! position at a time, against the tables of the positions that the moves lead to.
//!
//! - DTM, DTC, DTZ and DTZ50 are [recomputed from the moves](recurrence) of each position. By
//!   induction on the depth, only the right values pass everywhere, if the subgames are right.
//! - DTR is no function of the DTR that the moves lead to. It is [recomputed by levels](levels),
//!   pawn slice by pawn slice, where the moves of a slice fit into memory: up to four men, and five
//!   if two are pawns.
//! - The counts that a table states about itself are compared with the positions, if all are checked.
//! - For larger tables, and for samples, DTR can only be checked against bounds, one ply apart, that follow
//!   from the moves. A value outside them is wrong; one inside may still be a ply off.

mod levels;
mod recurrence;
mod sample;
mod tally;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use errare_core::{Material, Metric, Outcome, Stopped, Watch};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};

pub use self::{recurrence::Expected, sample::VerificationSample};
use self::{recurrence::expected, tally::VerifyTally};
use crate::{FileError, Layer, ProbeError, Prober, Scan, ScanError, scan::ScanEntry};

/// The result of a verification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verification {
    /// How positions were checked.
    pub method: Method,
    /// The number of positions checked; after a mismatch, fewer than planned.
    pub positions: u64,
    /// The first wrong position.
    pub mismatch: Option<Mismatch>,
}

/// How positions are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Recomputed from their moves.
    Moves,
    /// Recomputed by the levels of DTR.
    Levels,
    /// Checked against bounds that follow from their moves: necessary, not sufficient.
    Bounds,
}

/// A position whose stored outcome is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The position.
    pub fen: String,
    /// The table's value.
    pub stored: Outcome,
    /// The value it should have.
    pub expected: Expected,
}

impl Mismatch {
    fn new(position: &Chess, stored: Outcome, expected: Expected) -> Mismatch {
        Mismatch {
            fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
            stored,
            expected,
        }
    }
}

/// Why a table could not be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The table cannot be read.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// A position that a move leads to could not be probed.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The watcher stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<FileError> for VerifyError {
    fn from(error: FileError) -> VerifyError {
        ScanError::File(error).into()
    }
}

/// Called with more checked positions; may stop the work.
type Told<'a> = dyn Fn(&[ScanEntry]) -> Result<(), Stopped> + Sync + 'a;

/// A table to verify.
///
/// ```
/// use errare_core::Metric;
/// use errare_tables::{Check, Prober, Store, build};
///
/// # let directory = tempfile::tempdir()?;
/// # let store = Store::open(directory.path(), 16 << 20);
/// build(&store, &["KRK".parse()?], &[Metric::Dtm], 1 << 30, &())?;
/// let prober = Prober::new(store);
/// let verified = Check::new(&prober, "KRK".parse()?, Metric::Dtm.into(), None)?.run(&())?;
/// assert!(verified.mismatch.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Check<'a> {
    prober: &'a Prober,
    scan: Scan,
    layer: Layer,
    sample: Option<VerificationSample>,
}

impl<'a> Check<'a> {
    /// A check of the whole table, or of a sample if that is smaller. The store of the prober must hold its
    /// subgames as well.
    pub fn new(
        prober: &'a Prober,
        material: Material,
        layer: Layer,
        sample: Option<VerificationSample>,
    ) -> Result<Check<'a>, ScanError> {
        let scan = Scan::new(prober.store(), material, layer)?;
        let sample = sample.filter(|sample| sample.positions < legal_positions(&scan));
        Ok(Check {
            prober,
            scan,
            layer,
            sample,
        })
    }

    /// How positions will be checked.
    pub fn method(&self) -> Method {
        match self.layer {
            Layer::Metric(Metric::Dtr) if self.sample.is_some() => Method::Bounds,
            Layer::Metric(Metric::Dtr) if !levels::fit(&self.scan.layout) => Method::Bounds,
            Layer::Metric(Metric::Dtr) => Method::Levels,
            _ => Method::Moves,
        }
    }

    /// How many positions will be checked.
    pub fn positions(&self) -> u64 {
        match self.sample {
            Some(sample) => sample.positions,
            None => legal_positions(&self.scan),
        }
    }

    /// Checks the positions up to the first wrong one.
    pub fn run(&self, watch: &dyn Watch) -> Result<Verification, VerifyError> {
        let stage = format!("verifying {} {}", self.scan.layout.material(), self.layer);
        watch.begin(&stage, Some(self.positions()));
        let checked = AtomicU64::new(0);
        let tally = VerifyTally::default();
        let told = |entries: &[ScanEntry]| {
            checked.fetch_add(entries.len() as u64, Relaxed);
            tally.add(entries);
            watch.advance(entries.len() as u64);
            watch.check()
        };
        let method = self.method();
        let mismatch = match (self.sample, method) {
            (None, Method::Levels) => levels::first_mismatch(self.prober, &self.scan, &told)?,
            (None, _) => first(self.scan.parts().map(|part| {
                let entries: Vec<_> = part?.entries().collect();
                self.first_mismatch(&entries, &told)
            }))?,
            (Some(sample), _) => self.first_mismatch_of(sample, &told)?,
        };
        let table = &self.scan.table;
        let all = self.sample.is_none() && mismatch.is_none();
        if all && !tally.agrees_with(table.description()) {
            return Err(table.damaged_directory().into());
        }
        Ok(Verification {
            method,
            positions: checked.into_inner(),
            mismatch,
        })
    }

    /// The first mismatch in a sample, drawn a bounded part at a time.
    fn first_mismatch_of(
        &self,
        sample: VerificationSample,
        told: &Told<'_>,
    ) -> Result<Option<Mismatch>, VerifyError> {
        for entries in sample.parts(&self.scan) {
            let entries = entries?;
            let parts = entries.par_chunks(1 << 10);
            let mismatch = first(parts.map(|entries| self.first_mismatch(entries, told)))?;
            if mismatch.is_some() {
                return Ok(mismatch);
            }
        }
        Ok(None)
    }

    fn first_mismatch(
        &self,
        entries: &[ScanEntry],
        told: &Told<'_>,
    ) -> Result<Option<Mismatch>, VerifyError> {
        for entry in entries {
            let position = self.scan.position(entry.place, entry.turn);
            let expected = expected(self.prober, &self.scan, &position, self.layer)?;
            if !expected.admits(entry.outcome) {
                return Ok(Some(Mismatch::new(&position, entry.outcome, expected)));
            }
        }
        told(entries)?;
        Ok(None)
    }
}

/// The number of legal positions according to the table's description.
fn legal_positions(scan: &Scan) -> u64 {
    let table = scan.table.description();
    Color::ALL.map(|turn| table.side(turn).legal()).iter().sum()
}

/// The first mismatch, or else the first error, of parts that are checked in parallel.
fn first(
    parts: impl IndexedParallelIterator<Item = Result<Option<Mismatch>, VerifyError>>,
) -> Result<Option<Mismatch>, VerifyError> {
    let found = parts.find_map_first(Result::transpose);
    found.transpose()
}
