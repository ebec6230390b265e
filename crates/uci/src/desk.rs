//! The desk: where the threads that read, play and watch the clock meet over one front.
//!
//! Whoever has something to say says it there and then, under one lock: the reader obeys a line, the player writes its own answer. On
//! a busy machine each thread that must be woken first may wait for a slice of a processor, which is most of what a reply
//! takes, so that a move should wake as few as it can: the reader, the player, and whoever reads the answer.

use std::{
    io::{self, Write},
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use crate::front::Front;

/// A front that several threads share.
pub(crate) struct Desk<W> {
    state: Mutex<State<W>>,
    /// Something happened that [`Desk::keep`] must know of.
    news: Condvar,
}

struct State<W> {
    /// None before the front is there, and after the end.
    front: Option<Front<W>>,
    /// Until when [`Desk::keep`] sleeps, if it does not sleep until there is news.
    alarm: Option<Instant>,
    failure: Option<io::Error>,
}

impl<W: Write> Desk<W> {
    /// Nobody sits there yet.
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

    /// Does something at the front; false if there is none any more.
    pub(crate) fn with(&self, act: impl FnOnce(&mut Front<W>) -> io::Result<()>) -> bool {
        let mut guard = self.lock();
        let state = &mut *guard;
        let Some(front) = &mut state.front else {
            return false;
        };
        let failure = act(front).err();
        let alarm = front.alarm();
        // A sleeper who would wake up too early for it finds out by itself.
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

    /// Seats the front, lets the others begin, does what is due when it is due, and takes the front away when all is done.
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
