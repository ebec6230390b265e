//! Builds missing tables, subgames first.

mod memory;
mod plan;
mod sink;
pub(crate) mod subgames;
mod usage;

use std::{thread, time::Duration};

use errare_core::{Material, Metric, Stopped, Watch};

pub use self::{
    plan::{BuildTask, Damaged},
    usage::Usage,
};
use self::{
    plan::{Missing, Search},
    sink::Tables,
    subgames::StoredSubgames,
    usage::Moment,
};
use crate::{
    BuildLock, FileError, Layer, Layout, LayoutError, Store, StoreError, WriteError,
    generate::{Abort, Failure, generate},
};

/// How long to wait before trying again to lock an endgame that another process is building.
const PATIENCE: Duration = Duration::from_millis(100);

/// Statistics of a finished build task.
#[derive(Debug, Clone, PartialEq)]
pub struct BuildReport {
    /// The endgame.
    pub material: Material,
    /// The layers that were solved together, with their file sizes in bytes.
    pub layers: Vec<(Layer, u64)>,
    /// Positions of each layer, for both sides to move.
    pub positions: u64,
    /// Resources used by the solution, including reading subgames.
    pub solve: Usage,
    /// Resources used by compression and writing.
    pub write: Usage,
    /// The peak memory of the process so far, in bytes, if the system reports it.
    pub peak_memory: Option<u64>,
}

/// Why tables could not be built.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The endgame has no table.
    #[error(transparent)]
    Endgame(#[from] LayoutError),
    /// The build needs more memory than is allowed.
    #[error("{material} needs {} MiB of memory, more than the {} MiB that are free or allowed", mib(*needed), mib(*allowed))]
    Memory {
        /// The endgame.
        material: Material,
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        allowed: u64,
    },
    /// The directory is unusable.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A subgame cannot be read.
    #[error("cannot read a subgame of {material}")]
    Subgame {
        /// The endgame being built.
        material: Material,
        /// What is wrong with the subgame.
        source: FileError,
    },
    /// An existing table cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// A table cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A depth does not fit into a table.
    #[error("{0} has a depth of more than 255 plies, which tables do not hold")]
    TooDeep(Material),
    /// The watcher stopped the work; finished tables are kept.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// A plan for building some metrics of some endgames.
///
/// ```no_run
/// use errare_core::Metric;
/// use errare_tables::{Damaged, Plan, Store};
///
/// let store = Store::open("tables", 256 << 20);
/// let plan = Plan::new(&store, &["KQKR".parse()?], &[Metric::Dtc], 3 << 30, Damaged::Refused)?;
/// println!("{} tasks", plan.tasks().len());
/// let reports = plan.carry_out(&(), |report| println!("{} is built", report.material))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Plan<'a> {
    search: Search<'a>,
    missing: Missing,
}

impl<'a> Plan<'a> {
    /// Finds the missing tables of these endgames and of all their subgames. Fails if they cannot be built with
    /// this many bytes of memory.
    pub fn new(
        store: &'a Store,
        endgames: &[Material],
        metrics: &[Metric],
        memory: u64,
        damaged: Damaged,
    ) -> Result<Plan<'a>, BuildError> {
        let search = Search {
            store,
            metrics: metrics.to_vec(),
            memory,
            damaged,
        };
        let missing = search.missing_of(endgames)?;
        if let Some(task) = missing.tasks.iter().max_by_key(|task| task.memory)
            && task.memory > memory
        {
            return Err(BuildError::Memory {
                material: task.material,
                needed: task.memory,
                allowed: memory,
            });
        }
        Ok(Plan { search, missing })
    }

    /// The tasks, in order.
    pub fn tasks(&self) -> &[BuildTask] {
        &self.missing.tasks
    }

    /// Damage in the tables that will be replaced.
    pub fn damaged(&self) -> &[FileError] {
        &self.missing.damaged
    }

    /// Builds the tables and calls `built` after each task. Finished tables are kept, even after an error.
    pub fn carry_out(
        &self,
        watch: &dyn Watch,
        mut built: impl FnMut(&BuildReport),
    ) -> Result<Vec<BuildReport>, BuildError> {
        let mut reports = Vec::new();
        if self.tasks().is_empty() {
            return Ok(reports);
        }
        let values = self.tasks().iter().map(|task| task.values).sum();
        watch.begin("building tables", Some(values));
        for planned in self.tasks() {
            let material = planned.material;
            let _lock = lock(self.search.store, material, watch)?;
            // Another process may have finished some of the planned layers meanwhile: what is left may differ from
            // the plan, but is never more.
            let mut stored = 0;
            if let Some(task) = self.search.missing(material)?.tasks.first() {
                let report = build_task(self.search.store, task, watch, &mut stored)?;
                built(&report);
                reports.push(report);
            }
            watch.advance(planned.values.saturating_sub(stored));
        }
        watch.check()?;
        Ok(reports)
    }
}

/// Locks an endgame for building. Another process may hold the lock for long; stopping does not wait for it.
fn lock(store: &Store, material: Material, watch: &dyn Watch) -> Result<BuildLock, BuildError> {
    let mut told = false;
    loop {
        watch.check()?;
        if let Some(lock) = store.try_lock(material)? {
            return Ok(lock);
        }
        if !told {
            watch.tell(&format!(
                "waiting for another process that builds {material}"
            ));
            told = true;
        }
        thread::sleep(PATIENCE);
    }
}

/// Builds the missing tables of these endgames and of all their subgames, with at most this many bytes of memory.
/// Finished tables are kept, even after an error.
pub fn build(
    store: &Store,
    endgames: &[Material],
    metrics: &[Metric],
    memory: u64,
    watch: &dyn Watch,
) -> Result<Vec<BuildReport>, BuildError> {
    Plan::new(store, endgames, metrics, memory, Damaged::Refused)?.carry_out(watch, |_| ())
}

fn build_task(
    store: &Store,
    task: &BuildTask,
    watch: &dyn Watch,
    stored: &mut u64,
) -> Result<BuildReport, BuildError> {
    let material = task.material;
    let layout = Layout::new(material)?;
    let begun = Moment::now();
    tracing::info!(%material, layers = ?task.layers, "building");
    let subgames = StoredSubgames::new(store, task.family.layer());
    let mut tables = Tables::new(store, task, layout.len(), watch);
    generate(
        &layout,
        task.family,
        &subgames,
        task.slices_at_a_time,
        watch,
        &mut tables,
    )
    .map_err(|failure| match failure {
        Failure::Aborted(Abort::Stopped) => BuildError::Stopped(Stopped),
        Failure::Aborted(Abort::TooDeep) => BuildError::TooDeep(material),
        Failure::Subgame(source) => BuildError::Subgame { material, source },
        Failure::Sink(error) => error.into(),
    })?;
    *stored = tables.stored();
    let (layers, write) = tables.finish()?;
    store.forget(material);
    let total = begun.elapsed();
    Ok(BuildReport {
        material,
        layers,
        positions: 2 * layout.len(),
        solve: total - write,
        write,
        peak_memory: usage::peak_memory(),
    })
}
