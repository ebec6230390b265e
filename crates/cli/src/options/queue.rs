//! The options for the address of a job queue and for access to it.

use errare_service::{
    EngineChoice,
    fleet::{
        QueueChoice,
        shard::{self, Shard},
    },
};

use crate::prelude::*;

/// A queue.
#[derive(Debug, Clone, Args)]
pub(crate) struct QueueAccess {
    /// Credentials file for the NATS server
    #[arg(long, value_name = "FILE", requires = "queue")]
    queue_credentials: Option<PathBuf>,

    /// Certificate of the authority that signed the server's
    #[arg(long, value_name = "FILE", requires = "queue")]
    queue_certificate: Option<PathBuf>,

    /// Refuse a connection that is not encrypted
    #[arg(long, requires = "queue")]
    queue_tls: bool,
}

impl QueueAccess {
    fn choice(&self, address: &str) -> QueueChoice {
        QueueChoice {
            address: address.to_owned(),
            credentials: self.queue_credentials.clone(),
            token: environment("ERRARE_QUEUE_TOKEN").map(|it| it.to_string_lossy().into_owned()),
            certificate: self.queue_certificate.clone(),
            tls: self.queue_tls,
            ..QueueChoice::default()
        }
    }
}

/// The queue that is looked at or worked for.
#[derive(Debug, Clone, Args)]
pub(crate) struct TheQueue {
    /// The queue: nats://host:4222, tls://host:4222, or a file such as a study; $ERRARE_QUEUE_TOKEN is the token if the server asks for one
    #[arg(long, value_name = "QUEUE")]
    queue: String,

    #[command(flatten)]
    access: QueueAccess,
}

impl TheQueue {
    /// The queue.
    pub(crate) fn choice(&self) -> QueueChoice {
        self.access.choice(&self.queue)
    }
}

/// The queue whose workers do the work, if it is not done here.
#[derive(Debug, Clone, Args)]
pub(crate) struct QueueOptions {
    /// Have the workers of a queue do it: nats://host:4222, tls://host:4222, or a file such as the study
    #[arg(long, value_name = "QUEUE")]
    queue: Option<String>,

    #[command(flatten)]
    access: QueueAccess,

    /// Nobody waits for the work.
    #[arg(skip)]
    pub(crate) detached: bool,
}

impl QueueOptions {
    /// The queue, if there is one.
    pub(crate) fn choice(&self) -> Option<QueueChoice> {
        Some(QueueChoice {
            detach: self.detached,
            ..self.access.choice(self.queue.as_deref()?)
        })
    }

    /// Submit work from now on without waiting for it.
    pub(crate) fn detach(&mut self) -> Result<()> {
        if self.queue.is_none() {
            bail!("name the queue with --queue");
        }
        self.detached = true;
        Ok(())
    }
}

/// A share of the work.
#[derive(Debug, Clone, Args)]
pub(crate) struct ShardOption {
    /// Do only this share, such as 2/8, into a file (shard-2-of-8.jobs, or that of --queue); `errare jobs collect` merges the files
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
}

impl ShardOption {
    /// The queue of the share, if the option is given.
    pub(crate) fn choice(&self, queue: Option<QueueChoice>) -> Option<QueueChoice> {
        Some(self.shard?.queue(queue))
    }
}

/// Does the jobs in a share's file.
pub(crate) fn work_off(
    service: &Service,
    queue: &QueueChoice,
    engine: &EngineChoice,
) -> Result<()> {
    let done = watched(|watch| shard::work_off(service, queue, engine, watch))?;
    let (completed, file) = (done.completed, &queue.address);
    talk!(
        "{completed} jobs are done in {file}; `errare jobs collect` puts the files of all shares together"
    );
    Ok(())
}
