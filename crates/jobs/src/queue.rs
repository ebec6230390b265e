//! What every queue can do.

use std::{collections::BTreeSet, time::Duration};

use crate::{Job, JobId, QueueError};

/// How long a worker is listed after its last sign of life.
pub(crate) const LISTED: Duration = Duration::from_secs(60);

/// How long a job belongs to a worker that gives no sign of life, if nobody says otherwise.
pub const LEASE: Duration = Duration::from_secs(60);

/// How often a job is tried before it is given up.
pub const MOST_TRIES: u32 = 5;

/// A queue of jobs, in batches. Any number of threads, processes and machines may use one at once.
pub trait Queue: Send + Sync {
    /// Where it is, for people.
    fn address(&self) -> &str;

    /// Whether workers may be on other machines, so that files must travel with the queue.
    fn spans_hosts(&self) -> bool;

    /// How long a job belongs to a worker that gives no sign of life.
    fn lease_time(&self) -> Duration;

    /// Adds jobs to a batch, which is begun if there is none. Jobs that wait or are done are not added again; those
    /// that were given up are tried again. `about` is what the submitter wants to remember of the batch.
    fn submit(&self, batch: &str, about: &[u8], jobs: &[Job]) -> Result<(), QueueError>;

    /// What was said of a batch when it was last submitted.
    fn about(&self, batch: &str) -> Result<Vec<u8>, QueueError>;

    /// A job that this worker can do; none if there is still none after waiting this long.
    fn lease(&self, worker: &Worker, wait: Duration) -> Result<Option<Lease>, QueueError>;

    /// Keeps a job for another [`LEASE`].
    fn extend(&self, lease: &Lease) -> Result<(), QueueError>;

    /// Answers. The first answer to a job stays; later ones change nothing.
    fn complete(&self, lease: &Lease, result: &[u8]) -> Result<(), QueueError>;

    /// Gives a job back. After [`MOST_TRIES`] it is dead.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<(), QueueError>;

    /// How far a batch has come.
    fn progress(&self, batch: &str) -> Result<BatchProgress, QueueError>;

    /// The batches.
    fn batches(&self) -> Result<Vec<String>, QueueError>;

    /// Calls `visit` with the results of a batch that came after `cursor`, in the order in which they came, until it
    /// fails; the cursor moves along. It begins at 0.
    fn results(
        &self,
        batch: &str,
        cursor: &mut u64,
        visit: &mut dyn FnMut(JobId, &[u8]) -> Result<(), QueueError>,
    ) -> Result<(), QueueError>;

    /// The jobs of a batch that were given up.
    fn dead(&self, batch: &str) -> Result<Vec<DeadJob>, QueueError>;

    /// Forgets a batch, with its results.
    fn cancel(&self, batch: &str) -> Result<(), QueueError>;

    /// Keeps something that several jobs need and that is too large for a message. The name is one word.
    fn put(&self, name: &str, content: &[u8]) -> Result<(), QueueError>;

    /// What was kept under a name.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, QueueError>;

    /// A worker's sign of life.
    fn report(&self, worker: &WorkerReport) -> Result<(), QueueError>;

    /// The workers that have given a sign of life of late.
    fn workers(&self) -> Result<Vec<WorkerReport>, QueueError>;
}

/// What a worker says of itself now and then.
#[derive(Debug, Clone, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct WorkerReport {
    /// Its name: a word.
    pub name: String,
    /// What it is, for people: its version and its engine.
    pub kit: String,
    /// Jobs that it does at the same time.
    pub cores: usize,
    /// Jobs that it has answered.
    pub completed: u64,
    /// Jobs that have failed there.
    pub failed: u64,
    /// Jobs that it has answered in the last minute.
    pub per_minute: u64,
}

/// Who leases jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Its name, for people.
    pub name: String,
    /// What it has: jobs that need something else are not for it.
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

/// A job that belongs to a worker for a while.
#[derive(Debug)]
pub struct Lease {
    /// The job.
    pub job: Job,
    /// Its batch.
    pub batch: String,
    /// How often it has been tried, this time included.
    pub tries: u32,
    /// What the queue knows the lease by.
    pub(crate) ticket: Ticket,
}

/// How a queue recognises a lease.
#[derive(Debug)]
pub(crate) enum Ticket {
    /// The row's number of leases so far.
    Sqlite(i64),
    /// The message to be acknowledged.
    #[cfg(feature = "nats")]
    Nats(Box<async_nats::jetstream::Message>),
}

/// How far a batch has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub struct BatchProgress {
    /// Jobs in all.
    pub jobs: u64,
    /// Jobs with a result.
    pub done: u64,
    /// Jobs that were given up.
    pub dead: u64,
}

impl BatchProgress {
    /// Whether there is nothing left to wait for.
    pub fn is_over(&self) -> bool {
        self.done + self.dead >= self.jobs
    }
}

/// A job that was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeadJob {
    /// Its identity.
    pub id: JobId,
    /// What it needs.
    pub needs: String,
    /// Why the last try failed.
    pub reason: String,
}
