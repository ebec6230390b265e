//! Building what is missing, told on standard error.

use anyhow::{Result, bail};
use errare_core::{Material, Metric};
use errare_tables::{Report, Store, build};

use crate::{
    interrupt::{self, Interrupted},
    memory::MemoryLimit,
    progress::Bar,
};

/// Builds what is missing for these metrics of these endgames, with all subgames, behind a progress
/// bar, and tells of each that is finished. Ctrl-C ends it with
/// [`BuildError::Stopped`](errare_tables::BuildError::Stopped), or with [`Interrupted`] after the last table.
pub(crate) fn build_missing(
    store: &Store,
    endgames: &[Material],
    metrics: &[Metric],
    memory: &MemoryLimit,
    told: impl Fn(&Report) + Sync,
) -> Result<Vec<Report>> {
    let built = build(store, endgames, metrics, memory.bytes()?, &Bar::new(told));
    interrupt::allow();
    let built = built?;
    if interrupt::requested() {
        bail!(Interrupted);
    }
    Ok(built)
}
