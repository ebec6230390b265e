//! The address of a queue, and its credentials.

use std::{path::PathBuf, time::Duration};

use errare_jobs::{LEASE, Queue, SqliteQueue};

use super::shard::Shard;
use crate::Error;

/// A queue: a file shared by processes of this machine, or a server.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct QueueChoice {
    /// `nats://host:4222` or `tls://host:4222`, or a file, which may be a study.
    pub address: String,
    /// A credentials file of the server.
    pub credentials: Option<PathBuf>,
    /// A token.
    pub token: Option<String>,
    /// The certificate of the authority that signed the server's certificate.
    pub certificate: Option<PathBuf>,
    /// Refuse unencrypted connections?
    pub tls: bool,
    /// The lease time: seconds that a job belongs to a worker that sends no heartbeat; 60 if
    /// missing.
    pub lease: Option<u64>,
    /// Submit without waiting?
    pub detach: bool,
    /// The percentage of evaluations that another worker repeats.
    pub audit: u8,
    /// Submit only this share, for systems without a server.
    pub shard: Option<Shard>,
}

impl QueueChoice {
    /// Opens the queue; a file is created if necessary.
    pub fn open(&self) -> Result<Box<dyn Queue>, Error> {
        self.connect(SqliteQueue::open)
    }

    /// Opens an existing queue.
    pub fn open_existing(&self) -> Result<Box<dyn Queue>, Error> {
        self.connect(SqliteQueue::open_existing)
    }

    fn lease_time(&self) -> Duration {
        self.lease.map_or(LEASE, Duration::from_secs)
    }

    fn connect(
        &self,
        file: impl FnOnce(&std::path::Path) -> Result<SqliteQueue, errare_jobs::QueueError>,
    ) -> Result<Box<dyn Queue>, Error> {
        if self.is_server() {
            return self.server();
        }
        let queue = file(self.address.as_ref())?;
        Ok(Box::new(queue.with_lease(self.lease_time())))
    }

    fn is_server(&self) -> bool {
        self.address.contains("://")
    }

    #[cfg(feature = "nats")]
    fn server(&self) -> Result<Box<dyn Queue>, Error> {
        let access = errare_jobs::NatsAccess {
            credentials: self.credentials.clone(),
            token: self.token.clone(),
            certificate: self.certificate.clone(),
            require_tls: self.tls || self.address.starts_with("tls://"),
        };
        let queue =
            errare_jobs::NatsQueue::connect_with_lease(&self.address, &access, self.lease_time())?;
        Ok(Box::new(queue))
    }

    #[cfg(not(feature = "nats"))]
    fn server(&self) -> Result<Box<dyn Queue>, Error> {
        Err(Error::bad_request(format!(
            "this program was built without NATS and cannot use {}; a file works",
            self.address
        )))
    }
}
