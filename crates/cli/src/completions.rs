//! `errare completions`: what a shell needs to complete verbs and options.

use clap_complete::Shell;

use crate::prelude::*;

/// Writes completions for a shell to standard output
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::command(), "errare", &mut text);
    io::stdout().lock().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}
