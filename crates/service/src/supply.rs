//! The supply of tables: a directory, and the builder for what is missing there.

use std::{
    collections::HashSet,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, TryLockError},
    thread,
    time::Duration,
};

use errare_core::{FaultKind, Material, Metric, Stopped, Watch, grouped};
use errare_endgame::Oracle;
use errare_tables::{Damaged, Plan, Prober, Report, Store};
use sysinfo::System;

use crate::Error;

/// How long to wait before looking again whether another thread's build has ended.
const PATIENCE: Duration = Duration::from_millis(20);

/// How many bytes of decoded blocks are kept in memory of a directory that is opened later.
const CACHE: u64 = 256 << 20;

/// Tables, built on the spot where they are missing, once however many ask at the same time. Clones share the
/// directory's cache and the memory that building may use.
#[derive(Debug, Clone)]
pub struct Supply {
    store: Store,
    builds: bool,
    memory: Option<u64>,
    /// Held while this process builds, so that two builds never share the memory that one may use.
    building: Arc<Mutex<()>>,
    /// Endgames that are known to be there with all that they lead to: to look for them again takes hundreds of
    /// files.
    provided: Arc<RwLock<HashSet<(Material, Metric)>>>,
}

impl Supply {
    /// The tables of a directory; what is missing is built with the memory that is free.
    pub fn new(store: Store) -> Supply {
        Supply {
            store,
            builds: true,
            memory: None,
            building: Arc::default(),
            provided: Arc::default(),
        }
    }

    /// The same, but with the tables of another directory.
    pub fn with_directory(self, directory: impl Into<PathBuf>) -> Supply {
        Supply {
            store: Store::open(directory, CACHE),
            provided: Arc::default(),
            ..self
        }
    }

    /// The same, but tables that are missing are not built.
    pub fn without_building(self) -> Supply {
        Supply {
            builds: false,
            ..self
        }
    }

    /// The same, with this many bytes of memory for building.
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

    /// Whether tables that are missing are built.
    pub fn builds(&self) -> bool {
        self.builds
    }

    /// The bytes of memory that building, or any other work that is bounded by memory, may use.
    pub fn memory(&self) -> Result<u64, Error> {
        self.memory.map_or_else(free_memory, Ok)
    }

    /// What would have to be built for these metrics of these endgames and of all that they lead to, whether tables
    /// may be built or not.
    pub fn plan(&self, endgames: &[Material], metrics: &[Metric]) -> Result<Plan<'_>, Error> {
        let memory = self.memory()?;
        let damaged = Damaged::Refused;
        Ok(Plan::new(&self.store, endgames, metrics, memory, damaged)?)
    }

    /// Sees to it that the tables of these endgames and of all that they lead to are there in these metrics, if
    /// tables may be built at all.
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

    /// Builds what is missing of these tables, or damaged, and tells `built` of each that is finished.
    pub(crate) fn build(
        &self,
        endgames: &[Material],
        metrics: &[Metric],
        damaged: Damaged,
        watch: &dyn Watch,
        built: impl FnMut(&Report),
    ) -> Result<Vec<Report>, Error> {
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

    /// An oracle in a metric that knows these endgames, with what else is needed of them in other metrics.
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

/// Tells what is going to be built, and with how much memory.
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

/// What the machine, or the container around the process, has free.
fn free_memory() -> Result<u64, Error> {
    let mut system = System::new().map_err(|_| {
        Error::new(
            FaultKind::Internal,
            "cannot find out how much memory is free; say how much may be used",
        )
    })?;
    system.refresh_memory();
    let free = system.available_memory();
    Ok(system
        .cgroup_limits()
        .map_or(free, |limits| free.min(limits.free_memory)))
}
