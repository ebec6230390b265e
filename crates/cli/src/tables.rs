//! `errare tables`: making, looking at and checking tables.

pub(crate) mod build;
mod dump;
mod list;
mod remove;
mod stats;
mod verify;

use crate::prelude::*;

/// Builds, lists, counts, verifies, removes and dumps endgame tables
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

/// One variant, and one file, a verb.
#[derive(Debug, Subcommand)]
enum Verb {
    Build(build::Arguments),
    List(list::Arguments),
    Stats(stats::Arguments),
    Verify(verify::Arguments),
    Remove(remove::Arguments),
    Dump(dump::Arguments),
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.verb {
        Verb::Build(arguments) => build::run(arguments),
        Verb::List(arguments) => list::run(arguments),
        Verb::Stats(arguments) => stats::run(arguments),
        Verb::Verify(arguments) => verify::run(arguments),
        Verb::Remove(arguments) => remove::run(arguments),
        Verb::Dump(arguments) => dump::run(arguments),
    }
}
