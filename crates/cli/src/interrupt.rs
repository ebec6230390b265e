//! Ctrl-C: work in progress that has something to clear up is asked to stop; anything else just ends.

use std::{
    process,
    sync::atomic::{AtomicU8, Ordering::SeqCst},
    thread,
};

/// The exit code of an interrupted run, as shells have it.
pub(crate) const EXIT_CODE: u8 = 130;

const IDLE: u8 = 0;
const BUSY: u8 = 1;
const STOPPING: u8 = 2;
const ENDING: u8 = 3;

static STATE: AtomicU8 = AtomicU8::new(IDLE);

/// Catches ctrl-C and requests to terminate from now on. A second one ends the process at once.
pub(crate) fn catch() {
    let handler = || {
        if STATE
            .compare_exchange(BUSY, STOPPING, SeqCst, SeqCst)
            .is_err()
        {
            STATE.store(ENDING, SeqCst);
            errare_engine::kill_all();
            process::exit(EXIT_CODE.into());
        }
    };
    // Without a handler the system's own ends the process, which no file minds either.
    let _ = ctrlc::set_handler(handler);
}

/// There is something to clear up from now on, so that an interrupt must wait for
/// [`requested`] to be asked.
pub(crate) fn defer() {
    let _ = STATE.compare_exchange(IDLE, BUSY, SeqCst, SeqCst);
}

/// An interrupt ends the process at once again.
pub(crate) fn allow() {
    let _ = STATE.compare_exchange(BUSY, IDLE, SeqCst, SeqCst);
}

/// Lets a running interrupt end the process: it kills the engines, and a thread that waited for one must not
/// exit first with that error.
pub(crate) fn give_way() {
    while STATE.load(SeqCst) == ENDING {
        thread::park();
    }
}

/// Whether an interrupt waits.
pub(crate) fn requested() -> bool {
    STATE.load(SeqCst) == STOPPING
}
