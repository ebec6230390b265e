//! Watching, stopping and bounding long work: one small trait for all of it.
//!
//! Whatever takes long takes a `&dyn Watch`. It says what it is doing, how far it has come, and asks
//! often whether to go on. Pass `&()` if nobody is watching.
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

/// A watcher of long work, who may stop it. Every method may be called from any thread.
pub trait Watch: Sync {
    /// A stage of the work begins, with this many steps if known.
    fn begin(&self, _stage: &str, _steps: Option<u64>) {}

    /// This many more steps of the stage are done.
    fn advance(&self, _steps: u64) {}

    /// What is being done at this moment within the stage, such as `KQKR dtc, ply 17`: shown beside the
    /// progress and soon replaced.
    fn detail(&self, _what: &str) {}

    /// Something worth saying to a person, such as what the work is waiting for.
    fn tell(&self, _message: &str) {}

    /// Whether the work is to stop.
    fn is_stopped(&self) -> bool {
        false
    }

    /// How much time is left, if that is bounded.
    fn remaining(&self) -> Option<Duration> {
        None
    }

    /// An error if the work is to stop.
    fn check(&self) -> Result<(), Stopped> {
        match self.is_stopped() {
            true => Err(Stopped),
            false => Ok(()),
        }
    }
}

/// The work was stopped before its end, by its watcher or by a deadline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("stopped")]
pub struct Stopped;

/// No watcher: nothing is shown, nothing stops the work.
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

/// A switch that stops work; clones share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops the work that is watched by this switch or a clone of it.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

impl Watch for Cancel {
    fn is_stopped(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Another watch, for work within one of its stages: what begins there is shown as a detail, and its steps are not
/// counted.
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

/// Another watch with a deadline, after which the work stops.
#[derive(Clone, Copy)]
pub struct Deadline<'a> {
    watch: &'a dyn Watch,
    end: Option<Instant>,
}

impl<'a> Deadline<'a> {
    /// Stops the work after this much time, or earlier if `watch` does.
    pub fn after(time: Duration, watch: &'a dyn Watch) -> Deadline<'a> {
        // A time that the clock cannot represent is no bound.
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
