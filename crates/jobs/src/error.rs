//! Errors of queues.

use errare_core::{Fault, FaultKind, Stopped};

use crate::JobError;

/// Why a queue operation failed.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The file or server cannot be reached or does not answer.
    #[error("the queue {queue} cannot be used")]
    Unreachable {
        /// The file or the address.
        queue: String,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The server rejected the name or password.
    #[error("the server {queue} refused the credentials")]
    Refused {
        /// The address.
        queue: String,
    },
    /// The disk that holds the file or the server's data is full.
    #[error("the queue {queue} has no room left; free disk space, then continue")]
    Full {
        /// The file or the address.
        queue: String,
    },
    /// The server holds the connection open but its storage does not respond.
    #[error(
        "the server {queue} is connected, but its storage does not answer: its disk may be full, or it has too much to do; \
         look at its log and its disk, and restart it if the disk was full"
    )]
    Silent {
        /// The address.
        queue: String,
    },
    /// A file in the queue is larger than the reader allows.
    #[error("the file {name} in the queue has {bytes} bytes, more than the {most} allowed")]
    FileTooLarge {
        /// Its name.
        name: String,
        /// Its size.
        bytes: usize,
        /// The maximum.
        most: usize,
    },
    /// The file does not exist.
    #[error("there is no queue {0} yet; submitting work creates it")]
    Missing(String),
    /// The lease has expired, and another worker may have the job.
    #[error("the lease of a job has expired")]
    LeaseLost,
    /// No batch has this name.
    #[error("the queue has no batch {0:?}")]
    NoSuchBatch(String),
    /// A job, or a message that claims to be one, is malformed.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The receiver failed to record a result.
    #[error("a result cannot be recorded")]
    Record(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl QueueError {
    /// Might the same request succeed later?
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            QueueError::Unreachable { .. } | QueueError::Full { .. } | QueueError::Silent { .. }
        )
    }
}

impl Fault for QueueError {
    fn kind(&self) -> FaultKind {
        match self {
            QueueError::Unreachable { .. }
            | QueueError::Full { .. }
            | QueueError::Silent { .. }
            | QueueError::Record(_) => FaultKind::Internal,
            QueueError::Refused { .. } => FaultKind::BadRequest,
            QueueError::FileTooLarge { .. } => FaultKind::Damaged,
            QueueError::LeaseLost => FaultKind::Busy,
            QueueError::NoSuchBatch(_) | QueueError::Missing(_) => FaultKind::Missing,
            QueueError::Job(error) => error.kind(),
            QueueError::Stopped(stopped) => stopped.kind(),
        }
    }
}
