//! Connects to a NATS server and creates its streams.

use std::{error::Error, path::PathBuf, sync::Arc, time::Duration};

use async_nats::{
    ConnectErrorKind, ConnectOptions, SubscribeError,
    connection::State,
    jetstream::{
        self, Context, object_store,
        stream::{Config, DiscardPolicy, RetentionPolicy, Stream},
    },
};
use futures::StreamExt;
use tokio::{
    sync::{Notify, futures::Notified},
    task::AbortHandle,
};

use super::{NatsQueue, RUNTIME, TIMEOUT};
use crate::{LEASE, MOST_BYTES, QueueError, queue::LISTED};

/// The subject of the message that notifies workers of new jobs.
pub(super) const BELL: &str = "errare.bell";

/// How long the server keeps files of matches, fits and tables.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

/// Credentials and TLS settings.
#[derive(Debug, Clone, Default)]
pub struct NatsAccess {
    /// A credentials file.
    pub credentials: Option<PathBuf>,
    /// A token.
    pub token: Option<String>,
    /// The certificate of the authority that signed the server's certificate.
    pub certificate: Option<PathBuf>,
    /// Refuse unencrypted connections?
    pub require_tls: bool,
}

impl std::fmt::Debug for NatsQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NatsQueue")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl NatsQueue {
    /// Connects to a server and creates missing streams.
    pub fn connect(address: &str, access: &NatsAccess) -> Result<NatsQueue, QueueError> {
        NatsQueue::connect_with_lease(address, access, LEASE)
    }

    /// Like [`NatsQueue::connect`] with another lease time. The first worker that asks for jobs of a kind sets it for
    /// all; [`Lease::time`](crate::Lease::time) is the one in force.
    pub fn connect_with_lease(
        address: &str,
        access: &NatsAccess,
        lease: Duration,
    ) -> Result<NatsQueue, QueueError> {
        let runtime = RUNTIME
            .as_ref()
            .map_err(|error| unusable(&public(address), None, error.to_string()))?;
        runtime.block_on(async {
            let context = connect(address, access).await?;
            let address = public(address);
            let streams = Streams {
                context: &context,
                address: &address,
            };
            let bell = Bell::hang(&context).await;
            let bell = bell.map_err(|error| unusable(&address, Some(&context), error))?;
            Ok(NatsQueue {
                runtime,
                jobs: streams.jobs().await?,
                answers: streams.answers().await?,
                batches: streams
                    .last("ERRARE_BATCHES", "errare.batch.*", Duration::ZERO)
                    .await?,
                workers: streams
                    .last("ERRARE_WORKERS", "errare.worker.*", LISTED)
                    .await?,
                files: streams.files().await?,
                lease,
                consumers: Default::default(),
                bell,
                context,
                address,
            })
        })
    }
}

/// Rings when somebody submits jobs.
pub(super) struct Bell {
    rung: Arc<Notify>,
    listener: AbortHandle,
}

impl Bell {
    async fn hang(context: &Context) -> Result<Bell, SubscribeError> {
        let rung = Arc::new(Notify::new());
        let mut heard = context.client().subscribe(BELL).await?;
        let ring = Arc::clone(&rung);
        let listener = tokio::spawn(async move {
            while heard.next().await.is_some() {
                ring.notify_waiters();
            }
        });
        Ok(Bell {
            rung,
            listener: listener.abort_handle(),
        })
    }

    /// Waits for the next ring.
    pub(super) fn rung(&self) -> Notified<'_> {
        self.rung.notified()
    }
}

/// The listener's subscription would keep the connection open for ever.
impl Drop for Bell {
    fn drop(&mut self) {
        self.listener.abort();
    }
}

/// The address without its password, if any.
fn public(address: &str) -> String {
    match (address.split_once("://"), address.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        _ => address.to_owned(),
    }
}

async fn connect(address: &str, access: &NatsAccess) -> Result<Context, QueueError> {
    let name = public(address);
    let mut options = ConnectOptions::new()
        .name("errare")
        .connection_timeout(TIMEOUT)
        .request_timeout(Some(TIMEOUT));
    if let Some(token) = &access.token {
        options = options.token(token.clone());
    }
    let mut host = address.to_owned();
    if let Some((before, after)) = address.split_once("://")
        && let Some((who, server)) = after.rsplit_once('@')
    {
        host = format!("{before}://{server}");
        options = match who.split_once(':') {
            Some((user, password)) => options.user_and_password(user.into(), password.into()),
            None => options.token(who.to_owned()),
        };
    }
    if let Some(file) = &access.credentials {
        let read = options.credentials_file(file).await;
        options = read.map_err(|error| {
            let text = format!("cannot read the credentials {}: {error}", file.display());
            unusable(&name, None, text)
        })?;
    }
    if let Some(certificate) = &access.certificate {
        std::fs::File::open(certificate).map_err(|error| {
            let text = format!(
                "cannot read the certificate {}: {error}",
                certificate.display()
            );
            unusable(&name, None, text)
        })?;
        options = options.add_root_certificates(certificate.clone());
    }
    let connected = options.require_tls(access.require_tls).connect(host).await;
    let client = connected.map_err(|error| match error.kind() {
        ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication => {
            QueueError::Refused {
                queue: name.clone(),
            }
        }
        _ => unusable(&name, None, error),
    })?;
    Ok(jetstream::new(client))
}

/// Converts a server error to one of ours; `context` is the connection, if there is one.
///
/// A 2.9 server whose disk is full hangs in its storage: connections stay open, but no request is answered.
pub(super) fn unusable(
    address: &str,
    context: Option<&Context>,
    error: impl Into<Box<dyn Error + Send + Sync>>,
) -> QueueError {
    let source = error.into();
    let text = format!("{source} {source:?}");
    let queue = address.to_owned();
    let says = |signs: &[&str]| signs.iter().any(|sign| text.contains(sign));
    let connected =
        context.is_some_and(|context| context.client().connection_state() == State::Connected);
    if says(&[
        "nsufficient resources",
        "nsufficient storage",
        "no space left",
        "maximum bytes",
    ]) {
        QueueError::Full { queue }
    } else if connected && says(&["timed out", "TimedOut"]) {
        QueueError::Silent { queue }
    } else {
        // The client's errors print their causes themselves.
        let source = match source.to_string() {
            _ if says(&["timed out", "TimedOut"]) => "the server does not answer".to_owned(),
            // The answer to an encrypted greeting is in plain text.
            _ if says(&["InvalidContentType"]) => "the server does not encrypt".to_owned(),
            text if says(&["invalid peer certificate"]) => {
                format!("{text}; its certificate must be signed by the authority that was named")
            }
            text => text,
        };
        QueueError::Unreachable {
            queue,
            source: source.into(),
        }
    }
}

/// The streams of a server; missing ones are created.
struct Streams<'a> {
    context: &'a Context,
    address: &'a str,
}

impl Streams<'_> {
    async fn made(&self, config: Config) -> Result<Stream, QueueError> {
        let stream = self.context.get_or_create_stream(config).await;
        stream.map_err(|error| unusable(self.address, Some(self.context), error))
    }

    /// A stream that keeps the first message of each subject.
    fn first(name: &str, subjects: &str) -> Config {
        Config {
            name: name.to_owned(),
            subjects: vec![subjects.to_owned()],
            max_messages_per_subject: 1,
            max_message_size: MOST_BYTES as i32,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            ..Config::default()
        }
    }

    async fn jobs(&self) -> Result<Stream, QueueError> {
        self.made(Config {
            retention: RetentionPolicy::WorkQueue,
            ..Streams::first("ERRARE_JOBS", "errare.jobs.>")
        })
        .await
    }

    async fn answers(&self) -> Result<Stream, QueueError> {
        self.made(Streams::first("ERRARE_ANSWERS", "errare.answer.>"))
            .await
    }

    /// A stream that keeps the last message of each subject for this long; forever if zero.
    async fn last(&self, name: &str, subjects: &str, age: Duration) -> Result<Stream, QueueError> {
        self.made(Config {
            name: name.to_owned(),
            subjects: vec![subjects.to_owned()],
            max_messages_per_subject: 1,
            // The description of a batch is encoded as a list of numbers, up to four times its size.
            max_message_size: 8 * MOST_BYTES as i32,
            max_age: age,
            ..Config::default()
        })
        .await
    }

    async fn files(&self) -> Result<object_store::ObjectStore, QueueError> {
        if let Ok(store) = self.context.get_object_store("ERRARE").await {
            return Ok(store);
        }
        let config = object_store::Config {
            bucket: "ERRARE".to_owned(),
            max_age: KEPT,
            ..object_store::Config::default()
        };
        let made = self.context.create_object_store(config).await;
        made.map_err(|error| unusable(self.address, Some(self.context), error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_shown() {
        assert_eq!(public("nats://user:secret@host:4222"), "nats://host:4222");
        assert_eq!(public("tls://host"), "tls://host");
        assert_eq!(public("user:secret@host"), "host");
    }
}
