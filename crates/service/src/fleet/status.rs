//! How a queue is doing: its batches, its workers, and what was given up.

use errare_jobs::Queue;
use serde::{Deserialize, Serialize};

use super::{QueueChoice, batch::About};
use crate::Error;

/// The state of a queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = FleetStatus))]
pub struct Status {
    /// Where it is.
    pub queue: String,
    /// Its batches.
    pub batches: Vec<BatchStatus>,
    /// The workers that gave a sign of life in the last minute.
    pub workers: Vec<WorkerStatus>,
    /// Jobs that all workers together answered in the last minute.
    pub per_minute: u64,
    /// Jobs that wait or are in hand.
    pub left: u64,
}

/// The state of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BatchStatus {
    /// Its name.
    pub batch: String,
    /// What is done.
    pub title: String,
    /// Jobs in all.
    pub jobs: u64,
    /// Jobs with an answer.
    pub done: u64,
    /// Jobs that were given up after five tries, with the reason.
    pub dead: Vec<DeadLetter>,
}

/// A job that was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DeadLetter {
    /// Its identity.
    pub job: String,
    /// Why the last try failed.
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
    /// Jobs at the same time.
    pub cores: usize,
    /// Jobs that it answered.
    pub completed: u64,
    /// Jobs that failed there.
    pub failed: u64,
    /// Jobs that it answered in the last minute.
    pub per_minute: u64,
}

/// The state of a queue.
pub fn answer(choice: &QueueChoice) -> Result<Status, Error> {
    of(&*choice.open_existing()?)
}

/// The state of a queue that is open.
pub fn of(queue: &dyn Queue) -> Result<Status, Error> {
    let mut batches = Vec::new();
    for batch in queue.batches()? {
        let progress = queue.progress(&batch)?;
        let about = serde_json::from_slice(&queue.about(&batch)?);
        let dead = match progress.dead {
            0 => Vec::new(),
            _ => queue.dead(&batch)?,
        };
        batches.push(BatchStatus {
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
        });
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

/// Forgets a batch: jobs that wait are not done, answers are lost.
pub fn cancel(choice: &QueueChoice, batch: &str) -> Result<(), Error> {
    Ok(choice.open_existing()?.cancel(batch)?)
}
