//! `errare serve` in a program built without the workbench: says how to get it.

use crate::prelude::*;

/// Serves the workbench: practise, explore and analyse in the browser, and an HTTP API
///
/// This program was built without it. `cargo xtask serve` builds and starts it;
/// `cargo install --path crates/cli` installs a program that has it.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    options: Vec<String>,
}

pub(crate) fn run(_: &Arguments) -> Result<ExitCode> {
    bail!(
        "this errare was built without the workbench; run `cargo xtask serve`, or build errare with its default features"
    )
}
