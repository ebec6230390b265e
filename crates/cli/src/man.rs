//! `errare man`: manual pages.

use std::fs;

use clap::Command;
use clap_mangen::Man;

use crate::prelude::*;

/// Writes manual pages, one for each verb
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The directory, created if missing
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let directory = &arguments.directory;
    let mut command = crate::command().disable_help_subcommand(true);
    command.build();
    fs::create_dir_all(directory)
        .map_err(Into::into)
        .and_then(|()| write(&command, directory))
        .with_context(|| format!("cannot write manual pages to {}", directory.display()))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the pages of a command and all its subcommands.
fn write(command: &Command, directory: &Path) -> Result<()> {
    let source = concat!("Errare ", env!("CARGO_PKG_VERSION"));
    let page = Man::new(command.clone()).source(source);
    let mut text = Vec::new();
    page.render(&mut text)?;
    // The renderer titles the text after the options EXTRA; it holds the examples.
    let text = String::from_utf8(text)?
        .replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n")
        .replace(".SH EXTRA\nExample:\n", ".SH EXAMPLES\n");
    errare_core::write_file(&directory.join(page.get_filename()), text.as_bytes())?;
    let below = command.get_subcommands().filter(|it| !it.is_hide_set());
    below.into_iter().try_for_each(|it| write(it, directory))
}
