//! Building what is missing, told on standard error.

use anyhow::Result;
use errare_core::{Material, Metric};
use errare_tables::{Report, Store, build, plan};

use crate::{interrupt, memory::MemoryLimit, progress::Bar};

/// Builds what is missing for these metrics of these endgames, with all subgames, behind a progress
/// bar, and tells of each that is finished. Ctrl-C ends it with
/// [`BuildError::Stopped`](errare_tables::BuildError::Stopped).
pub(crate) fn build_missing(
    store: &Store,
    endgames: &[Material],
    metrics: &[Metric],
    memory: &MemoryLimit,
    told: impl Fn(&Report) + Sync,
) -> Result<()> {
    let tasks = plan(store, endgames, metrics)?;
    if tasks.is_empty() {
        return Ok(());
    }
    let bar = Bar::new(&tasks, told);
    let result = build(store, endgames, metrics, memory.bytes()?, &bar);
    interrupt::allow();
    result?;
    Ok(())
}
