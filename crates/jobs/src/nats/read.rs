//! Reads and counts messages of a stream.

use std::{collections::BTreeSet, future::Future};

use async_nats::jetstream::{
    consumer::{AckPolicy, DeliverPolicy, PullConsumer, pull},
    message::StreamMessage,
    stream::{LastRawMessageErrorKind, Stream},
};
use futures::StreamExt;

use super::{NatsQueue, TIMEOUT};
use crate::{JobId, QueueError};

/// Messages read at once.
const PAGE: usize = 500;

impl NatsQueue {
    /// The number of messages in a stream that match the filter.
    pub(super) async fn count(&self, stream: &Stream, filter: String) -> Result<u64, QueueError> {
        let consumer = self.reader(stream, filter, 0).await?;
        let pending = consumer.cached_info().num_pending;
        self.dismiss(stream, &consumer).await;
        Ok(pending)
    }

    /// The last message of a stream with this subject, if there is one.
    pub(super) async fn last(
        &self,
        stream: &Stream,
        subject: &str,
    ) -> Result<Option<StreamMessage>, QueueError> {
        match stream.get_last_raw_message_by_subject(subject).await {
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => Ok(None),
            found => found.map(Some).map_err(|error| self.unusable(error)),
        }
    }

    /// A consumer of the matching messages of a stream after a sequence number. It lives in the server's memory: on disk it
    /// would cost more than the reading itself.
    pub(super) async fn reader(
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
    pub(super) async fn dismiss(&self, stream: &Stream, consumer: &PullConsumer) {
        let removed = stream.delete_consumer(&consumer.cached_info().name).await;
        if let Err(error) = removed {
            tracing::debug!(%error, "cannot remove a reader");
        }
    }

    /// Waits for a part of something that may take long in all. Unlike a request, a server that is gone leaves it unanswered.
    pub(super) async fn part<T>(&self, part: impl Future<Output = T>) -> Result<T, QueueError> {
        let part = tokio::time::timeout(TIMEOUT, part).await;
        part.map_err(|_| self.unusable("the request timed out"))
    }

    /// Calls `visit` with the subject, sequence number and content of each message of a stream after a sequence number.
    pub(super) async fn read(
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
            while let Some(message) = self.part(page.next()).await? {
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

    /// The ids of the jobs in a stream that match the filter.
    pub(super) async fn ids(
        &self,
        stream: &Stream,
        filter: String,
    ) -> Result<BTreeSet<JobId>, QueueError> {
        let info = stream.info_with_subjects(filter).await;
        let mut subjects = info.map_err(|error| self.unusable(error))?;
        let mut ids = BTreeSet::new();
        while let Some(subject) = subjects.next().await {
            let (subject, _) = subject.map_err(|error| self.unusable(error))?;
            ids.insert(id_of(&subject)?);
        }
        Ok(ids)
    }
}

/// The last part of a subject.
pub(super) fn id_of(subject: &str) -> Result<JobId, QueueError> {
    let id = subject.rsplit('.').next().unwrap_or_default();
    Ok(id.parse()?)
}
