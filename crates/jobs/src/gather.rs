//! Waiting for the results of a batch.

use std::{
    thread,
    time::{Duration, Instant},
};

use errare_core::Watch;

use crate::{BatchProgress, JobId, Queue, QueueError, insist::insist};

/// Interval between looks for new results.
const PAUSE: Duration = Duration::from_millis(200);
/// Interval between status reports.
const NEWS: Duration = Duration::from_secs(5);

/// Passes the results of a batch to `take` as they arrive, each once, until every job is done or dead. Stopping leaves the
/// batch as it is, and a later call resumes it. If the server does not answer, this waits for it. `take` reports progress
/// itself, since one job may be many steps.
pub fn gather(
    queue: &dyn Queue,
    batch: &str,
    watch: &dyn Watch,
    mut take: impl FnMut(JobId, &[u8]) -> Result<(), QueueError>,
) -> Result<BatchProgress, QueueError> {
    let (mut cursor, mut taken) = (0, 0);
    let mut news = Instant::now();
    loop {
        // Read before taking results, so that those of the last jobs are taken as well.
        let progress = insist(watch, || queue.progress(batch))?;
        insist(watch, || {
            queue.results(batch, &mut cursor, &mut |id, result| {
                watch.check()?;
                take(id, result)?;
                taken += 1;
                Ok(())
            })
        })?;
        if progress.is_over() && taken >= progress.done {
            return Ok(progress);
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

/// A status such as "4 workers, 312 jobs a minute".
fn fleet(queue: &dyn Queue, dead: u64) -> Result<String, QueueError> {
    let workers = match queue.workers() {
        Err(error) if error.may_pass() => return Ok(String::new()),
        workers => workers?,
    };
    let rate: u64 = workers.iter().map(|worker| worker.per_minute).sum();
    let dead = match dead {
        0 => String::new(),
        dead => format!(", {dead} given up"),
    };
    Ok(match workers.len() {
        0 => format!("no worker is at work{dead}"),
        1 => format!("1 worker, {rate} jobs a minute{dead}"),
        many => format!("{many} workers, {rate} jobs a minute{dead}"),
    })
}
