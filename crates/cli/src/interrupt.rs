//! Ctrl-C: asks work that needs cleaning up to stop; anything else ends at once.

use std::{
    process,
    sync::atomic::{AtomicU8, Ordering::SeqCst},
    thread,
};

/// The exit code of an interrupted run, by the convention of shells.
pub(crate) const EXIT_CODE: u8 = 130;

const IDLE: u8 = 0;
const BUSY: u8 = 1;
const STOPPING: u8 = 2;
const ENDING: u8 = 3;

static STATE: AtomicU8 = AtomicU8::new(IDLE);

/// Catches ctrl-C and termination signals from now on. A second one ends the process at once.
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
    // Without our handler the default one ends the process, which is safe for files too.
    let _ = ctrlc::set_handler(handler);
}

/// From now on there is something to clean up, so an interrupt waits until [`requested`] is
/// checked.
pub(crate) fn defer() {
    let _ = STATE.compare_exchange(IDLE, BUSY, SeqCst, SeqCst);
}

/// From now on an interrupt ends the process at once again.
pub(crate) fn allow() {
    let _ = STATE.compare_exchange(BUSY, IDLE, SeqCst, SeqCst);
}

/// Lets an interrupt in progress end the process: it kills the engines, and a thread that was waiting for one must
/// not exit first with the resulting error.
pub(crate) fn give_way() {
    while STATE.load(SeqCst) == ENDING {
        thread::park();
    }
}

/// Whether an interrupt is pending.
pub(crate) fn requested() -> bool {
    STATE.load(SeqCst) == STOPPING
}
