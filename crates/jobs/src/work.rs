//! A worker's loop: lease a job, extend the lease while doing it, answer, repeat.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        atomic::{AtomicU64, Ordering::Relaxed},
        mpsc,
    },
    thread,
    time::Duration,
};

use errare_core::Watch;

use crate::{Job, Lease, Queue, QueueError, Worker, insist::insist};

/// How long a worker waits for a job before it asks whether to stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a worker has done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Worked {
    /// Jobs that were answered.
    pub completed: u64,
    /// Jobs that failed here.
    pub failed: u64,
}

/// What several workers of a process have done so far.
#[derive(Debug, Default)]
pub struct Tally {
    completed: AtomicU64,
    failed: AtomicU64,
}

impl Tally {
    /// So far.
    pub fn so_far(&self) -> Worked {
        Worked {
            completed: self.completed.load(Relaxed),
            failed: self.failed.load(Relaxed),
        }
    }
}

/// Does jobs until the watch stops it, or until there have been none for `idle`.
///
/// `act` does a job and may fail with a reason, which is told to the queue; if it panics the job has failed as well. While it is
/// at work the lease is extended. A lease that was lost meanwhile does no harm: the answer is the same as the other
/// worker's. A queue that cannot be reached is waited for.
pub fn work(
    queue: &dyn Queue,
    worker: &Worker,
    idle: Duration,
    tally: &Tally,
    watch: &dyn Watch,
    mut act: impl FnMut(&Job) -> Result<Vec<u8>, String>,
) -> Result<Worked, QueueError> {
    let mut worked = Worked::default();
    let mut waited = Duration::ZERO;
    while !watch.is_stopped() {
        let wait = PATIENCE.min(idle.saturating_sub(waited));
        let Some(lease) = insist(watch, || queue.lease(worker, wait))? else {
            waited += wait;
            if waited >= idle {
                break;
            }
            continue;
        };
        waited = Duration::ZERO;
        let done = alive(queue, &lease, || act(&lease.job));
        if watch.is_stopped() && done.is_err() {
            // The job did not fail, it was broken off: somebody else may have it at once, if that does not make it the
            // last time.
            if lease.tries < crate::MOST_TRIES {
                queue.fail(&lease, "the worker was stopped")?;
            }
            break;
        }
        match done.and_then(|result| match result.len() > crate::MOST_BYTES {
            true => Err(format!("the answer has {} bytes", result.len())),
            false => Ok(result),
        }) {
            Ok(result) => {
                insist(watch, || queue.complete(&lease, &result))?;
                worked.completed += 1;
                tally.completed.fetch_add(1, Relaxed);
                watch.advance(1);
            }
            Err(reason) => {
                tracing::warn!(job = %lease.job.id(), tries = lease.tries, reason, "a job failed");
                watch.tell(&format!("job {} failed: {reason}", lease.job.id()));
                insist(watch, || queue.fail(&lease, &reason))?;
                worked.failed += 1;
                tally.failed.fetch_add(1, Relaxed);
            }
        }
    }
    Ok(worked)
}

/// Runs `act` while another thread extends the lease.
fn alive(
    queue: &dyn Queue,
    lease: &Lease,
    act: impl FnOnce() -> Result<Vec<u8>, String>,
) -> Result<Vec<u8>, String> {
    thread::scope(|scope| {
        let (done, waiting) = mpsc::channel::<()>();
        scope.spawn(move || {
            let pulse = queue.lease_time() / 3;
            while waiting.recv_timeout(pulse) == Err(mpsc::RecvTimeoutError::Timeout) {
                // Without the network the lease runs out, and somebody else does the job.
                if let Err(error) = queue.extend(lease) {
                    tracing::warn!(%error, "cannot extend the lease of a job");
                }
            }
        });
        let result = catch_unwind(AssertUnwindSafe(act));
        drop(done);
        result.unwrap_or_else(|_| Err("the worker panicked".to_owned()))
    })
}
