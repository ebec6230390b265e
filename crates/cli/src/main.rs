//! `errare`, the command line: one file a verb, thin faces over the libraries.
//!
//! Standard output is data, standard error is talk. Exit codes: 0 done, 1 the answer is no, 2 usage
//! or runtime error, 130 interrupted.

#[macro_use]
mod talk;

mod advise;
mod analyse;
mod board;
mod building;
mod calibrate;
mod calibrating;
mod chart;
mod competence;
mod curves;
mod difficulty;
mod directory;
mod doctor;
mod engine;
mod evaluate;
mod evaluating;
mod export;
mod files;
mod fit;
mod games;
mod interrupt;
mod line;
mod markov;
mod matches;
mod memory;
mod minimax;
mod model;
mod modelling;
mod output;
mod page;
mod pgn;
mod players;
mod practice;
mod predict;
mod probe;
mod progress;
mod question;
mod rate;
mod screen;
mod spread;
mod supply;
mod tables;
mod viewing;
mod words;

use std::{error::Error, io, process::ExitCode};

use anyhow::Result;
use clap::{Parser, Subcommand};
use errare_tables::BuildError;

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
    Probe(probe::Arguments),
    Line(line::Arguments),
    Tables(tables::Arguments),
    Analyse(analyse::Arguments),
    Advise(advise::Arguments),
    Match(matches::Arguments),
    Practice(practice::Arguments),
    Predict(predict::Arguments),
    Difficulty(difficulty::Arguments),
    Markov(markov::Arguments),
    Evaluate(evaluate::Arguments),
    Export(export::Arguments),
    Fit(fit::Arguments),
    Calibrate(calibrate::Arguments),
    Rate(rate::Arguments),
    Screen(screen::Arguments),
    Doctor(doctor::Arguments),
    /// Random minimaxing: move probabilities from mobility alone.
    Minimax(minimax::Arguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    interrupt::catch();
    let done = run(arguments.verb);
    interrupt::give_way();
    done.unwrap_or_else(|error| failure(&error))
}

fn run(verb: Verb) -> Result<ExitCode> {
    match verb {
        Verb::Probe(arguments) => probe::run(&arguments),
        Verb::Line(arguments) => line::run(&arguments),
        Verb::Tables(arguments) => tables::run(&arguments),
        Verb::Analyse(arguments) => analyse::run(&arguments),
        Verb::Advise(arguments) => advise::run(&arguments),
        Verb::Match(arguments) => matches::run(&arguments),
        Verb::Practice(arguments) => practice::run(&arguments),
        Verb::Predict(arguments) => predict::run(&arguments),
        Verb::Difficulty(arguments) => difficulty::run(&arguments),
        Verb::Markov(arguments) => markov::run(&arguments),
        Verb::Evaluate(arguments) => evaluate::run(&arguments),
        Verb::Export(arguments) => export::run(&arguments),
        Verb::Fit(arguments) => fit::run(&arguments),
        Verb::Calibrate(arguments) => calibrate::run(&arguments),
        Verb::Rate(arguments) => rate::run(&arguments),
        Verb::Screen(arguments) => screen::run(&arguments),
        Verb::Doctor(arguments) => doctor::run(&arguments),
        Verb::Minimax(arguments) => minimax::run(arguments),
    }
}

/// Tells the error and finds its exit code. A reader of our output that has seen enough, as in
/// `errare ... | head`, is no error.
fn failure(error: &anyhow::Error) -> ExitCode {
    if error.chain().any(is_broken_pipe) {
        return ExitCode::SUCCESS;
    }
    talk!("errare: {error:#}");
    let interrupted = matches!(error.downcast_ref(), Some(BuildError::Stopped))
        || error.is::<interrupt::Interrupted>();
    ExitCode::from(if interrupted { interrupt::EXIT_CODE } else { 2 })
}

fn is_broken_pipe(error: &(dyn Error + 'static)) -> bool {
    let json = error.downcast_ref::<serde_json::Error>();
    let kind = match error.downcast_ref::<io::Error>() {
        Some(error) => Some(error.kind()),
        None => json.and_then(serde_json::Error::io_error_kind),
    };
    kind == Some(io::ErrorKind::BrokenPipe)
}
