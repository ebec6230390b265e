//! A queue on a NATS JetStream server, for any number of machines.
//!
//! Four streams hold waiting jobs (`errare.jobs.<needs>.<batch>.<id>`, a work queue, so acknowledged messages disappear),
//! answers and dead jobs (`errare.answer.done.<batch>.<id>`, `errare.answer.dead.<batch>.<id>`, where the first message of a
//! subject stays), descriptions of batches (`errare.batch.<batch>`, where the last stays), and workers' heartbeats
//! (`errare.worker.<name>`, dropped after a minute). An object store holds what is too large for a message. A lease is an
//! unacknowledged message; the server redelivers it after [`LEASE`](crate::LEASE) without a heartbeat.
//!
//! Uses only features of server version 2.9.

mod connect;

use std::{
    collections::{BTreeSet, HashMap},
    future::Future,
    io,
    sync::{LazyLock, Mutex, PoisonError},
    time::Duration,
};

use async_nats::jetstream::{
    self, AckKind, Context,
    consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull},
    object_store::ObjectStore,
    stream::Stream,
};
use futures::StreamExt;
use serde::{Deserialize, Serialize};
use tokio::{
    io::AsyncReadExt,
    runtime::{Builder, Runtime},
    sync::Notify,
};

pub use connect::Access;

use crate::{
    BatchProgress, DeadJob, Job, JobId, Lease, MOST_TRIES, Queue, QueueError, Worker, WorkerReport,
    job::{check_size, check_word},
    queue::Ticket,
};

/// Timeout for the server's replies.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The server's error for a second message with the same subject.
const ONE_A_SUBJECT: &str = "maximum messages per subject exceeded";
/// Messages read at once.
const PAGE: usize = 500;
/// Maximum number of workers waiting for a job of one kind. Beyond the default of 512 the server refuses requests, and a
/// thousand workers that finish at the same time keep asking again.
const MAX_WAITING: i64 = 1 << 16;
/// The server's refusal beyond that number, if the consumer was created with a lower one.
const TOO_MANY_WAIT: &str = "Exceeded MaxWaiting";
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
    lease: Duration,
    /// Consumers by what their jobs need.
    consumers: Mutex<HashMap<String, PullConsumer>>,
    /// Signalled when somebody submits jobs.
    bell: std::sync::Arc<Notify>,
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

    /// The number of messages in a stream that match the filter.
    async fn count(&self, stream: &Stream, filter: String) -> Result<u64, QueueError> {
        let consumer = self.reader(stream, filter, 0).await?;
        let pending = consumer.cached_info().num_pending;
        self.dismiss(stream, &consumer).await;
        Ok(pending)
    }

    /// A consumer of the matching messages of a stream after a sequence number. It lives in the server's memory: on disk it
    /// would cost more than the reading itself.
    async fn reader(
        &self,
        stream: &Stream,
        filter: String,
        after: u64,
    ) -> Result<PullConsumer, QueueError> {
        let config = pull::Config {
            filter_subject: filter,
            ack_policy: AckPolicy::None,
            inactive_threshold: TIMEOUT,
            memory_storage: true,
            deliver_policy: DeliverPolicy::ByStartSequence {
                start_sequence: after + 1,
            },
            ..pull::Config::default()
        };
        let consumer = stream.create_consumer(config).await;
        consumer.map_err(|error| self.unusable(error))
    }

    /// Removes a reader. If that fails, the server drops it by itself before long.
    async fn dismiss(&self, stream: &Stream, consumer: &PullConsumer) {
        let removed = stream.delete_consumer(&consumer.cached_info().name).await;
        if let Err(error) = removed {
            tracing::debug!(%error, "cannot remove a reader");
        }
    }

    /// Calls `visit` with the subject, sequence number and content of each message of a stream after a sequence number.
    async fn read(
        &self,
        stream: &Stream,
        filter: String,
        after: u64,
        visit: &mut dyn FnMut(&str, u64, &[u8]) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        let consumer = self.reader(stream, filter, after).await?;
        let mut left = consumer.cached_info().num_pending;
        while left > 0 {
            let page = consumer.fetch().max_messages(PAGE).messages().await;
            let mut page = page.map_err(|error| self.unusable(error))?;
            let before = left;
            while let Some(message) = page.next().await {
                let message = message.map_err(|error| self.unusable(error))?;
                let sequence = message
                    .info()
                    .map_err(|error| self.unusable(error))?
                    .stream_sequence;
                visit(message.subject.as_str(), sequence, &message.payload)?;
                // More may have arrived since they were counted.
                left = left.saturating_sub(1);
            }
            if left == before {
                break;
            }
        }
        self.dismiss(stream, &consumer).await;
        Ok(())
    }

    /// The consumer of jobs with these needs.
    async fn consumer(&self, needs: &str) -> Result<PullConsumer, QueueError> {
        let lock = || {
            self.consumers
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(consumer) = lock().get(needs) {
            return Ok(consumer.clone());
        }
        let name = format!("errare-{needs}");
        let consumer = self.jobs.get_or_create_consumer(
            &name,
            pull::Config {
                durable_name: Some(name.clone()),
                filter_subject: format!("errare.jobs.{needs}.>"),
                ack_policy: AckPolicy::Explicit,
                ack_wait: self.lease,
                max_ack_pending: -1,
                max_waiting: MAX_WAITING,
                ..pull::Config::default()
            },
        );
        let consumer = consumer.await.map_err(|error| self.unusable(error))?;
        lock().insert(needs.to_owned(), consumer.clone());
        Ok(consumer)
    }

    /// Leases a waiting job with these needs, if there is one.
    async fn next(&self, needs: &str) -> Result<Option<Lease>, QueueError> {
        loop {
            let consumer = self.consumer(needs).await?;
            let page = consumer.fetch().max_messages(1).messages().await;
            let mut page = page.map_err(|error| self.unusable(error))?;
            let Some(message) = page.next().await else {
                return Ok(None);
            };
            let message = match message {
                Err(error) if error.to_string().contains(TOO_MANY_WAIT) => return Ok(None),
                message => message.map_err(|error| self.unusable(error))?,
            };
            let delivered = message.info().map_err(|error| self.unusable(error))?;
            let tries = u32::try_from(delivered.delivered).unwrap_or(u32::MAX);
            match job_of(&message.subject, &message.payload) {
                Ok((job, batch)) => {
                    if tries > 1 && self.is_done(&batch, job.id()).await? {
                        // It was answered, but the acknowledgement was lost.
                        self.end(&message, AckKind::Ack).await?;
                    } else if tries > MOST_TRIES {
                        let reason = "every worker that had it fell silent";
                        self.bury(&batch, &job, reason).await?;
                        self.end(&message, AckKind::Term).await?;
                    } else {
                        return Ok(Some(Lease {
                            job,
                            batch,
                            tries,
                            ticket: Ticket::Nats(Box::new(message)),
                        }));
                    }
                }
                Err(error) => {
                    tracing::warn!(subject = %message.subject, %error, "removing a message that is not a job");
                    self.end(&message, AckKind::Term).await?;
                }
            }
        }
    }

    async fn end(&self, message: &jetstream::Message, kind: AckKind) -> Result<(), QueueError> {
        let told = message.ack_with(kind).await;
        told.map_err(|error| self.unusable(error))
    }

    async fn is_done(&self, batch: &str, id: JobId) -> Result<bool, QueueError> {
        let filter = format!("errare.answer.done.{batch}.{id}");
        Ok(self.count(&self.answers, filter).await? > 0)
    }

    /// The ids of the jobs in a stream that match the filter.
    async fn ids(&self, stream: &Stream, filter: String) -> Result<BTreeSet<JobId>, QueueError> {
        let info = stream.info_with_subjects(filter).await;
        let mut subjects = info.map_err(|error| self.unusable(error))?;
        let mut ids = BTreeSet::new();
        while let Some(subject) = subjects.next().await {
            let (subject, _) = subject.map_err(|error| self.unusable(error))?;
            ids.insert(id_of(&subject)?);
        }
        Ok(ids)
    }

    async fn batch(&self, batch: &str) -> Result<Batch, QueueError> {
        let subject = format!("errare.batch.{batch}");
        let mut found = None;
        self.read(&self.batches, subject, 0, &mut |_, _, content| {
            found = serde_json::from_slice(content).ok();
            Ok(())
        })
        .await?;
        found.ok_or_else(|| QueueError::NoSuchBatch(batch.to_owned()))
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

    async fn bury(&self, batch: &str, job: &Job, reason: &str) -> Result<(), QueueError> {
        let reason: String = reason.chars().take(1000).collect();
        let content = format!("{}\n{reason}", job.needs());
        self.publish(
            format!("errare.answer.dead.{batch}.{}", job.id()),
            content.into_bytes(),
        )
        .await?;
        Ok(())
    }

    fn message<'a>(&self, lease: &'a Lease) -> Result<&'a jetstream::Message, QueueError> {
        match &lease.ticket {
            Ticket::Nats(message) => Ok(message),
            Ticket::Sqlite(_) => Err(QueueError::LeaseLost),
        }
    }
}

/// Parses a message of the server into a job and its batch.
fn job_of(subject: &str, payload: &[u8]) -> Result<(Job, String), QueueError> {
    let parts: Vec<&str> = subject.split('.').collect();
    let ["errare", "jobs", needs, batch, id] = parts[..] else {
        return Err(crate::JobError::Changed.into());
    };
    check_size(payload.len())?;
    let job = Job::claimed(id.parse()?, needs, payload.to_vec())?;
    Ok((job, batch.to_owned()))
}

/// The last part of a subject.
fn id_of(subject: &str) -> Result<JobId, QueueError> {
    let id = subject.rsplit('.').next().unwrap_or_default();
    Ok(id.parse()?)
}

impl Queue for NatsQueue {
    fn address(&self) -> &str {
        &self.address
    }

    fn spans_hosts(&self) -> bool {
        true
    }

    fn lease_time(&self) -> Duration {
        self.lease
    }

    fn submit(&self, batch: &str, about: &[u8], jobs: &[Job]) -> Result<(), QueueError> {
        check_word(batch)?;
        check_size(about.len())?;
        self.runtime.block_on(async {
            let of = |kind: &str| format!("errare.{kind}.{batch}.*");
            // Dead jobs are tried again.
            let dead = self.answers.purge().filter(of("answer.dead"));
            dead.await.map_err(|error| self.unusable(error))?;
            // Waiting jobs first: one that is completed in between is then counted, not missed.
            let mut known = self.ids(&self.jobs, of("jobs.*")).await?;
            known.extend(self.ids(&self.answers, of("answer.done")).await?);
            let new: Vec<&Job> = jobs
                .iter()
                .filter(|job| !known.contains(&job.id()))
                .collect();
            known.extend(new.iter().map(|job| job.id()));
            // The number of jobs comes first, so that nobody takes a part for the whole.
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
                if let Some(lease) = self.next(needs).await? {
                    return Ok(Some(lease));
                }
            }
            Ok(None)
        };
        let found = self.wait(TIMEOUT, async {
            // Listen for the bell before polling, so that no job submitted in between is missed.
            let rung = self.bell.notified();
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
        let message = self.message(lease)?;
        self.wait(TIMEOUT, async {
            let subject = format!("errare.answer.done.{}.{}", lease.batch, lease.job.id());
            self.publish(subject, result.to_vec()).await?;
            // Acknowledge only now: if the worker dies in between, the job is repeated with the same answer.
            self.end(message, AckKind::Ack).await
        })
    }

    fn fail(&self, lease: &Lease, reason: &str) -> Result<(), QueueError> {
        let message = self.message(lease)?;
        self.wait(TIMEOUT, async {
            let kind = match lease.tries >= MOST_TRIES {
                true => {
                    self.bury(&lease.batch, &lease.job, reason).await?;
                    AckKind::Term
                }
                false => AckKind::Nak(None),
            };
            self.end(message, kind).await
        })
    }

    fn progress(&self, batch: &str) -> Result<BatchProgress, QueueError> {
        self.wait(TIMEOUT, async {
            let about = self.batch(batch).await?;
            let done = format!("errare.answer.done.{batch}.*");
            let dead = format!("errare.answer.dead.{batch}.*");
            Ok(BatchProgress {
                jobs: about.jobs,
                done: self.count(&self.answers, done).await?,
                dead: match self.count(&self.answers, dead).await? {
                    0 => 0,
                    _ => self.given_up(batch).await?.len() as u64,
                },
            })
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
            let purges = [
                (&self.jobs, format!("errare.jobs.*.{batch}.*")),
                (&self.answers, format!("errare.answer.*.{batch}.*")),
                (&self.batches, format!("errare.batch.{batch}")),
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
        self.runtime.block_on(async {
            let put = self.files.put(name, &mut &*content).await;
            put.map_err(|error| self.unusable(error))?;
            Ok(())
        })
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, QueueError> {
        use async_nats::jetstream::object_store::GetErrorKind;
        self.runtime.block_on(async {
            let mut object = match self.files.get(name).await {
                Ok(object) => object,
                Err(error) if error.kind() == GetErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(self.unusable(error)),
            };
            let mut content = Vec::new();
            let read = object.read_to_end(&mut content).await;
            read.map_err(|error| self.unusable(error))?;
            Ok(Some(content))
        })
    }

    fn report(&self, worker: &WorkerReport) -> Result<(), QueueError> {
        check_word(&worker.name)?;
        let content = serde_json::to_vec(worker).map_err(|error| self.unusable(error))?;
        let subject = format!("errare.worker.{}", worker.name);
        self.wait(TIMEOUT, self.publish(subject, content))?;
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_checked() {
        let job = Job::new("double", b"7".to_vec()).unwrap();
        let subject = format!("errare.jobs.double.all.{}", job.id());
        assert_eq!(job_of(&subject, b"7").unwrap(), (job, "all".to_owned()));
        assert!(job_of(&subject, b"8").is_err(), "another content");
        assert!(job_of(&subject.replace("double", "halve"), b"7").is_err());
        assert!(job_of("errare.jobs.double.all", b"7").is_err());
        assert!(job_of(&subject, &vec![0; crate::MOST_BYTES + 1]).is_err());
    }
}
