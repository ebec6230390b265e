//! The status of a queue: its batches, its workers, and dead jobs.

use errare_jobs::{Queue, QueueError};
use serde::{Deserialize, Serialize};

use super::{QueueChoice, batch::About};
use crate::Error;

/// The status of a queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FleetStatus))]
pub struct Status {
    /// Its address.
    pub queue: String,
    /// Its batches.
    pub batches: Vec<BatchStatus>,
    /// The workers with a heartbeat in the last minute.
    pub workers: Vec<WorkerStatus>,
    /// The number of jobs answered by all workers in the last minute.
    pub per_minute: u64,
    /// The number of jobs waiting or in progress.
    pub left: u64,
}

/// The status of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BatchStatus {
    /// Its name.
    pub batch: String,
    /// Its description.
    pub title: String,
    /// The total number of jobs.
    pub jobs: u64,
    /// The number of jobs with an answer.
    pub done: u64,
    /// Jobs that failed five times, with the reason.
    pub dead: Vec<DeadLetter>,
}

/// A dead job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DeadLetter {
    /// Its identity.
    pub job: String,
    /// Why the last attempt failed.
    pub reason: String,
}

/// A worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WorkerStatus {
    /// Its name.
    pub name: String,
    /// Its version and engine.
    pub kit: String,
    /// The number of concurrent jobs.
    pub cores: usize,
    /// The number of jobs answered.
    pub completed: u64,
    /// The number of jobs that failed on it.
    pub failed: u64,
    /// The number of jobs answered in the last minute.
    pub per_minute: u64,
    /// Why it may be broken: the reason of the last failure, if its last jobs all failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// The status of a queue.
pub fn answer(choice: &QueueChoice) -> Result<Status, Error> {
    of(&*choice.open_existing()?)
}

/// The status of an open queue.
pub fn of(queue: &dyn Queue) -> Result<Status, Error> {
    let mut batches = Vec::new();
    for batch in queue.batches()? {
        match of_batch(queue, batch) {
            // It was collected or cancelled meanwhile.
            Err(QueueError::NoSuchBatch(_)) => {}
            status => batches.push(status?),
        }
    }
    let workers: Vec<WorkerStatus> = queue
        .workers()?
        .into_iter()
        .map(|worker| WorkerStatus {
            name: worker.name,
            kit: worker.kit,
            cores: worker.cores,
            completed: worker.completed,
            failed: worker.failed,
            per_minute: worker.per_minute,
            trouble: worker.trouble,
        })
        .collect();
    let left = |batch: &BatchStatus| {
        let over = batch.done + batch.dead.len() as u64;
        batch.jobs.saturating_sub(over)
    };
    Ok(Status {
        queue: queue.address().to_owned(),
        left: batches.iter().map(left).sum(),
        per_minute: workers.iter().map(|worker| worker.per_minute).sum(),
        batches,
        workers,
    })
}

fn of_batch(queue: &dyn Queue, batch: String) -> Result<BatchStatus, QueueError> {
    let progress = queue.progress(&batch)?;
    let about = serde_json::from_slice(&queue.about(&batch)?);
    let dead = match progress.dead {
        0 => Vec::new(),
        _ => queue.dead(&batch)?,
    };
    Ok(BatchStatus {
        title: about.map_or(String::new(), |about: About| about.title),
        jobs: progress.jobs,
        done: progress.done,
        dead: dead
            .into_iter()
            .map(|job| DeadLetter {
                job: job.id.to_string(),
                reason: job.reason,
            })
            .collect(),
        batch,
    })
}

/// Deletes a batch: waiting jobs are dropped, answers are lost.
pub fn cancel(choice: &QueueChoice, batch: &str) -> Result<(), Error> {
    Ok(choice.open_existing()?.cancel(batch)?)
}
