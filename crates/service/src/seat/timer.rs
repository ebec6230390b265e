//! The time of a search, shared by the player and whoever waits for its move.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use errare_core::{Cancel, Watch};

use super::Limits;

/// A watch that stops the player. Clones share it.
///
/// Time runs from the request. Time spent on getting ready, such as the start of an engine, is given back as far as the
/// clock allows. While the move is held back, as in pondering, no time runs.
#[derive(Debug, Clone)]
pub(super) struct Timer {
    cancel: Cancel,
    budget: Option<Duration>,
    extension: Duration,
    times: Arc<Mutex<Times>>,
}

#[derive(Debug, Clone, Copy)]
struct Times {
    began: Instant,
    /// When the player must choose; `None` if it has all the time it needs.
    end: Option<Instant>,
    /// Is the player ready?
    ready: bool,
}

impl Timer {
    /// Starts now, unless the move is held back.
    pub(super) fn new(limits: &Limits) -> Timer {
        let timer = Timer {
            cancel: Cancel::default(),
            budget: limits.budget(),
            extension: limits.extension(),
            times: Arc::new(Mutex::new(Times {
                began: Instant::now(),
                end: None,
                ready: false,
            })),
        };
        if !limits.held {
            timer.start();
        }
        timer
    }

    /// Time runs from now on.
    pub(super) fn start(&self) {
        let began = Instant::now();
        let mut times = self.lock();
        times.began = began;
        times.end = self.budget.and_then(|budget| began.checked_add(budget));
    }

    /// The player is ready and begins to think.
    pub(super) fn ready(&self) {
        let mut times = self.lock();
        times.ready = true;
        if let (Some(end), Some(budget)) = (times.end, self.budget) {
            times.end = Some((Instant::now() + budget).min(end + self.extension));
        }
    }

    /// Has the player begun to think?
    pub(super) fn is_ready(&self) -> bool {
        self.lock().ready
    }

    /// Stops the player.
    pub(super) fn stop(&self) {
        self.cancel.cancel();
    }

    /// When time began to run.
    pub(super) fn began(&self) -> Instant {
        self.lock().began
    }

    fn lock(&self) -> MutexGuard<'_, Times> {
        self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Timer {
    fn is_stopped(&self) -> bool {
        self.cancel.is_stopped() || self.remaining().is_some_and(|left| left.is_zero())
    }

    fn remaining(&self) -> Option<Duration> {
        let end = self.lock().end?;
        Some(end.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::seat::GameClock;

    fn move_time(milliseconds: u64, held: bool) -> Limits {
        Limits {
            move_time: Some(Duration::from_millis(milliseconds)),
            held,
            ..Limits::default()
        }
    }

    /// Preparation takes its time from a fixed time per move, and none from a clock that can spare it.
    #[test]
    fn time_runs_from_the_request() {
        let prepared = |limits: &Limits| {
            let timer = Timer::new(limits);
            thread::sleep(Duration::from_millis(20));
            timer.ready();
            let left = timer.remaining().expect("it is limited");
            limits.budget().expect("it is limited").saturating_sub(left)
        };
        assert!(prepared(&move_time(60_000, false)) >= Duration::from_millis(20));
        let clock = Limits {
            clock: Some(GameClock {
                left: Duration::from_secs(86_400),
                increment: Duration::ZERO,
                moves_to_go: None,
            }),
            ..Limits::default()
        };
        let began = Instant::now();
        let lost = prepared(&clock);
        // Only the time after it was ready.
        assert!(lost <= began.elapsed().saturating_sub(Duration::from_millis(20)));
    }

    #[test]
    fn no_time_runs_while_the_move_is_held_back() {
        let timer = Timer::new(&move_time(0, true));
        timer.ready();
        assert_eq!((timer.remaining(), timer.is_stopped()), (None, false));
        timer.start();
        assert!(timer.is_stopped());
    }

    #[test]
    fn a_stop_is_seen_by_all() {
        let timer = Timer::new(&Limits::default());
        assert_eq!((timer.remaining(), timer.is_stopped()), (None, false));
        timer.clone().stop();
        assert!(timer.is_stopped());
    }
}
