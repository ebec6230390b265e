//! The option that limits the memory of a build.

use bytesize::ByteSize;
use clap::Args;

/// How much memory a build may use.
#[derive(Debug, Args)]
pub(crate) struct MemoryLimit {
    /// Memory that building tables may use, as in 3GiB or 512M [default: the free memory]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    memory: Option<ByteSize>,
}

impl MemoryLimit {
    /// The limit in bytes, if one was set.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.memory.map(|size| size.as_u64())
    }
}

fn size(text: &str) -> Result<ByteSize, &'static str> {
    text.parse().map_err(|_| "write it as 3GiB or 512M")
}
