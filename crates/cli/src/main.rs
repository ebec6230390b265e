//! `errare`, the command line.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Measures, predicts, imitates and exploits fallible play in chess.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    verb: Verb,
}

/// One variant, and one file, a verb.
#[derive(Subcommand)]
enum Verb {}

fn main() -> ExitCode {
    match Arguments::parse().verb {}
}
