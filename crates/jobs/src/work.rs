//! A worker's loop: lease a job, extend the lease while doing it, answer, repeat.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use errare_core::Watch;

use crate::{
    Job, LEASE, Lease, MOST_BYTES, Queue, QueueError, Worked, Worker, WorkerTally, insist,
};

/// How long a worker waits for a job before it checks whether to stop, or less if leases are short.
const PATIENCE: Duration = Duration::from_secs(2);
/// Interval between checks for a stop while a worker rests.
const PULSE: Duration = Duration::from_millis(100);

/// Runs jobs until the watch stops it, or until there have been none for `idle`.
///
/// `act` runs a job and may fail with a reason, which is recorded in the queue; a panic counts as a failure too. The lease is
/// extended meanwhile. Losing the lease does no harm: the other worker's answer is the same. If the queue is unreachable, this
/// waits for it.
///
/// A worker that has returned a failed job stays until its next attempt is due. If several jobs in a row fail in this process
/// (see [`WorkerTally::trouble`]), it rests before each further job while another worker could do the same jobs.
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
    let mut lease_time = LEASE;
    // When the jobs that failed here are back for certain.
    let mut due = Instant::now();
    while !watch.is_stopped() {
        if tally.trouble().is_some() && insist(watch, || others_can(queue, worker))? {
            rest(lease_time / 2, watch);
        }
        let patience = idle
            .saturating_sub(waited)
            .max(due.saturating_duration_since(Instant::now()));
        let wait = PATIENCE.min(lease_time / 10).min(patience);
        let Some(lease) = insist(watch, || queue.lease(worker, wait))? else {
            waited = waited.saturating_add(wait);
            if waited >= idle && Instant::now() >= due {
                break;
            }
            continue;
        };
        waited = Duration::ZERO;
        lease_time = lease.time;
        let done = alive(queue, &lease, || act(&lease.job));
        if watch.is_stopped() && done.is_err() {
            // The job was interrupted; it did not fail. If it cannot be returned, its lease expires.
            if let Err(error) = queue.release(&lease) {
                tracing::warn!(%error, "cannot return a job");
            }
            break;
        }
        match done.and_then(|result| match result.len() > MOST_BYTES {
            true => Err(format!("the answer has {} bytes", result.len())),
            false => Ok(result),
        }) {
            Ok(result) => {
                insist(watch, || queue.complete(&lease, &result))?;
                worked.completed += 1;
                tally.complete();
                watch.advance(1);
            }
            Err(reason) => {
                tracing::warn!(job = %lease.job.id(), tries = lease.tries(), reason, "a job failed");
                watch.tell(&format!("job {} failed: {reason}", lease.job.id()));
                insist(watch, || queue.fail(&lease, &reason))?;
                worked.failed += 1;
                due = due.max(Instant::now() + lease.pause() + PATIENCE.min(lease.time));
                if tally.fail(lease.job.id(), &reason) {
                    watch.tell(&format!(
                        "several jobs in a row have failed here: this worker may be broken; while others can do its jobs, it \
                         takes one every {} s",
                        (lease_time / 2).as_secs_f64()
                    ));
                }
            }
        }
    }
    Ok(worked)
}

/// Could another worker that is not in trouble do the same jobs?
fn others_can(queue: &dyn Queue, worker: &Worker) -> Result<bool, QueueError> {
    let others = queue.workers()?;
    Ok(others
        .iter()
        .any(|other| other.name != worker.name && other.can_do(worker.has.iter())))
}

/// Waits, unless the watch stops it.
fn rest(time: Duration, watch: &dyn Watch) {
    let end = Instant::now() + time;
    while !watch.is_stopped() && Instant::now() < end {
        thread::sleep(PULSE.min(end.saturating_duration_since(Instant::now())));
    }
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
            let pulse = lease.time / 3;
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
