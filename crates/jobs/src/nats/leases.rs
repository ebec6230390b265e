//! Leases jobs, and keeps track of those that come back.

use std::sync::PoisonError;

use async_nats::jetstream::{
    self, AckKind,
    consumer::{AckPolicy, PullConsumer, pull},
};
use futures::StreamExt;
use serde::{Deserialize, Serialize};

use super::NatsQueue;
use crate::{
    Job, JobError, JobId, Lease, MOST_TRIES, QueueError,
    job::check_size,
    queue::{Attempts, Ticket},
};

/// Maximum number of workers waiting for a job of one kind. Beyond the default of 512 the server refuses requests, and a
/// thousand workers that finish at the same time keep asking again.
const MAX_WAITING: i64 = 1 << 16;
/// The server's refusal beyond that number, if the consumer was created with a lower one.
const TOO_MANY_WAIT: &str = "Exceeded MaxWaiting";

/// A job that a worker returned.
#[derive(Debug, Serialize, Deserialize)]
struct Returned {
    worker: String,
    /// Why it failed; none if the worker was prevented from doing it.
    reason: Option<String>,
}

impl NatsQueue {
    /// The consumer of jobs with these needs.
    pub(super) async fn consumer(&self, needs: &str) -> Result<PullConsumer, QueueError> {
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

    /// Leases a waiting job with these needs to a worker, if there is one.
    pub(super) async fn next(
        &self,
        needs: &str,
        worker: &str,
    ) -> Result<Option<Lease>, QueueError> {
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
            let Some((batch, id)) = place_of(&message.subject) else {
                tracing::warn!(subject = %message.subject, "removing a message that is not a job");
                self.end(&message, AckKind::Term).await?;
                continue;
            };
            let (sequence, delivery) = self.delivery(&message)?;
            if delivery > 1 && self.is_done(&batch, id).await? {
                // It was answered, but the acknowledgement was lost.
                self.end(&message, AckKind::Ack).await?;
                continue;
            }
            let earlier = self.earlier(&batch, id, sequence, delivery).await?;
            let reason = match job_of(needs, id, &message.payload) {
                Err(error) => error.to_string(),
                Ok(_) if earlier.silent >= MOST_TRIES => {
                    "every worker that had it fell silent".to_owned()
                }
                Ok(job) => {
                    return Ok(Some(Lease {
                        job,
                        batch,
                        worker: worker.to_owned(),
                        // Whoever created the consumer set it.
                        time: consumer.cached_info().config.ack_wait,
                        earlier,
                        ticket: Ticket::Nats(Box::new(message)),
                    }));
                }
            };
            self.bury(&batch, id, needs, &reason).await?;
            self.end(&message, AckKind::Term).await?;
        }
    }

    /// The sequence number of a message, and how often it was delivered.
    pub(super) fn delivery(&self, message: &jetstream::Message) -> Result<(u64, u32), QueueError> {
        let info = message.info().map_err(|error| self.unusable(error))?;
        let delivery = u32::try_from(info.delivered).unwrap_or(u32::MAX);
        Ok((info.stream_sequence, delivery))
    }

    /// The attempts at a job before this delivery. Deliveries that no worker has accounted for were silent.
    pub(super) async fn earlier(
        &self,
        batch: &str,
        id: JobId,
        sequence: u64,
        delivery: u32,
    ) -> Result<Attempts, QueueError> {
        let mut attempts = Attempts {
            silent: delivery.saturating_sub(1),
            failed: Vec::new(),
        };
        if attempts.silent > 0 {
            let filter = format!("errare.answer.back.{batch}.{id}.{sequence}.*");
            self.read(&self.answers, filter, 0, &mut |_, _, content| {
                if let Ok(returned) = serde_json::from_slice::<Returned>(content) {
                    attempts.silent = attempts.silent.saturating_sub(1);
                    attempts
                        .failed
                        .extend(returned.reason.map(|_| returned.worker));
                }
                Ok(())
            })
            .await?;
        }
        Ok(attempts)
    }

    /// Records that a worker returns a job.
    pub(super) async fn give_back(
        &self,
        lease: &Lease,
        reason: Option<&str>,
    ) -> Result<(), QueueError> {
        let (sequence, delivery) = self.delivery(self.message(lease)?)?;
        let (batch, id) = (&lease.batch, lease.job.id());
        let returned = Returned {
            worker: lease.worker.clone(),
            reason: reason.map(shortened),
        };
        let content = serde_json::to_vec(&returned).map_err(|error| self.unusable(error))?;
        let subject = format!("errare.answer.back.{batch}.{id}.{sequence}.{delivery}");
        self.publish(subject, content).await?;
        Ok(())
    }

    pub(super) async fn end(
        &self,
        message: &jetstream::Message,
        kind: AckKind,
    ) -> Result<(), QueueError> {
        let told = message.ack_with(kind).await;
        told.map_err(|error| self.unusable(error))
    }

    pub(super) async fn is_done(&self, batch: &str, id: JobId) -> Result<bool, QueueError> {
        let subject = format!("errare.answer.done.{batch}.{id}");
        Ok(self.last(&self.answers, &subject).await?.is_some())
    }

    pub(super) async fn bury(
        &self,
        batch: &str,
        id: JobId,
        needs: &str,
        reason: &str,
    ) -> Result<(), QueueError> {
        let content = format!("{needs}\n{}", shortened(reason));
        let subject = format!("errare.answer.dead.{batch}.{id}");
        self.publish(subject, content.into_bytes()).await?;
        Ok(())
    }

    pub(super) fn message<'a>(
        &self,
        lease: &'a Lease,
    ) -> Result<&'a jetstream::Message, QueueError> {
        match &lease.ticket {
            Ticket::Nats(message) => Ok(message),
            Ticket::Sqlite(_) => Err(QueueError::LeaseLost),
        }
    }
}

/// The batch and the identity of a job that is sent under this subject.
fn place_of(subject: &str) -> Option<(String, JobId)> {
    let parts: Vec<&str> = subject.split('.').collect();
    let ["errare", "jobs", _, batch, id] = parts[..] else {
        return None;
    };
    Some((batch.to_owned(), id.parse().ok()?))
}

/// Parses a message of the server into the job that its subject names.
fn job_of(needs: &str, id: JobId, payload: &[u8]) -> Result<Job, JobError> {
    check_size(payload.len())?;
    Job::claimed(id, needs, payload.to_vec())
}

/// A reason that fits into a message.
fn shortened(reason: &str) -> String {
    reason.chars().take(1000).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_checked() {
        let job = Job::new("double", b"7".to_vec()).unwrap();
        let subject = format!("errare.jobs.double.all.{}", job.id());
        let place = place_of(&subject).unwrap();
        assert_eq!(place, ("all".to_owned(), job.id()));
        assert_eq!(job_of("double", job.id(), b"7").unwrap(), job);
        assert!(job_of("double", job.id(), b"8").is_err(), "another content");
        assert!(job_of("halve", job.id(), b"7").is_err());
        assert!(place_of("errare.jobs.double.all").is_none());
        assert!(place_of("errare.jobs.double.all.7").is_none());
        let large = vec![0; crate::MOST_BYTES + 1];
        assert!(job_of("double", job.id(), &large).is_err());
    }
}
