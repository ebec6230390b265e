//! Where tables come from: a directory, and the builder for what is missing there.

use anyhow::Result;
use clap::Args;
use errare_core::{Material, Metric};
use errare_tables::Store;

use crate::{building::build_missing, directory::Directory, memory::MemoryLimit};

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
    /// The tables, among them these if they may be built.
    pub(crate) fn open(&self, endgames: &[Material], metrics: &[Metric]) -> Result<Store> {
        let store = self.directory.open()?;
        if !self.no_build {
            build_missing(&store, endgames, metrics, &self.memory, |_| {})?;
        }
        Ok(store)
    }

    /// The bytes of memory that may be used.
    pub(crate) fn memory(&self) -> Result<u64> {
        self.memory.bytes()
    }
}
