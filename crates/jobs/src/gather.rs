//! Waiting for the results of a batch.

use std::{
    thread,
    time::{Duration, Instant},
};

use errare_core::Watch;

use crate::{BatchProgress, JobId, Queue, QueueError, insist::insist};

/// How often new results are looked for.
const PAUSE: Duration = Duration::from_millis(200);
/// How often to report how the fleet is doing.
const NEWS: Duration = Duration::from_secs(5);

/// Takes the results of a batch as they come, each once, until every job is done or dead. A stop leaves the batch as it is: a
/// later call goes on with it. A server that does not answer is waited for. `take` counts progress, for one job may be many
/// steps.
pub fn gather(
    queue: &dyn Queue,
    batch: &str,
    watch: &dyn Watch,
    mut take: impl FnMut(JobId, &[u8]) -> Result<(), QueueError>,
) -> Result<BatchProgress, QueueError> {
    let (mut cursor, mut taken) = (0, 0);
    let mut news = Instant::now();
    loop {
        // Asked before taking results, so that those of the last jobs are taken as well.
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
        // Also while results come: to ask costs the queue more than a result does.
        thread::sleep(PAUSE);
    }
}

/// "4 workers, 312 jobs a minute".
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
