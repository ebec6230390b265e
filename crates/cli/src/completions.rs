//! `errare completions`: what a shell needs to complete verbs and options.

use std::io;

use clap_complete::Shell;

use crate::prelude::*;

/// Writes completions for a shell to standard output
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The shell
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  errare completions bash > ~/.local/share/bash-completion/completions/errare
  errare completions zsh > ~/.zfunc/_errare
  errare completions fish > ~/.config/fish/completions/errare.fish";

/// Writes them.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let mut text = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::command(), "errare", &mut text);
    io::Write::write_all(&mut io::stdout().lock(), &text)?;
    Ok(ExitCode::SUCCESS)
}
