//! Progress, cancellation and deadlines for long work, in one small trait.
//!
//! Long work takes a `&dyn Watch`, reports what it is doing and how far it has come, and checks often whether to
//! go on. Pass `&()` if nobody is watching.
//!
//! ```
//! use std::time::Duration;
//! use errare_core::{Cancel, Deadline, Stopped, Watch};
//!
//! fn count(watch: &dyn Watch) -> Result<u64, Stopped> {
//!     watch.begin("counting", Some(3));
//!     for _ in 0..3 {
//!         watch.check()?;
//!         watch.advance(1);
//!     }
//!     Ok(3)
//! }
//!
//! assert_eq!(count(&()), Ok(3));
//! let cancel = Cancel::default();
//! cancel.cancel();
//! assert_eq!(count(&cancel), Err(Stopped));
//! assert_eq!(count(&Deadline::after(Duration::ZERO, &())), Err(Stopped));
//! ```

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// An observer of long work that can also stop it. Every method may be called from any thread.
pub trait Watch: Sync {
    /// A stage of the work begins, with this many steps if the number is known.
    fn begin(&self, _stage: &str, _steps: Option<u64>) {}

    /// This many more steps of the stage are done.
    fn advance(&self, _steps: u64) {}

    /// The current step within the stage, such as `KQKR dtc, ply 17`: shown beside the progress bar and soon
    /// replaced.
    fn detail(&self, _what: &str) {}

    /// A message for the user, such as what the work is waiting for.
    fn tell(&self, _message: &str) {}

    /// Should the work stop?
    fn is_stopped(&self) -> bool {
        false
    }

    /// Time left, if there is a deadline.
    fn remaining(&self) -> Option<Duration> {
        None
    }

    /// Returns an error if the work should stop.
    fn check(&self) -> Result<(), Stopped> {
        match self.is_stopped() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}

/// The work was stopped early, by its watcher or by a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// No watcher: nothing is shown and nothing stops the work.
impl Watch for () {}

impl<W: Watch + ?Sized + Send> Watch for Arc<W> {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        (**self).begin(stage, steps);
    }

    fn advance(&self, steps: u64) {
        (**self).advance(steps);
    }

    fn detail(&self, what: &str) {
        (**self).detail(what);
    }

    fn tell(&self, message: &str) {
        (**self).tell(message);
    }

    fn is_stopped(&self) -> bool {
        (**self).is_stopped()
    }

    fn remaining(&self) -> Option<Duration> {
        (**self).remaining()
    }
}

/// A cancellation flag; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops all work watched by this flag or a clone of it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Watch for Cancel {
    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Wraps a watch for work nested in one of its stages: stages begun here are shown as details, and their steps are
/// not counted.
#[derive(Clone, Copy)]
pub struct Aside<'a>(pub &'a dyn Watch);

impl Watch for Aside<'_> {
    fn begin(&self, stage: &str, _steps: Option<u64>) {
        self.0.detail(stage);
    }

    fn detail(&self, what: &str) {
        self.0.detail(what);
    }

    fn tell(&self, message: &str) {
        self.0.tell(message);
    }

    fn is_stopped(&self) -> bool {
        self.0.is_stopped()
    }

    fn remaining(&self) -> Option<Duration> {
        self.0.remaining()
    }
}

/// Wraps a watch and adds a deadline.
#[derive(Clone, Copy)]
pub struct Deadline<'a> {
    watch: &'a dyn Watch,
    end: Option<Instant>,
}

impl<'a> Deadline<'a> {
    /// Stops the work after this much time, or earlier if `watch` does.
    pub fn after(time: Duration, watch: &'a dyn Watch) -> Deadline<'a> {
        // A time that the clock cannot represent is no deadline.
        let end = Instant::now().checked_add(time);
        Deadline { watch, end }
    }
}

impl Watch for Deadline<'_> {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        self.watch.begin(stage, steps);
    }

    fn advance(&self, steps: u64) {
        self.watch.advance(steps);
    }

    fn detail(&self, what: &str) {
        self.watch.detail(what);
    }

    fn tell(&self, message: &str) {
        self.watch.tell(message);
    }

    fn is_stopped(&self) -> bool {
        self.watch.is_stopped() || self.end.is_some_and(|end| Instant::now() >= end)
    }

    fn remaining(&self) -> Option<Duration> {
        let own = self
            .end
            .map(|end| end.saturating_duration_since(Instant::now()));
        own.into_iter().chain(self.watch.remaining()).min()
    }
}
