//! `errare`, the command line.

mod minimax;

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
enum Verb {
    /// Random minimaxing: move probabilities from mobility alone.
    Minimax(minimax::Arguments),
}

/// The exit code of a usage or runtime error; 1 means that the answer is no.
const FAILURE: u8 = 2;

fn main() -> ExitCode {
    let outcome = match Arguments::parse().verb {
        Verb::Minimax(arguments) => minimax::run(arguments),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("errare: {error:#}");
        ExitCode::from(FAILURE)
    })
}
