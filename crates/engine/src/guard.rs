//! Kills an engine that hangs or is cancelled: a thread that checks the clock a few times a second.

use std::{
    process::Child,
    sync::{
        Arc, Mutex, PoisonError, Weak,
        atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::SeqCst},
    },
    thread::{self, Thread},
    time::{Duration, Instant},
};

use errare_core::{Cancel, Watch};

use crate::EngineError;

/// Interval between checks.
const PULSE: Duration = Duration::from_millis(100);
/// A deadline that never comes.
const NEVER: u64 = u64::MAX;

/// Why the engine was killed: it was not,
const ALIVE: u8 = 0;
/// it was silent for too long,
const SILENT: u8 = 1;
/// or it was cancelled.
const STOPPED: u8 = 2;

/// The engines of this process; `None` once no more may start.
static ENGINES: Mutex<Option<Vec<Weak<Shared>>>> = Mutex::new(Some(Vec::new()));

/// Kills all engines of this process and prevents further starts, for a process that is about to exit
/// without cleaning up.
pub fn kill_all() {
    let mut engines = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
    for engine in engines.take().iter().flatten().filter_map(Weak::upgrade) {
        engine.kill();
    }
}

/// Watches one engine until it ends.
#[derive(Debug)]
pub(crate) struct Guard {
    shared: Arc<Shared>,
    thread: Thread,
}

#[derive(Debug)]
struct Shared {
    child: Mutex<Child>,
    begun: Instant,
    /// When the engine will have been silent for too long, in milliseconds.
    deadline: AtomicU64,
    cause: AtomicU8,
    /// Is the engine no longer needed?
    over: AtomicBool,
}

impl Guard {
    /// Starts an engine and watches it. It is killed when `cancel` says so, or when it is silent for too
    /// long while somebody is waiting for it.
    pub(crate) fn new(
        start: impl FnOnce() -> Result<Child, EngineError>,
        cancel: Cancel,
    ) -> Result<Guard, EngineError> {
        // Held so that `kill_all` cannot run between spawn and registration.
        let mut all = ENGINES.lock().unwrap_or_else(PoisonError::into_inner);
        let engines = all.as_mut().ok_or(EngineError::Stopped)?;
        let shared = Arc::new(Shared {
            child: Mutex::new(start()?),
            begun: Instant::now(),
            deadline: AtomicU64::new(NEVER),
            cause: AtomicU8::new(ALIVE),
            over: AtomicBool::new(false),
        });
        engines.retain(|engine| engine.strong_count() > 0);
        engines.push(Arc::downgrade(&shared));
        drop(all);
        let watched = Arc::clone(&shared);
        let thread = thread::spawn(move || watched.watch(&cancel))
            .thread()
            .clone();
        Ok(Guard { shared, thread })
    }

    /// Restarts the silence timer: from now on the engine may be silent for this long.
    pub(crate) fn progress(&self, silence: Duration) {
        let deadline = self.shared.begun.elapsed() + silence;
        let milliseconds = u64::try_from(deadline.as_millis()).unwrap_or(NEVER);
        self.shared.deadline.store(milliseconds, SeqCst);
    }

    /// Stops the silence timer: nobody is waiting for the engine.
    pub(crate) fn rest(&self) {
        self.shared.deadline.store(NEVER, SeqCst);
    }

    /// Why the engine ended, given its silence limit and its last line.
    pub(crate) fn cause(&self, silence: Duration, last: String) -> EngineError {
        match self.shared.cause.load(SeqCst) {
            SILENT => EngineError::Silent {
                seconds: silence.as_secs(),
                last,
            },
            STOPPED => EngineError::Stopped,
            _ => EngineError::Ended(last),
        }
    }
}

impl Shared {
    fn watch(&self, cancel: &Cancel) {
        while !self.over.load(SeqCst) {
            let deadline = Duration::from_millis(self.deadline.load(SeqCst));
            let cause = if cancel.is_stopped() {
                STOPPED
            } else if self.begun.elapsed() > deadline {
                SILENT
            } else {
                thread::park_timeout(PULSE);
                continue;
            };
            match cause {
                SILENT => tracing::warn!("killing an engine that was silent for too long"),
                _ => tracing::debug!("killing an engine that was cancelled"),
            }
            self.cause.store(cause, SeqCst);
            self.kill();
            return;
        }
    }

    /// Kills the engine and all its child processes, so that nothing keeps its pipes open.
    fn kill(&self) {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        // Once it has been reaped, its process id may belong to another process.
        if !matches!(child.try_wait(), Ok(None)) {
            return;
        }
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(child.id()) {
            use nix::{sys::signal, unistd::Pid};
            let _ = signal::killpg(Pid::from_raw(group), signal::Signal::SIGKILL);
        }
        let _ = child.kill();
        let _ = child.wait();
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.shared.over.store(true, SeqCst);
        self.thread.unpark();
        // The engine has nothing to save and may ignore `quit`.
        self.shared.kill();
    }
}
