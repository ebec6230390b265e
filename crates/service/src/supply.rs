//! The supply of tables: a directory, and a builder for what is missing there.

use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError},
    thread,
    time::Duration,
};

use errare_core::{FaultKind, Material, Metric, Stopped, Watch, grouped};
use errare_endgame::Oracle;
use errare_tables::{BuildReport, Damaged, Plan, Prober, Store};
use etcetera::{BaseStrategy, choose_base_strategy};
use sysinfo::System;

use crate::Error;

/// How often to check whether another thread's build has ended.
const PATIENCE: Duration = Duration::from_millis(20);

/// The cache size in bytes: room for a few four-man tables, or the busy parts of five-man ones.
const CACHE: u64 = 256 << 20;

/// Tables, built on demand, once however many threads ask at the same time. Clones share the directory's cache and
/// the memory budget for building.
#[derive(Debug, Clone)]
pub struct Supply {
    store: Store,
    builds: bool,
    memory: Option<u64>,
    /// Held while this process builds, so that two builds never share one memory budget.
    building: Arc<Mutex<()>>,
    /// Endgames known to be complete with all their subgames: checking again would take hundreds of files.
    provided: Arc<RwLock<HashSet<(Material, Metric)>>>,
}

impl Supply {
    /// The tables of a directory; missing ones are built with the free memory.
    pub fn new(store: Store) -> Supply {
        Supply {
            store,
            builds: true,
            memory: None,
            building: Arc::default(),
            provided: Arc::default(),
        }
    }

    /// The tables of a directory, with a cache for an interactive program.
    pub fn at(directory: impl Into<PathBuf>) -> Supply {
        Supply::new(Store::open(directory, CACHE))
    }

    /// The default directory of tables: `errare/tables` in the user's data directory.
    pub fn usual_directory() -> Result<PathBuf, Error> {
        let strategy = choose_base_strategy()
            .map_err(|_| Error::new(FaultKind::Missing, "cannot find the user's data directory"))?;
        Ok(strategy.data_dir().join("errare").join("tables"))
    }

    /// Uses another directory.
    pub(crate) fn with_directory(self, directory: impl Into<PathBuf>) -> Supply {
        Supply {
            store: Store::open(directory, CACHE),
            provided: Arc::default(),
            ..self
        }
    }

    /// Does not build missing tables.
    pub fn without_building(self) -> Supply {
        Supply {
            builds: false,
            ..self
        }
    }

    /// Limits building and solving to this many bytes of memory.
    pub fn with_memory(self, bytes: u64) -> Supply {
        Supply {
            memory: Some(bytes),
            ..self
        }
    }

    /// The directory of tables.
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Are missing tables built?
    pub fn builds(&self) -> bool {
        self.builds
    }

    /// The limit in bytes for building and solving, if there is one.
    pub(crate) fn memory_limit(&self) -> Option<u64> {
        self.memory
    }

    /// The memory budget in bytes for building or other memory-bound work.
    pub fn memory(&self) -> Result<u64, Error> {
        self.memory.map_or_else(free_memory, Ok)
    }

    /// What must be built for these metrics of these endgames and all their subgames, whether building is permitted
    /// or not.
    pub fn plan(&self, endgames: &[Material], metrics: &[Metric]) -> Result<Plan<'_>, Error> {
        let memory = self.memory()?;
        let damaged = Damaged::Refused;
        Ok(Plan::new(&self.store, endgames, metrics, memory, damaged)?)
    }

    /// Builds the missing tables of these endgames and all their subgames in these metrics, if building is
    /// permitted.
    pub fn provide(
        &self,
        endgames: &[Material],
        metrics: &[Metric],
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let all = || {
            endgames
                .iter()
                .flat_map(|&endgame| metrics.iter().map(move |&m| (endgame, m)))
        };
        let provided = self.provided.read().unwrap_or_else(PoisonError::into_inner);
        if !self.builds || all().all(|table| provided.contains(&table)) {
            return Ok(());
        }
        drop(provided);
        self.build(endgames, metrics, Damaged::Refused, watch, |_| ())?;
        let mut provided = self
            .provided
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        provided.extend(all());
        Ok(())
    }

    /// Removes the tables of an endgame in some metrics and returns their files.
    pub(crate) fn remove(
        &self,
        endgame: Material,
        metrics: &[Metric],
    ) -> Result<Vec<PathBuf>, Error> {
        let mut provided = self
            .provided
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        provided.clear();
        Ok(self.store.remove(endgame, metrics)?)
    }

    /// Builds missing or damaged tables, and calls `built` after each.
    pub(crate) fn build(
        &self,
        endgames: &[Material],
        metrics: &[Metric],
        damaged: Damaged,
        watch: &dyn Watch,
        built: impl FnMut(&BuildReport),
    ) -> Result<Vec<BuildReport>, Error> {
        let _alone = self.alone(watch)?;
        let memory = self.memory()?;
        let plan = Plan::new(&self.store, endgames, metrics, memory, damaged)?;
        announce(&plan, watch);
        Ok(plan.carry_out(watch, built)?)
    }

    /// Waits until no other thread of this process builds.
    fn alone(&self, watch: &dyn Watch) -> Result<MutexGuard<'_, ()>, Stopped> {
        loop {
            match self.building.try_lock() {
                Ok(alone) => return Ok(alone),
                Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
                Err(TryLockError::WouldBlock) => {
                    watch.check()?;
                    thread::sleep(PATIENCE);
                }
            }
        }
    }

    /// An oracle in a metric for these endgames, with additional metrics that are needed.
    pub fn oracle(
        &self,
        endgames: &[Material],
        metric: Metric,
        also: &[Metric],
        watch: &dyn Watch,
    ) -> Result<Oracle, Error> {
        let mut metrics = vec![metric];
        metrics.extend(also);
        self.provide(endgames, &metrics, watch)?;
        Ok(Oracle::new(Prober::new(self.store.clone()), metric))
    }
}

/// Announces what will be built, and with how much memory.
fn announce(plan: &Plan<'_>, watch: &dyn Watch) {
    for error in plan.damaged() {
        watch.tell(&format!("{error}; it is replaced"));
    }
    let Some(memory) = plan.tasks().iter().map(|task| task.memory).max() else {
        return;
    };
    let tables: usize = plan.tasks().iter().map(|task| task.layers.len()).sum();
    let positions: u64 = plan.tasks().iter().map(|task| task.values).sum();
    tracing::info!(tables, positions, memory, "tables are missing");
    watch.tell(&format!(
        "building up to {tables} table{} with {} positions, using up to {} MiB of memory",
        if tables == 1 { "" } else { "s" },
        grouped(positions),
        memory.div_ceil(1 << 20),
    ));
}

/// The free memory of the machine or container.
fn free_memory() -> Result<u64, Error> {
    let mut system = System::new().map_err(|_| {
        Error::new(
            FaultKind::Internal,
            "cannot determine how much memory is free; set a limit",
        )
    })?;
    system.refresh_memory();
    let free = system.available_memory();
    Ok(system
        .cgroup_limits()
        .map_or(free, |limits| free.min(limits.free_memory)))
}
