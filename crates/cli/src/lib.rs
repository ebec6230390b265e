//! `errare`, the command line: one file per verb, each a thin layer over the libraries. The program only calls [`main`].
//!
//! Data goes to standard output, messages to standard error. Exit codes: 0 done, 1 the answer is no, 2 usage
//! or runtime error, 130 interrupted.

#[macro_use]
mod talk;
#[macro_use]
mod verbs;

mod advise;
mod analyse;
mod batch;
mod calibrate;
mod calibration;
mod completions;
mod difficulty;
mod doctor;
mod evaluate;
mod export;
mod failure;
mod files;
mod fit;
mod help;
mod interrupt;
mod jobs;
mod line;
mod man;
mod markov;
mod matches;
mod minimax;
mod options;
mod output;
mod practice;
mod predict;
mod prelude;
mod probe;
mod rate;
mod remedy;
mod reproduce;
mod screen;
#[cfg(feature = "web")]
mod serve;
#[cfg(not(feature = "web"))]
#[path = "serve_absent.rs"]
mod serve;
mod shell;
mod tables;
mod trace;
mod uci;
mod watch;
mod worker;

use std::{env, io::Write, process::ExitCode};

use clap::{Command, CommandFactory, FromArgMatches, Parser};

/// Measures, predicts, imitates and exploits fallible play in chess.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    verbosity: trace::Verbosity,

    #[command(subcommand)]
    verb: Verb,
}

verbs! {
    Verb {
        Probe => probe,
        Line => line,
        Tables => tables,
        Analyse => analyse,
        Advise => advise,
        Match => matches,
        Practice => practice,
        Serve => serve,
        Predict => predict,
        Difficulty => difficulty,
        Markov => markov,
        Evaluate => evaluate,
        Export => export,
        Fit => fit,
        Calibrate => calibrate,
        Calibration => calibration,
        Rate => rate,
        Screen => screen,
        Doctor => doctor,
        Worker => worker,
        Jobs => jobs,
        Uci => uci,
        Reproduce => reproduce,
        Minimax => minimax,
        Completions => completions,
        Man => man,
    }
}

/// The program: does what its arguments say, and returns the exit code.
pub fn main() -> ExitCode {
    if env::args_os().len() == 1 {
        let _ = write!(output::for_people(), "{}", help::WELCOME);
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::from_arg_matches(&command().get_matches());
    let mut arguments = arguments.unwrap_or_else(|error| error.exit());
    arguments.verbosity.begin();
    interrupt::catch();
    let done = arguments.verb.run();
    interrupt::give_way();
    done.unwrap_or_else(|error| failure::failure(&error))
}

/// The whole command line.
pub fn command() -> Command {
    let command = options::numbers::allow_negative(Arguments::command());
    help::grouped(help::explained(command, ""))
}
