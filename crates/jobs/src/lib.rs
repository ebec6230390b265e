//! A job queue with leases and retries, shared by processes or machines.
//!
//! Split a large computation into [`Job`]s of seconds to minutes, [submit](Queue::submit) them as a *batch*, and
//! [collect](gather) the results. [Workers](work) on any number of machines lease jobs one at a time and answer them. There
//! are two queues behind one trait: [`SqliteQueue`], a file shared by processes of one host, and [`NatsQueue`] (feature
//! `nats`), streams on a NATS JetStream server. Everything above the trait is the same code.
//!
//! The key decision: **a job is its content.** Its identity is a hash of the work to do, so submitting it again changes
//! nothing. The answer is a function of the content, so a worker that dies, hangs, loses the network or answers twice does
//! not affect the outcome: the first answer stays. A job that fails [five times](MOST_TRIES), with growing pauses, goes to a
//! list of dead jobs with its reason and does not block the others. A worker on which several jobs fail in a row leaves the
//! jobs to other workers, if there are any.
//!
//! ```
//! use std::time::Duration;
//! use errare_core::Cancel;
//! use errare_jobs::{Job, Queue, SqliteQueue, WorkerTally, Worker, gather, work};
//!
//! let queue = SqliteQueue::in_memory()?;
//! let jobs: Vec<Job> = (1..=3).map(|n: u8| Job::new("square", vec![n])).collect::<Result<_, _>>()?;
//! let ids: Vec<_> = jobs.iter().map(Job::id).collect();
//! queue.submit("squares", b"the first squares", &jobs)?;
//!
//! let worker = Worker::new("worker-1", ["square"]);
//! let done = work(&queue, &worker, Duration::ZERO, &WorkerTally::default(), &Cancel::default(), |job| {
//!     Ok(vec![job.payload()[0].pow(2)])
//! })?;
//! assert_eq!(done.completed, 3);
//!
//! let mut squares = Vec::new();
//! gather(&queue, "squares", &ids, &Cancel::default(), |_, result| {
//!     squares.push(result[0]);
//!     Ok(())
//! })?;
//! squares.sort();
//! assert_eq!(squares, [1, 4, 9]);
//! # Ok::<(), errare_jobs::QueueError>(())
//! ```

mod error;
mod gather;
mod insist;
mod job;
#[cfg(feature = "nats")]
mod nats;
mod queue;
mod sqlite;
mod tally;
mod work;

pub use error::QueueError;
pub use gather::gather;
pub use insist::insist;
pub use job::{Job, JobError, JobId, MOST_BYTES};
#[cfg(feature = "nats")]
pub use nats::{NatsAccess, NatsQueue};
pub use queue::{
    BatchProgress, DeadJob, LEASE, Lease, MOST_FILE_BYTES, MOST_TRIES, Queue, Worker, WorkerReport,
};
pub use sqlite::SqliteQueue;
pub use tally::{Worked, WorkerTally};
pub use work::work;
