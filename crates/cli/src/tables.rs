//! `errare tables`: making, looking at and checking tables.

pub(crate) mod build;
mod dump;
mod list;
mod remove;
mod stats;
mod verify;

use crate::prelude::*;

/// Builds, lists, counts, verifies, removes and dumps endgame tables
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

verbs! {
    Verb {
        Build => build,
        List => list,
        Stats => stats,
        Verify => verify,
        Remove => remove,
        Dump => dump,
    }
}

pub(crate) fn run(arguments: &mut Arguments) -> Result<ExitCode> {
    arguments.verb.run()
}
