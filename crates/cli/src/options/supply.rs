//! Where tables come from: a directory, and the builder for what is missing there.

use anyhow::Result;
use clap::Args;
use errare_service::Service;

use super::{directory::Directory, memory::MemoryLimit};

/// Tables, built on the spot where they are missing.
#[derive(Debug, Args)]
pub(crate) struct Supply {
    /// Do not build tables that are missing
    #[arg(long)]
    no_build: bool,

    #[command(flatten)]
    directory: Directory,

    #[command(flatten)]
    memory: MemoryLimit,
}

impl Supply {
    /// The service that answers requests with these tables.
    pub(crate) fn service(&self) -> Result<Service> {
        service(&self.directory, &self.memory, !self.no_build)
    }
}

/// The service over a directory of tables that only uses what is there.
pub(crate) fn service_without_building(directory: &Directory) -> Result<Service> {
    let tables = errare_service::Supply::new(directory.open()?).without_building();
    Ok(Service { tables })
}

/// The service over a directory of tables, which builds what is missing if it may.
pub(crate) fn service(
    directory: &Directory,
    memory: &MemoryLimit,
    builds: bool,
) -> Result<Service> {
    let mut tables = errare_service::Supply::new(directory.open()?);
    if let Some(bytes) = memory.limit() {
        tables = tables.with_memory(bytes);
    }
    if !builds {
        tables = tables.without_building();
    }
    Ok(Service { tables })
}
