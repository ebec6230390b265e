//! The shared state of the threads that read, play and watch the clock.
//!
//! Each thread acts under one lock and writes its own output: the reader executes a line, the player sends its own answer. On a
//! busy machine every thread that must be woken may first wait for a time slice, which is most of the latency of a reply; so a
//! move should wake as few threads as possible: the reader, the player, and whoever reads the answer.

use std::{
    io::{self, Write},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::front::Front;

/// A front shared by several threads.
pub(crate) struct Desk<W> {
    state: Mutex<State<W>>,
    /// Signalled when something happened that [`Desk::keep`] must handle.
    news: Condvar,
}

struct State<W> {
    /// `None` before the front is set up and after the end.
    front: Option<Front<W>>,
    /// Until when [`Desk::keep`] sleeps, unless it sleeps until signalled.
    alarm: Option<Instant>,
    failure: Option<io::Error>,
}

impl<W: Write> Desk<W> {
    /// A desk without a front.
    pub(crate) fn new() -> Desk<W> {
        Desk {
            state: Mutex::new(State {
                front: None,
                alarm: None,
                failure: None,
            }),
            news: Condvar::new(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `act` with the front; false if it is gone.
    pub(crate) fn with(&self, act: impl FnOnce(&mut Front<W>) -> io::Result<()>) -> bool {
        let mut guard = self.lock();
        let state = &mut *guard;
        let Some(front) = &mut state.front else {
            return false;
        };
        let failure = act(front).err();
        let alarm = front.alarm();
        // A sleeper that would wake too early goes back to sleep by itself.
        let is_earlier = alarm.is_some_and(|due| state.alarm.is_none_or(|set| due < set));
        let is_news = is_earlier || failure.is_some() || front.is_done();
        let errand = front.errand();
        state.failure = state.failure.take().or(failure);
        drop(guard);
        if let Some(errand) = errand {
            errand.run();
        }
        if is_news {
            self.news.notify_one();
        }
        true
    }

    /// Installs the front, calls `begin`, runs the front's timers, and removes it when all is done.
    pub(crate) fn keep(&self, mut front: Front<W>, begin: impl FnOnce()) -> io::Result<Front<W>> {
        let mut state = self.lock();
        begin();
        loop {
            front.ring()?;
            if let Some(failure) = state.failure.take() {
                return Err(failure);
            }
            if front.is_done() {
                return Ok(front);
            }
            let due = front.alarm();
            state.alarm = due;
            state.front = Some(front);
            state = match due.map(|due| due.saturating_duration_since(Instant::now())) {
                None => (self.news.wait(state)).unwrap_or_else(PoisonError::into_inner),
                Some(time) => {
                    let woken = self.news.wait_timeout(state, time);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
            };
            front = (state.front.take()).expect("nobody else takes it away");
        }
    }
}
