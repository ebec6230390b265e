//! Fits replicates of a bootstrap with a fleet.

use errare_core::Watch;
use errare_jobs::{MOST_FILE_BYTES, Queue};
use errare_rating::{Bootstrap, Estimator, Fit, Replicates, Sample};

use super::{
    Batch, QueueChoice, Work,
    batch::{About, damaged, keep, kept, none_dead},
};
use crate::Error;

/// Replicates per job.
const AT_ONCE: u64 = 5;

/// A bootstrap to run.
#[derive(Debug, Clone, Copy)]
pub struct Drawn<'a> {
    /// The turns.
    pub sample: &'a Sample,
    /// Their fit.
    pub fit: &'a Fit,
    /// By this method.
    pub estimator: Estimator,
    /// The number of replicates.
    pub replicates: usize,
    /// The seed, which determines them.
    pub seed: u64,
}

/// Draws and fits replicates on a fleet, or locally if there is none; returns `None` if they were only
/// submitted.
pub fn bootstrap(
    queue: Option<&QueueChoice>,
    drawn: &Drawn<'_>,
    watch: &dyn Watch,
) -> Result<Option<Bootstrap>, Error> {
    let Drawn {
        sample,
        fit,
        estimator,
        replicates,
        seed,
    } = *drawn;
    let Some(choice) = queue else {
        let bootstrap = Bootstrap::new(sample, fit, estimator, replicates, seed, watch)?;
        return Ok(Some(bootstrap));
    };
    let queue = choice.open()?;
    let task = Replicates::new(sample, fit, estimator, seed);
    let content = task.write();
    let file = keep(&*queue, &content)?;
    let about = About {
        title: format!(
            "bootstrap of {} turns, {replicates} replicates",
            sample.turns()
        ),
        file: None,
    };
    let batch = Batch::new(&*queue, "fit", &content, about).seeded(Some(seed));
    let total = replicates as u64;
    let pieces: Vec<Work> = (0..total)
        .step_by(AT_ONCE as usize)
        .map(|first| Work::Replicate {
            file: file.clone(),
            first,
            count: AT_ONCE.min(total - first),
        })
        .collect();
    let ids = batch.submit(&pieces, watch)?;
    if choice.detach {
        batch.tell_submitted(ids.len(), watch);
        return Ok(None);
    }
    watch.begin("drawing games", Some(total));
    let mut parts: Vec<Vec<Option<Vec<f64>>>> = vec![Vec::new(); pieces.len()];
    let dead = batch.collect(&ids, watch, |index, message| {
        parts[index] = serde_json::from_slice(message).map_err(|_| damaged())?;
        watch.advance(parts[index].len() as u64);
        Ok(())
    })?;
    none_dead(&dead, "replicates")?;
    let points: Vec<_> = parts.into_iter().flatten().collect();
    if points.len() != replicates {
        return Err(damaged());
    }
    let bootstrap = task.bootstrap(points).ok_or_else(damaged)?;
    batch.forget(watch)?;
    Ok(Some(bootstrap))
}

/// Fits a job's replicates, for a worker.
pub(super) fn work(
    queue: &dyn Queue,
    file: &str,
    numbers: std::ops::Range<u64>,
    watch: &dyn Watch,
) -> Result<Vec<u8>, String> {
    let content = kept(queue, file, MOST_FILE_BYTES, watch)?;
    let task = Replicates::read(&content).ok_or("an unreadable sample")?;
    let [first, end] = [numbers.start, numbers.end].map(|number| number as usize);
    let points = task.part(first..end, watch);
    let points = points.map_err(|error| error.to_string())?;
    serde_json::to_vec(&points).map_err(|error| error.to_string())
}
