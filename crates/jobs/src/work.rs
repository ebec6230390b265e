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

/// How long a worker waits for a job before it checks whether to stop.
const PATIENCE: Duration = Duration::from_secs(2);

/// A worker's totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Worked {
    /// Jobs answered.
    pub completed: u64,
    /// Jobs that failed here.
    pub failed: u64,
}

/// Totals over all workers of a process.
#[derive(Debug, Default)]
pub struct WorkerTally {
    completed: AtomicU64,
    failed: AtomicU64,
}

impl WorkerTally {
    /// The totals so far.
    pub fn so_far(&self) -> Worked {
        Worked {
            completed: self.completed.load(Relaxed),
            failed: self.failed.load(Relaxed),
        }
    }
}

/// Runs jobs until the watch stops it, or until there have been none for `idle`.
///
/// `act` runs a job and may fail with a reason, which is recorded in the queue; a panic counts as a failure too. The lease is
/// extended meanwhile. Losing the lease does no harm: the other worker's answer is the same. If the queue is unreachable, this
/// waits for it.
pub fn work(
    queue: &dyn Queue,
    worker: &Worker,
    idle: Duration,
    tally: &WorkerTally,
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
            // The job was interrupted, it did not fail: return it so that another worker can have it at once, unless this was
            // its last attempt.
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
                // Without the network the lease expires, and another worker gets the job.
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
