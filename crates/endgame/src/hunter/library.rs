//! A cache of solved hunts: in memory, otherwise read from files, otherwise solved and written.

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use errare_core::{Stopped, Watch};
use errare_tables::Prober;

use super::{
    HuntError, file,
    solution::{HuntTask, Solution},
};
use crate::Oracle;

/// Solved hunts. Clones share them, and so do all default libraries of a process.
///
/// Solutions are kept within a memory limit, which also covers solving and reading: unused ones are dropped to make
/// room, the least recently used first. Hunts that do not fit beside each other are solved one after the other.
#[derive(Clone)]
pub struct Library {
    memory: u64,
    /// Most recently used first.
    shelf: Arc<Mutex<Vec<(PathBuf, Arc<Volume>)>>>,
}

/// One solution. Callers that need it while it is being solved wait only for it.
#[derive(Default)]
struct Volume {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
enum State {
    #[default]
    Missing,
    /// Since then, with this many bytes reserved.
    Solving {
        since: Instant,
        bytes: u64,
    },
    Ready(Arc<Solution>),
    /// Solving failed. A lasting error is returned to every caller, any other to the next one only.
    Failed(HuntError),
}

/// The default memory limit.
const MEMORY: u64 = 4 << 30;
/// How often a waiting caller looks again.
const LOOK: Duration = Duration::from_millis(20);

static SHARED: LazyLock<Library> = LazyLock::new(|| Library::with_memory(MEMORY));

impl Default for Library {
    fn default() -> Library {
        SHARED.clone()
    }
}

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Library")
            .field("memory", &self.memory)
            .finish_non_exhaustive()
    }
}

impl Library {
    /// The default library, with this memory limit in bytes.
    pub fn shared(memory: u64) -> Library {
        Library {
            memory,
            ..SHARED.clone()
        }
    }

    /// A separate library, with this memory limit in bytes.
    pub fn with_memory(memory: u64) -> Library {
        Library {
            memory,
            shelf: Arc::default(),
        }
    }

    /// The solution of a task, in the metric of an oracle and stored beside its tables.
    ///
    /// If the watch has a deadline, the hunt is solved in the background and continues after the
    /// deadline: a later caller finds the result.
    pub fn solution(
        &self,
        oracle: &Oracle,
        task: &HuntTask,
        watch: &dyn Watch,
    ) -> Result<Arc<Solution>, HuntError> {
        let volume = self.volume(file::path(oracle.prober().store().directory(), task));
        let mut state = volume.lock();
        loop {
            match std::mem::take(&mut *state) {
                State::Ready(solution) => {
                    *state = State::Ready(Arc::clone(&solution));
                    return Ok(solution);
                }
                State::Failed(error) => {
                    if let Some(lasting) = error.lasting() {
                        *state = State::Failed(lasting);
                    }
                    return Err(error);
                }
                State::Missing => {
                    *state = State::Solving {
                        since: Instant::now(),
                        bytes: 0,
                    };
                    drop(state);
                    let work = Work(Arc::clone(&volume));
                    if watch.remaining().is_none() {
                        let found = self.find(oracle, task, &work.0, watch);
                        match &found {
                            Ok(solution) => work.0.settle(State::Ready(Arc::clone(solution))),
                            Err(error) => {
                                let lasting = error.lasting();
                                work.0.settle(lasting.map_or(State::Missing, State::Failed));
                            }
                        }
                        return found;
                    }
                    self.find_in_background(oracle, *task, work);
                    state = volume.lock();
                }
                solving @ State::Solving { .. } => {
                    *state = solving;
                    watch.check()?;
                    let waited = volume.changed.wait_timeout(state, LOOK);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Is there a file with the solution of a task? If there is none and would not fit into the memory, it is refused.
    pub(super) fn is_solved(
        &self,
        oracle: &Oracle,
        task: &HuntTask,
        watch: &dyn Watch,
    ) -> Result<bool, HuntError> {
        if file::path(oracle.prober().store().directory(), task).exists() {
            return Ok(true);
        }
        task.must_fit(oracle, self.memory, watch)?;
        Ok(false)
    }

    /// How long a task has been in progress, if it is.
    pub(super) fn solving_for(&self, oracle: &Oracle, task: &HuntTask) -> Option<Duration> {
        let path = file::path(oracle.prober().store().directory(), task);
        let shelf = self.shelf();
        let (_, volume) = shelf.iter().find(|(other, _)| *other == path)?;
        match *volume.lock() {
            State::Solving { since, .. } => Some(since.elapsed()),
            _ => None,
        }
    }

    fn find_in_background(&self, oracle: &Oracle, task: HuntTask, work: Work) {
        let store = oracle.prober().store().clone();
        let oracle = Oracle::new(Prober::new(store), oracle.metric());
        let library = self.clone();
        thread::spawn(move || {
            work.0
                .settle(match library.find(&oracle, &task, &work.0, &()) {
                    Ok(solution) => State::Ready(solution),
                    Err(error) => State::Failed(error),
                });
        });
    }

    fn find(
        &self,
        oracle: &Oracle,
        task: &HuntTask,
        volume: &Volume,
        watch: &dyn Watch,
    ) -> Result<Arc<Solution>, HuntError> {
        let directory = oracle.prober().store().directory();
        let name = task.name();
        let memory = |needed| self.wait_for_room(needed, volume, watch);
        let read = match file::read(directory, task, &memory) {
            Err(error @ HuntError::Damaged { .. }) => {
                tracing::warn!(task = name, %error, "a hunt is solved again");
                watch.tell(&format!("{error}; it is solved again"));
                None
            }
            read => read?,
        };
        let solution = match read {
            Some(solution) => {
                tracing::debug!(task = name, "hunt read from its file");
                solution
            }
            None => {
                let begun = Instant::now();
                tracing::info!(task = name, "solving a hunt");
                let solution = task.solve(oracle, &memory, watch)?;
                tracing::info!(
                    task = name,
                    seconds = begun.elapsed().as_secs_f64(),
                    "hunt solved"
                );
                if let Err(error) = file::write(directory, &solution) {
                    tracing::warn!(task = name, %error, "a solved hunt is not in a file");
                    watch.tell(&format!(
                        "{error}: the solved hunt is lost when the program ends"
                    ));
                }
                solution
            }
        };
        Ok(Arc::new(solution))
    }

    /// The volume of a file, now the most recently used.
    fn volume(&self, path: PathBuf) -> Arc<Volume> {
        let mut shelf = self.shelf();
        // Nobody waits for these, and they have nothing to say.
        shelf.retain(|(_, volume)| Arc::strong_count(volume) > 1 || !volume.is_missing());
        let found = match shelf.iter().position(|(other, _)| *other == path) {
            Some(at) => shelf.remove(at),
            None => (path, Arc::default()),
        };
        let volume = Arc::clone(&found.1);
        shelf.insert(0, found);
        volume
    }

    fn shelf(&self) -> MutexGuard<'_, Vec<(PathBuf, Arc<Volume>)>> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how many bytes fit beside the others. If the needed ones do not fit yet, but would without the hunts in progress,
    /// it waits for these.
    fn wait_for_room(
        &self,
        needed: u64,
        volume: &Volume,
        watch: &dyn Watch,
    ) -> Result<u64, Stopped> {
        loop {
            let (room, reserved) = self.make_room(needed, volume);
            if needed <= room || needed > room.saturating_add(reserved) {
                return Ok(room);
            }
            watch.check()?;
            thread::sleep(LOOK);
        }
    }

    /// Drops unused solutions until this many bytes fit beside the others, and reserves them for this volume, which is in progress.
    /// Returns how many fit, and how many the other hunts in progress have reserved.
    fn make_room(&self, needed: u64, volume: &Volume) -> (u64, u64) {
        let mut shelf = self.shelf();
        volume.reserve(0);
        let mut kept: u64 = shelf.iter().map(|(_, volume)| volume.bytes()).sum();
        for at in (0..shelf.len()).rev() {
            if kept.saturating_add(needed) <= self.memory {
                break;
            }
            if shelf[at].1.is_idle() {
                let (_, dropped) = shelf.remove(at);
                // A solution that was just solved is not counted yet.
                kept = kept.saturating_sub(dropped.bytes());
            }
        }
        let room = self.memory.saturating_sub(kept);
        if needed <= room {
            volume.reserve(needed);
        }
        let reserved = shelf.iter().map(|(_, volume)| volume.reserved()).sum();
        (room, reserved)
    }
}

impl Volume {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of its solution, or those reserved for solving.
    fn bytes(&self) -> u64 {
        match &*self.lock() {
            State::Ready(solution) => solution.bytes(),
            State::Solving { bytes, .. } => *bytes,
            _ => 0,
        }
    }

    /// The bytes reserved for solving.
    fn reserved(&self) -> u64 {
        match *self.lock() {
            State::Solving { bytes, .. } => bytes,
            _ => 0,
        }
    }

    /// Reserves bytes for solving.
    fn reserve(&self, needed: u64) {
        if let State::Solving { bytes, .. } = &mut *self.lock() {
            *bytes = needed;
        }
    }

    fn is_missing(&self) -> bool {
        matches!(*self.lock(), State::Missing)
    }

    /// Is there an unused solution?
    fn is_idle(&self) -> bool {
        matches!(&*self.lock(), State::Ready(solution) if Arc::strong_count(solution) == 1)
    }

    fn settle(&self, state: State) {
        *self.lock() = state;
        self.changed.notify_all();
    }
}

/// A solution in progress; if it fails, others may try.
struct Work(Arc<Volume>);

impl Drop for Work {
    fn drop(&mut self) {
        let solving = matches!(*self.0.lock(), State::Solving { .. });
        if solving {
            self.0.settle(State::Missing);
        }
    }
}
