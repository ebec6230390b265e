//! The option that limits the memory of a build.

use anyhow::{Context, Result};
use bytesize::ByteSize;
use clap::Args;
use sysinfo::System;

/// How much memory a build may use.
#[derive(Debug, Args)]
pub(crate) struct MemoryLimit {
    /// Memory that building tables may use, as in 3GiB or 512M [default: what is free]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<ByteSize>,
}

impl MemoryLimit {
    /// The limit in bytes.
    pub(crate) fn bytes(&self) -> Result<u64> {
        self.memory
            .map_or_else(free_memory, |size| Ok(size.as_u64()))
    }
}

fn size(text: &str) -> Result<ByteSize, &'static str> {
    text.parse().map_err(|_| "write it as 3GiB or 512M")
}

/// What the machine, or the container around the process, has free.
fn free_memory() -> Result<u64> {
    let mut system =
        System::new().context("cannot find out how much memory is free; say it with --memory")?;
    system.refresh_memory();
    let free = system.available_memory();
    Ok(system
        .cgroup_limits()
        .map_or(free, |limits| free.min(limits.free_memory)))
}
