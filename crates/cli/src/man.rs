//! `errare man`: manual pages.

use std::fs;

use crate::prelude::*;

/// Writes manual pages, one for each verb
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  errare man ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// The directory, which is made if there is none
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Writes them.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let directory = &arguments.directory;
    fs::create_dir_all(directory)
        .and_then(|()| clap_mangen::generate_to(crate::command(), directory))
        .with_context(|| format!("cannot write manual pages to {}", directory.display()))?;
    Ok(ExitCode::SUCCESS)
}
