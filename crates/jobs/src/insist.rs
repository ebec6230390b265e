//! Retries while a queue is unreachable, so that restarting a server loses no worker.

use std::{thread, time::Duration};

use errare_core::{Watch, with_causes};

use crate::QueueError;

/// Pause between attempts.
const PAUSE: Duration = Duration::from_millis(500);

/// Repeats a queue operation until it succeeds, fails for good, or the watch stops it.
pub fn insist<T>(
    watch: &dyn Watch,
    mut act: impl FnMut() -> Result<T, QueueError>,
) -> Result<T, QueueError> {
    let mut told = false;
    loop {
        match act() {
            Err(error) if error.may_pass() => {
                tracing::debug!(%error, "trying again");
                if !told {
                    watch.tell(&format!("{}; retrying", with_causes(&error)));
                    told = true;
                }
            }
            result => {
                if told {
                    watch.tell("the queue answers again");
                }
                return result;
            }
        }
        watch.check()?;
        thread::sleep(PAUSE);
    }
}
