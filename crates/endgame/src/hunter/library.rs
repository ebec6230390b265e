//! A cache of solved hunts: in memory, otherwise read from files, otherwise solved and written.

use std::{
    fmt,
    path::PathBuf,
    sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use errare_core::Watch;
use errare_tables::Prober;

use super::{
    HuntError, file,
    solution::{HuntTask, Solution},
};
use crate::Oracle;

/// Solved hunts. Clones share them, and so do all default libraries of a process.
#[derive(Clone)]
pub struct Library {
    memory: u64,
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
    Solving,
    Ready(Arc<Solution>),
    /// Solving in the background failed; the next caller gets the error.
    Failed(HuntError),
}

/// The default memory limit for solving.
const MEMORY: u64 = 4 << 30;
/// The number of solutions kept in memory, most recently used first.
const KEPT: usize = 12;
/// How often a waiting caller checks its watch.
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
    /// The default library, with this memory limit in bytes for solving.
    pub fn shared(memory: u64) -> Library {
        Library {
            memory,
            ..SHARED.clone()
        }
    }

    /// A separate library, with this memory limit in bytes for solving.
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
                State::Failed(error) => return Err(error),
                State::Missing => {
                    *state = State::Solving;
                    drop(state);
                    let work = Work(Arc::clone(&volume));
                    if watch.remaining().is_none() {
                        let found = self.find(oracle, task, watch)?;
                        work.0.settle(State::Ready(Arc::clone(&found)));
                        return Ok(found);
                    }
                    self.find_in_background(oracle, *task, work);
                    state = volume.lock();
                }
                State::Solving => {
                    *state = State::Solving;
                    watch.check()?;
                    let waited = volume.changed.wait_timeout(state, LOOK);
                    state = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    fn find_in_background(&self, oracle: &Oracle, task: HuntTask, work: Work) {
        let store = oracle.prober().store().clone();
        let oracle = Oracle::new(Prober::new(store), oracle.metric());
        let library = self.clone();
        thread::spawn(move || {
            work.0.settle(match library.find(&oracle, &task, &()) {
                Ok(solution) => State::Ready(solution),
                Err(error) => State::Failed(error),
            });
        });
    }

    fn find(
        &self,
        oracle: &Oracle,
        task: &HuntTask,
        watch: &dyn Watch,
    ) -> Result<Arc<Solution>, HuntError> {
        let directory = oracle.prober().store().directory();
        let name = task.name();
        let solution = match file::read(directory, task)? {
            Some(solution) => {
                tracing::debug!(task = name, "hunt read from its file");
                solution
            }
            None => {
                let begun = Instant::now();
                tracing::info!(task = name, "solving a hunt");
                let solution = task.solve(oracle, self.memory, watch)?;
                tracing::info!(
                    task = name,
                    seconds = begun.elapsed().as_secs_f64(),
                    "hunt solved"
                );
                file::write(directory, &solution)?;
                solution
            }
        };
        Ok(Arc::new(solution))
    }

    /// The volume of a file, now the most recently used.
    fn volume(&self, path: PathBuf) -> Arc<Volume> {
        let mut shelf = self.shelf.lock().unwrap_or_else(PoisonError::into_inner);
        let found = match shelf.iter().position(|(other, _)| *other == path) {
            Some(at) => shelf.remove(at),
            None => (path, Arc::default()),
        };
        let volume = Arc::clone(&found.1);
        shelf.insert(0, found);
        shelf.truncate(KEPT);
        volume
    }
}

impl Volume {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
        let solving = matches!(*self.0.lock(), State::Solving);
        if solving {
            self.0.settle(State::Missing);
        }
    }
}
