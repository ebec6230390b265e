//! Waiting for the results of jobs.

use std::{
    collections::HashSet,
    thread,
    time::{Duration, Instant},
};

use errare_core::Watch;

use crate::{DeadJob, JobId, Queue, QueueError, WorkerReport, insist};

/// Interval between checks for new results.
const PAUSE: Duration = Duration::from_millis(200);
/// Interval between status reports.
const NEWS: Duration = Duration::from_secs(5);

/// Passes the results of these jobs of a batch to `take` as they arrive, each once, until every one of them is done or dead;
/// returns the dead ones. Other jobs of the batch, and late answers to jobs of an earlier one, are ignored.
///
/// Stopping leaves the batch as it is, and a later call resumes it. If the server does not answer, this waits for it. `take`
/// reports progress itself, since one job may be many steps.
pub fn gather(
    queue: &dyn Queue,
    batch: &str,
    jobs: &[JobId],
    watch: &dyn Watch,
    mut take: impl FnMut(JobId, &[u8]) -> Result<(), QueueError>,
) -> Result<Vec<DeadJob>, QueueError> {
    let mut left: HashSet<JobId> = jobs.iter().copied().collect();
    let mut cursor = 0;
    let mut news = Instant::now();
    loop {
        let progress = insist(watch, || queue.progress(batch))?;
        insist(watch, || {
            queue.results(batch, &mut cursor, &mut |id, result| {
                watch.check()?;
                if left.contains(&id) {
                    take(id, result)?;
                    left.remove(&id);
                }
                Ok(())
            })
        })?;
        if left.is_empty() {
            return Ok(Vec::new());
        }
        if progress.dead > 0 {
            let mut dead = insist(watch, || queue.dead(batch))?;
            dead.retain(|job| left.contains(&job.id));
            if dead.len() == left.len() {
                return Ok(dead);
            }
        }
        watch.check()?;
        if news.elapsed() >= NEWS {
            news = Instant::now();
            watch.detail(&fleet(queue, progress.dead)?);
        }
        // Throttled even while results arrive: this query costs the queue more than a result does.
        thread::sleep(PAUSE);
    }
}

/// A status such as "4 workers, 312 jobs a minute, 1 given up".
fn fleet(queue: &dyn Queue, dead: u64) -> Result<String, QueueError> {
    let workers = match queue.workers() {
        Err(error) if error.may_pass() => return Ok(String::new()),
        workers => workers?,
    };
    let rate: u64 = workers.iter().map(|worker| worker.per_minute).sum();
    let jobs = if rate == 1 { "job" } else { "jobs" };
    let mut status = match workers.len() {
        0 => "no worker is at work".to_owned(),
        1 => format!("1 worker, {rate} {jobs} a minute"),
        many => format!("{many} workers, {rate} {jobs} a minute"),
    };
    if dead > 0 {
        status += &format!(", {dead} given up");
    }
    let trouble = |worker: &WorkerReport| Some((worker.name.clone(), worker.trouble.clone()?));
    if let Some((name, reason)) = workers.iter().find_map(trouble) {
        status += &format!(", jobs fail on {name}: {reason}");
    }
    Ok(status)
}
