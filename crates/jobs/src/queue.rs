//! The interface of all queues.

use std::{collections::BTreeSet, time::Duration};

use crate::{Job, JobId, QueueError};

/// How long a worker is listed after its last heartbeat.
pub(crate) const LISTED: Duration = Duration::from_secs(60);

/// Default lease time: how long a job belongs to a worker that sends no heartbeat.
pub const LEASE: Duration = Duration::from_secs(60);

/// The number of attempts after which a job is dead.
pub const MOST_TRIES: u32 = 5;

/// Maximum size of a file. The largest table of five men is far smaller.
pub const MOST_FILE_BYTES: usize = 1 << 30;

/// A failed job waits for this part of the lease time before its second attempt, and twice as long before each further one.
const FIRST_PAUSE: u32 = 30;

/// A queue of jobs, in batches. Any number of threads, processes and machines may use one at once.
pub trait Queue: Send + Sync {
    /// Its address, for display.
    fn address(&self) -> &str;

    /// Can workers be on other machines, so that files must travel through the queue?
    fn spans_hosts(&self) -> bool;

    /// Adds jobs to a batch, which is created if necessary. Jobs that are waiting or done are not added again; dead
    /// ones are retried. `about` is the submitter's description of the batch.
    fn submit(&self, batch: &str, about: &[u8], jobs: &[Job]) -> Result<(), QueueError>;

    /// The description given when the batch was last submitted.
    fn about(&self, batch: &str) -> Result<Vec<u8>, QueueError>;

    /// Leases a job that this worker can run; `None` if there is none after waiting this long.
    fn lease(&self, worker: &Worker, wait: Duration) -> Result<Option<Lease>, QueueError>;

    /// Extends a lease by its [time](Lease::time), from now on.
    fn extend(&self, lease: &Lease) -> Result<(), QueueError>;

    /// Stores the answer to a job. The first answer stays; later ones change nothing.
    fn complete(&self, lease: &Lease, result: &[u8]) -> Result<(), QueueError>;

    /// Returns a job as failed. It waits for a [pause](Lease::pause) before the next attempt. After [`MOST_TRIES`] it is dead,
    /// unless all of them were this worker's and another could do the job: one broken worker must not kill good jobs.
    fn fail(&self, lease: &Lease, reason: &str) -> Result<(), QueueError>;

    /// Returns a job that the worker was prevented from doing. It can be leased again at once, and no attempt is
    /// counted.
    fn release(&self, lease: &Lease) -> Result<(), QueueError>;

    /// The progress of a batch.
    fn progress(&self, batch: &str) -> Result<BatchProgress, QueueError>;

    /// The jobs of a batch, in any state; none if there is no such batch.
    fn known(&self, batch: &str) -> Result<BTreeSet<JobId>, QueueError>;

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

    /// Stores a file of at most [`MOST_FILE_BYTES`] that several jobs need and that is too large for a message. The name is
    /// one word.
    fn put(&self, name: &str, content: &[u8]) -> Result<(), QueueError>;

    /// The file stored under a name; an error if it has more than `most` bytes.
    fn get(&self, name: &str, most: usize) -> Result<Option<Vec<u8>>, QueueError>;

    /// Records a worker's heartbeat.
    fn report(&self, worker: &WorkerReport) -> Result<(), QueueError>;

    /// Removes the heartbeat of a worker that ends.
    fn sign_off(&self, worker: &str) -> Result<(), QueueError>;

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
    /// What it has for jobs, as [`Worker::has`].
    #[serde(default)]
    pub has: BTreeSet<String>,
    /// The number of jobs it runs at the same time.
    pub cores: usize,
    /// The number of jobs answered.
    pub completed: u64,
    /// The number of jobs that failed on it.
    pub failed: u64,
    /// The number of jobs answered in the last minute.
    pub per_minute: u64,
    /// Why it may be broken: the reason of the last failure, if its last jobs all failed.
    #[serde(default)]
    pub trouble: Option<String>,
}

impl WorkerReport {
    /// Can this worker be expected to do jobs that need these things?
    pub(crate) fn can_do<'a>(&self, mut needs: impl Iterator<Item = &'a String>) -> bool {
        self.trouble.is_none() && needs.all(|word| self.has.contains(word))
    }
}

/// A worker that leases jobs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Its name, as in its [reports](WorkerReport). Threads of one process share a name.
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
    /// The worker's name.
    pub worker: String,
    /// How long the job belongs to a worker that does not [extend](Queue::extend) the lease.
    pub time: Duration,
    /// The attempts so far.
    pub(crate) earlier: Attempts,
    /// How the queue identifies the lease.
    pub(crate) ticket: Ticket,
}

/// The attempts at a job that brought no answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Attempts {
    /// Those whose worker fell silent.
    pub(crate) silent: u32,
    /// The workers of those that failed, once for each attempt.
    pub(crate) failed: Vec<String>,
}

impl Lease {
    /// The number of attempts, including this one.
    pub fn tries(&self) -> u32 {
        let failed = u32::try_from(self.earlier.failed.len()).unwrap_or(u32::MAX);
        failed.saturating_add(self.earlier.silent).saturating_add(1)
    }

    /// The time before the next attempt if this one fails.
    pub fn pause(&self) -> Duration {
        let doubled = 1 << (self.tries() - 1).min(FIRST_PAUSE.ilog2() + 1);
        (self.time / FIRST_PAUSE * doubled).min(self.time)
    }

    /// Is the job dead if this attempt fails?
    pub(crate) fn is_last(&self, queue: &dyn Queue) -> Result<bool, QueueError> {
        let Attempts { silent, failed } = &self.earlier;
        if self.tries() < MOST_TRIES {
            return Ok(false);
        }
        if *silent > 0 || failed.iter().any(|worker| *worker != self.worker) {
            return Ok(true);
        }
        let needs = self.job.needs().to_owned();
        let could = |other: &WorkerReport| {
            other.name != self.worker && other.can_do(std::iter::once(&needs))
        };
        Ok(!queue.workers()?.iter().any(could))
    }
}

/// Refuses a file that is too large.
pub(crate) fn check_file(name: &str, bytes: usize, most: usize) -> Result<(), QueueError> {
    match bytes <= most {
        true => Ok(()),
        false => Err(QueueError::FileTooLarge {
            name: name.to_owned(),
            bytes,
            most,
        }),
    }
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

impl Ticket {
    /// The number of a lease of the embedded queue.
    pub(crate) fn number(&self) -> Result<i64, QueueError> {
        match self {
            Ticket::Sqlite(number) => Ok(*number),
            #[cfg(feature = "nats")]
            Ticket::Nats(_) => Err(QueueError::LeaseLost),
        }
    }
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
