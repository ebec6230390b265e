//! A queue on a NATS JetStream server, for any number of machines.
//!
//! Four streams hold waiting jobs (`errare.jobs.<needs>.<batch>.<id>`, a work queue, so acknowledged messages disappear),
//! their outcomes (`errare.answer.done.<batch>.<id>`, `errare.answer.dead.<batch>.<id>`, and each return of a job in
//! `errare.answer.back.<batch>.<id>.<sequence>.<delivery>`, where the first message of a subject stays), descriptions of
//! batches (`errare.batch.<batch>`, where the last stays), and workers' heartbeats (`errare.worker.<name>`, dropped after a
//! minute). An object store holds what is too large for a message. A lease is an unacknowledged message; the server
//! redelivers it when the consumer's `ack_wait` has passed without a heartbeat.
//!
//! Uses only features of server version 2.9.

mod connect;
mod leases;
mod read;

use std::{
    collections::{BTreeSet, HashMap},
    future::Future,
    io,
    sync::{LazyLock, Mutex, PoisonError},
    time::Duration,
};

use async_nats::jetstream::{
    AckKind, Context, consumer::PullConsumer, object_store::ObjectStore, stream::Stream,
};
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::{
    io::AsyncReadExt,
    runtime::{Builder, Runtime},
};

use connect::Bell;
pub use connect::NatsAccess;
use read::id_of;

use crate::{
    BatchProgress, DeadJob, Job, JobId, Lease, MOST_FILE_BYTES, Queue, QueueError, Worker,
    WorkerReport,
    job::{check_size, check_word},
    queue::check_file,
};

/// Timeout for the server's replies.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The server's error for a second message with the same subject.
const ONE_A_SUBJECT: &str = "maximum messages per subject exceeded";
/// Maximum number of unacknowledged publications.
const UNDER_WAY: usize = 256;

/// One runtime serves all queues of the process.
static RUNTIME: LazyLock<io::Result<Runtime>> = LazyLock::new(|| {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
});

/// A queue on a server.
pub struct NatsQueue {
    address: String,
    runtime: &'static Runtime,
    context: Context,
    jobs: Stream,
    answers: Stream,
    batches: Stream,
    workers: Stream,
    files: ObjectStore,
    /// The lease time of consumers that are created here.
    lease: Duration,
    /// Consumers by what their jobs need.
    consumers: Mutex<HashMap<String, PullConsumer>>,
    bell: Bell,
}

/// The description of a batch.
#[derive(Debug, Serialize, Deserialize)]
struct Batch {
    jobs: u64,
    about: Vec<u8>,
}

impl NatsQueue {
    fn unusable(&self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> QueueError {
        connect::unusable(&self.address, Some(&self.context), error)
    }

    /// Waits for the server's reply, with a timeout in case it is gone.
    fn wait<T>(
        &self,
        time: Duration,
        act: impl Future<Output = Result<T, QueueError>>,
    ) -> Result<T, QueueError> {
        self.runtime.block_on(async {
            match tokio::time::timeout(time, act).await {
                Ok(result) => result,
                Err(_) => Err(self.unusable("the request timed out")),
            }
        })
    }

    /// Publishes a message; false if its subject has one already.
    async fn publish(&self, subject: String, payload: Vec<u8>) -> Result<bool, QueueError> {
        let sent = self.context.publish(subject, payload.into()).await;
        match sent.map_err(|error| self.unusable(error))?.await {
            Ok(_) => Ok(true),
            Err(error) if format!("{error:?}").contains(ONE_A_SUBJECT) => Ok(false),
            Err(error) => Err(self.unusable(error)),
        }
    }

    async fn batch(&self, batch: &str) -> Result<Batch, QueueError> {
        let subject = format!("errare.batch.{batch}");
        let found = self.last(&self.batches, &subject).await?;
        found
            .and_then(|message| serde_json::from_slice(&message.payload).ok())
            .ok_or_else(|| QueueError::NoSuchBatch(batch.to_owned()))
    }

    /// Ends a lease with what `record` says, or at once if the batch was cancelled: nobody would collect the record, and it would
    /// stay on the server.
    fn finish(
        &self,
        lease: &Lease,
        record: impl Future<Output = Result<AckKind, QueueError>>,
    ) -> Result<(), QueueError> {
        let message = self.message(lease)?;
        self.wait(TIMEOUT, async {
            let kind = match self.batch(&lease.batch).await {
                Err(QueueError::NoSuchBatch(_)) => AckKind::Term,
                found => {
                    found?;
                    record.await?
                }
            };
            // Acknowledge only now: if the worker dies in between, the job is repeated with the same answer.
            self.end(message, kind).await
        })
    }

    /// Dead jobs, except those that a late answer completed.
    async fn given_up(&self, batch: &str) -> Result<Vec<DeadJob>, QueueError> {
        let mut dead = Vec::new();
        let filter = format!("errare.answer.dead.{batch}.*");
        self.read(&self.answers, filter, 0, &mut |subject, _, content| {
            let text = String::from_utf8_lossy(content);
            let (needs, reason) = text.split_once('\n').unwrap_or(("", &text));
            dead.push(DeadJob {
                id: id_of(subject)?,
                needs: needs.to_owned(),
                reason: reason.to_owned(),
            });
            Ok(())
        })
        .await?;
        let mut still = Vec::with_capacity(dead.len());
        for job in dead {
            if !self.is_done(batch, job.id).await? {
                still.push(job);
            }
        }
        Ok(still)
    }
}

impl Queue for NatsQueue {
    fn address(&self) -> &str {
        &self.address
    }

    fn spans_hosts(&self) -> bool {
        true
    }

    fn submit(&self, batch: &str, about: &[u8], jobs: &[Job]) -> Result<(), QueueError> {
        check_word(batch)?;
        check_size(about.len())?;
        self.runtime.block_on(async {
            let of = |kind: &str| format!("errare.{kind}.{batch}.*");
            // Dead jobs are tried again.
            let mut dead = self.ids(&self.answers, of("answer.dead")).await?;
            for id in jobs.iter().map(Job::id).filter(|id| dead.remove(id)) {
                let record = format!("errare.answer.dead.{batch}.{id}");
                let purged = self.answers.purge().filter(record).await;
                purged.map_err(|error| self.unusable(error))?;
            }
            // Waiting jobs first: one that is completed in between is then counted, not missed.
            let mut known = self.ids(&self.jobs, of("jobs.*")).await?;
            known.extend(self.ids(&self.answers, of("answer.done")).await?);
            known.extend(dead);
            let new: Vec<&Job> = jobs
                .iter()
                .filter(|job| !known.contains(&job.id()))
                .collect();
            known.extend(new.iter().map(|job| job.id()));
            // The number of jobs comes first, so that nobody mistakes a part for the whole.
            let content = Batch {
                jobs: known.len() as u64,
                about: about.to_vec(),
            };
            let content = serde_json::to_vec(&content).map_err(|error| self.unusable(error))?;
            self.publish(format!("errare.batch.{batch}"), content)
                .await?;
            let sent = futures::stream::iter(new)
                .map(|job| {
                    let subject = format!("errare.jobs.{}.{batch}.{}", job.needs(), job.id());
                    self.publish(subject, job.payload().to_vec())
                })
                .buffer_unordered(UNDER_WAY);
            let mut sent = std::pin::pin!(sent);
            while let Some(published) = sent.next().await {
                published?;
            }
            let rung = self
                .context
                .client()
                .publish(connect::BELL, "".into())
                .await;
            rung.map_err(|error| self.unusable(error))
        })
    }

    fn about(&self, batch: &str) -> Result<Vec<u8>, QueueError> {
        Ok(self.wait(TIMEOUT, self.batch(batch))?.about)
    }

    fn lease(&self, worker: &Worker, wait: Duration) -> Result<Option<Lease>, QueueError> {
        let poll = || async {
            for needs in &worker.has {
                if let Some(lease) = self.next(needs, &worker.name).await? {
                    return Ok(Some(lease));
                }
            }
            Ok(None)
        };
        let found = self.wait(TIMEOUT, async {
            // Listen for the bell before polling, so that no job submitted in between is missed.
            let rung = self.bell.rung();
            let mut rung = std::pin::pin!(rung);
            rung.as_mut().enable();
            if let Some(lease) = poll().await? {
                return Ok(Some(lease));
            }
            if wait.is_zero() {
                return Ok(None);
            }
            let _ = tokio::time::timeout(wait.min(TIMEOUT / 2), rung).await;
            poll().await
        });
        if found.is_err() {
            // If the server lost data, the consumer may be gone too.
            let mut consumers = self
                .consumers
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            consumers.clear();
        }
        found
    }

    fn extend(&self, lease: &Lease) -> Result<(), QueueError> {
        let message = self.message(lease)?;
        self.wait(TIMEOUT, self.end(message, AckKind::Progress))
    }

    fn complete(&self, lease: &Lease, result: &[u8]) -> Result<(), QueueError> {
        check_size(result.len())?;
        self.finish(lease, async {
            let subject = format!("errare.answer.done.{}.{}", lease.batch, lease.job.id());
            self.publish(subject, result.to_vec()).await?;
            Ok(AckKind::Ack)
        })
    }

    fn fail(&self, lease: &Lease, reason: &str) -> Result<(), QueueError> {
        let last = lease.is_last(self)?;
        self.finish(lease, async {
            self.give_back(lease, Some(reason)).await?;
            if !last {
                return Ok(AckKind::Nak(Some(lease.pause())));
            }
            let Lease { job, batch, .. } = lease;
            self.bury(batch, job.id(), job.needs(), reason).await?;
            Ok(AckKind::Term)
        })
    }

    fn release(&self, lease: &Lease) -> Result<(), QueueError> {
        self.finish(lease, async {
            self.give_back(lease, None).await?;
            Ok(AckKind::Nak(None))
        })
    }

    fn progress(&self, batch: &str) -> Result<BatchProgress, QueueError> {
        self.wait(TIMEOUT, async {
            let done = format!("errare.answer.done.{batch}.*");
            let dead = format!("errare.answer.dead.{batch}.*");
            let done = self.count(&self.answers, done).await?;
            let dead = match self.count(&self.answers, dead).await? {
                0 => 0,
                _ => self.given_up(batch).await?.len() as u64,
            };
            // Read last, since a batch may grow meanwhile. A late answer to a job of a cancelled batch that was submitted anew counts as
            // a job too.
            let jobs = self.batch(batch).await?.jobs.max(done + dead);
            Ok(BatchProgress { jobs, done, dead })
        })
    }

    fn known(&self, batch: &str) -> Result<BTreeSet<JobId>, QueueError> {
        self.runtime.block_on(async {
            // Waiting jobs first: one that is completed in between is then found twice, not missed.
            let mut known = self
                .ids(&self.jobs, format!("errare.jobs.*.{batch}.*"))
                .await?;
            for kind in ["done", "dead"] {
                let answered = format!("errare.answer.{kind}.{batch}.*");
                known.extend(self.ids(&self.answers, answered).await?);
            }
            Ok(known)
        })
    }

    fn batches(&self) -> Result<Vec<String>, QueueError> {
        let mut names = Vec::new();
        let all = "errare.batch.*".to_owned();
        self.runtime
            .block_on(self.read(&self.batches, all, 0, &mut |subject, _, _| {
                names.extend(subject.rsplit('.').next().map(str::to_owned));
                Ok(())
            }))?;
        names.sort();
        Ok(names)
    }

    fn results(
        &self,
        batch: &str,
        cursor: &mut u64,
        visit: &mut dyn FnMut(JobId, &[u8]) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        let after = *cursor;
        let filter = format!("errare.answer.done.{batch}.*");
        self.runtime.block_on(self.read(
            &self.answers,
            filter,
            after,
            &mut |subject, sequence, result| {
                check_size(result.len())?;
                visit(id_of(subject)?, result)?;
                *cursor = sequence;
                Ok(())
            },
        ))
    }

    fn dead(&self, batch: &str) -> Result<Vec<DeadJob>, QueueError> {
        self.runtime.block_on(self.given_up(batch))
    }

    fn cancel(&self, batch: &str) -> Result<(), QueueError> {
        self.about(batch)?;
        self.runtime.block_on(async {
            let answers = || (&self.answers, format!("errare.answer.*.{batch}.>"));
            let purges = [
                (&self.jobs, format!("errare.jobs.*.{batch}.*")),
                answers(),
                (&self.batches, format!("errare.batch.{batch}")),
                // Once more, for those that came before the batch was gone.
                answers(),
            ];
            for (stream, filter) in purges {
                let purged = stream.purge().filter(filter).await;
                purged.map_err(|error| self.unusable(error))?;
            }
            Ok(())
        })
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), QueueError> {
        check_word(name)?;
        check_file(name, content.len(), MOST_FILE_BYTES)?;
        self.runtime.block_on(async {
            let put = self.files.put(name, &mut &*content).await;
            put.map_err(|error| self.unusable(error))?;
            Ok(())
        })
    }

    fn get(&self, name: &str, most: usize) -> Result<Option<Vec<u8>>, QueueError> {
        use async_nats::jetstream::object_store::GetErrorKind;
        self.runtime.block_on(async {
            let mut object = match self.part(self.files.get(name)).await? {
                Ok(object) => object,
                Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(self.unusable(error)),
            };
            check_file(name, object.info().size, most)?;
            let mut content = Vec::with_capacity(object.info().size);
            loop {
                let read = self.part(object.read_buf(&mut content)).await?;
                if read.map_err(|error| self.unusable(error))? == 0 {
                    return Ok(Some(content));
                }
                // The size that the server stated need not be true.
                check_file(name, content.len(), most)?;
            }
        })
    }

    fn report(&self, worker: &WorkerReport) -> Result<(), QueueError> {
        check_word(&worker.name)?;
        let content = serde_json::to_vec(worker).map_err(|error| self.unusable(error))?;
        let subject = format!("errare.worker.{}", worker.name);
        self.wait(TIMEOUT, self.publish(subject, content))?;
        Ok(())
    }

    fn sign_off(&self, worker: &str) -> Result<(), QueueError> {
        check_word(worker)?;
        self.wait(TIMEOUT, async {
            let subject = format!("errare.worker.{worker}");
            let purged = self.workers.purge().filter(subject).await;
            purged.map_err(|error| self.unusable(error))?;
            Ok(())
        })
    }

    fn workers(&self) -> Result<Vec<WorkerReport>, QueueError> {
        let mut workers: Vec<WorkerReport> = Vec::new();
        let all = "errare.worker.*".to_owned();
        self.wait(
            TIMEOUT,
            self.read(&self.workers, all, 0, &mut |_, _, content| {
                // Ignore messages that are not reports.
                workers.extend(serde_json::from_slice::<WorkerReport>(content).ok());
                Ok(())
            }),
        )?;
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(workers)
    }
}
