//! `--verbose`: what the libraries do, on standard error.

use std::io;

use clap::{ArgAction, Args};
use tracing::Level;

/// How much the libraries say about what they are doing.
#[derive(Debug, Args)]
pub(crate) struct Verbosity {
    /// Say on standard error what is being done; twice or three times for more
    #[arg(short, long, global = true, action = ArgAction::Count, display_order = 900)]
    verbose: u8,
}

impl Verbosity {
    /// Starts logging to standard error.
    pub(crate) fn begin(&self) {
        let level = match self.verbose {
            0 => return,
            1 => Level::INFO,
            2 => Level::DEBUG,
            _ => Level::TRACE,
        };
        tracing_subscriber::fmt()
            .with_max_level(level)
            .with_writer(io::stderr)
            .log_internal_errors(false)
            .init();
    }
}
