//! The interface of all queues.

use std::{collections::BTreeSet, time::Duration};

use crate::{Job, JobId, QueueError};

/// How long a worker is listed after its last heartbeat.
pub(crate) const LISTED: Duration = Duration::from_secs(60);

/// Default lease time: how long a job belongs to a worker that sends no heartbeat.
pub const LEASE: Duration = Duration::from_secs(60);

/// The number of attempts after which a job is dead.
pub const MOST_TRIES: u32 = 5;

/// A queue of jobs, in batches. Any number of threads, processes and machines may use one at once.
pub trait Queue: Send + Sync {
    /// Its address, for display.
    fn address(&self) -> &str;

    /// Can workers be on other machines, so that files must travel through the queue?
    fn spans_hosts(&self) -> bool;

    /// How long a job belongs to a worker that sends no heartbeat.
    fn lease_time(&self) -> Duration;

    /// Adds jobs to a batch, which is created if necessary. Jobs that are waiting or done are not added again; dead
    /// ones are retried. `about` is the submitter's description of the batch.
    fn submit(&self, batch: &str, about: &[u8], jobs: &[Job]) -> Result<(), QueueError>;

    /// The description given when the batch was last submitted.
    fn about(&self, batch: &str) -> Result<Vec<u8>, QueueError>;

    /// Leases a job that this worker can run; `None` if there is none after waiting this long.
    fn lease(&self, worker: &Worker, wait: Duration) -> Result<Option<Lease>, QueueError>;

    /// Extends a lease by another [`LEASE`].
    fn extend(&self, lease: &Lease) -> Result<(), QueueError>;

    /// Stores the answer to a job. The first answer stays; later ones change nothing.
    fn complete(&self, lease: &Lease, result: &[u8]) -> Result<(), QueueError>;

    /// Returns a job as failed. After [`MOST_TRIES`] it is dead.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<(), QueueError>;

    /// The progress of a batch.
    fn progress(&self, batch: &str) -> Result<BatchProgress, QueueError>;

    /// The batches.
    fn batches(&self) -> Result<Vec<String>, QueueError>;

    /// Calls `visit` with the results of a batch that arrived after `cursor`, in order of arrival, until it fails;
    /// advances the cursor, which starts at 0.
    fn results(
        &self,
        batch: &str,
        cursor: &mut u64,
        visit: &mut dyn FnMut(JobId, &[u8]) -> Result<(), QueueError>,
    ) -> Result<(), QueueError>;

    /// The dead jobs of a batch.
    fn dead(&self, batch: &str) -> Result<Vec<DeadJob>, QueueError>;

    /// Deletes a batch and its results.
    fn cancel(&self, batch: &str) -> Result<(), QueueError>;

    /// Stores a file that several jobs need and that is too large for a message. The name is one word.
    fn put(&self, name: &str, content: &[u8]) -> Result<(), QueueError>;

    /// The file stored under a name.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, QueueError>;

    /// Records a worker's heartbeat.
    fn report(&self, worker: &WorkerReport) -> Result<(), QueueError>;

    /// The workers with a recent heartbeat.
    fn workers(&self) -> Result<Vec<WorkerReport>, QueueError>;
}

/// A worker's heartbeat: its state, reported now and then.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct WorkerReport {
    /// Its name: a word.
    pub name: String,
    /// Its version and its engine, for display.
    pub kit: String,
    /// The number of jobs it runs at the same time.
    pub cores: usize,
    /// The number of jobs answered.
    pub completed: u64,
    /// The number of jobs that failed on it.
    pub failed: u64,
    /// The number of jobs answered in the last minute.
    pub per_minute: u64,
}

/// A worker that leases jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Its name, for display.
    pub name: String,
    /// What it has: it gets only jobs that need one of these.
    pub has: BTreeSet<String>,
}

impl Worker {
    /// A worker that has these things.
    pub fn new(
        name: impl Into<String>,
        has: impl IntoIterator<Item = impl Into<String>>,
    ) -> Worker {
        Worker {
            name: name.into(),
            has: has.into_iter().map(Into::into).collect(),
        }
    }
}

/// A job leased to a worker.
#[derive(Debug)]
pub struct Lease {
    /// The job.
    pub job: Job,
    /// Its batch.
    pub batch: String,
    /// The number of attempts, including this one.
    pub tries: u32,
    /// How the queue identifies the lease.
    pub(crate) ticket: Ticket,
}

/// How a queue identifies a lease.
#[derive(Debug)]
pub(crate) enum Ticket {
    /// The row's number of leases so far.
    Sqlite(i64),
    /// The message to be acknowledged.
    #[cfg(feature = "nats")]
    Nats(Box<async_nats::jetstream::Message>),
}

/// The progress of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct BatchProgress {
    /// Jobs in all.
    pub jobs: u64,
    /// Jobs with a result.
    pub done: u64,
    /// Dead jobs.
    pub dead: u64,
}

impl BatchProgress {
    /// Is every job done or dead?
    pub fn is_over(&self) -> bool {
        self.done + self.dead >= self.jobs
    }
}

/// A dead job: one that failed too often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadJob {
    /// Its identity.
    pub id: JobId,
    /// What it needs.
    pub needs: String,
    /// Why the last attempt failed.
    pub reason: String,
}
