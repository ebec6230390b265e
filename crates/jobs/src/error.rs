//! What can go wrong with a queue.

use errare_core::{Fault, FaultKind, Stopped};

use crate::JobError;

/// Why a queue cannot do what it was asked to.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The file or the server cannot be reached or does not answer.
    #[error("the queue {queue} cannot be used")]
    Unreachable {
        /// The file or the address.
        queue: String,
        /// What is wrong.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The server does not accept the name or the password.
    #[error("the server {queue} refused the credentials")]
    Refused {
        /// The address.
        queue: String,
    },
    /// The disk of the file or of the server is full.
    #[error("the queue {queue} has no room left; free disk space, then continue")]
    Full {
        /// The file or the address.
        queue: String,
    },
    /// There is no such file.
    #[error("there is no queue {0} yet; submitting work creates it")]
    Missing(String),
    /// The lease has run out, and somebody else may have the job.
    #[error("the lease of a job has run out")]
    LeaseLost,
    /// There is no such batch.
    #[error("the queue has no batch {0:?}")]
    NoSuchBatch(String),
    /// A job, or a message that claims to be one, is malformed.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The receiver could not take a result.
    #[error("a result cannot be recorded")]
    Record(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl QueueError {
    /// Whether the same request may succeed later.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        matches!(
            self,
            QueueError::Unreachable { .. } | QueueError::Full { .. }
        )
    }
}

impl Fault for QueueError {
    fn kind(&self) -> FaultKind {
        match self {
            QueueError::Unreachable { .. } | QueueError::Full { .. } | QueueError::Record(_) => {
                FaultKind::Internal
            }
            QueueError::Refused { .. } => FaultKind::BadRequest,
            QueueError::LeaseLost => FaultKind::Busy,
            QueueError::NoSuchBatch(_) | QueueError::Missing(_) => FaultKind::Missing,
            QueueError::Job(error) => error.kind(),
            QueueError::Stopped(stopped) => stopped.kind(),
        }
    }
}
