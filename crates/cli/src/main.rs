//! `errare`, the command line: one file a verb, thin faces over the libraries.
//!
//! Standard output is data, standard error is talk. Exit codes: 0 done, 1 the answer is no, 2 usage
//! or runtime error, 130 interrupted.

#[macro_use]
mod talk;

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

use anyhow::Result;
use clap::{Command, CommandFactory, FromArgMatches, Parser, Subcommand};

/// Measures, predicts, imitates and exploits fallible play in chess.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(flatten)]
    verbosity: trace::Verbosity,

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
    Serve(serve::Arguments),
    Predict(predict::Arguments),
    Difficulty(difficulty::Arguments),
    Markov(markov::Arguments),
    Evaluate(evaluate::Arguments),
    Export(export::Arguments),
    Fit(fit::Arguments),
    Calibrate(calibrate::Arguments),
    Calibration(calibration::Arguments),
    Rate(rate::Arguments),
    Screen(screen::Arguments),
    Doctor(doctor::Arguments),
    Worker(worker::Arguments),
    Jobs(jobs::Arguments),
    Uci(uci::Arguments),
    Reproduce(reproduce::Arguments),
    /// Random minimaxing: move probabilities from mobility alone.
    Minimax(minimax::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

fn main() -> ExitCode {
    if env::args_os().len() == 1 {
        let _ = write!(output::for_people(), "{}", help::WELCOME);
        return ExitCode::SUCCESS;
    }
    let arguments = Arguments::from_arg_matches(&command().get_matches());
    let arguments = arguments.unwrap_or_else(|error| error.exit());
    arguments.verbosity.begin();
    interrupt::catch();
    let done = run(arguments.verb);
    interrupt::give_way();
    done.unwrap_or_else(|error| failure::failure(&error))
}

/// The whole command line.
fn command() -> Command {
    let command = options::numbers::allow_negative(Arguments::command());
    help::grouped(help::explained(command, ""))
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
        Verb::Serve(arguments) => serve::run(&arguments),
        Verb::Predict(arguments) => predict::run(&arguments),
        Verb::Difficulty(arguments) => difficulty::run(&arguments),
        Verb::Markov(arguments) => markov::run(&arguments),
        Verb::Evaluate(arguments) => evaluate::run(&arguments),
        Verb::Export(arguments) => export::run(&arguments),
        Verb::Fit(arguments) => fit::run(&arguments),
        Verb::Calibrate(arguments) => calibrate::run(&arguments),
        Verb::Calibration(arguments) => calibration::run(arguments),
        Verb::Rate(arguments) => rate::run(&arguments),
        Verb::Screen(arguments) => screen::run(&arguments),
        Verb::Doctor(arguments) => doctor::run(&arguments),
        Verb::Worker(arguments) => worker::run(&arguments),
        Verb::Jobs(arguments) => jobs::run(arguments),
        Verb::Uci(arguments) => uci::run(&arguments),
        Verb::Reproduce(arguments) => reproduce::run(&arguments),
        Verb::Minimax(arguments) => minimax::run(arguments),
        Verb::Completions(arguments) => completions::run(&arguments),
        Verb::Man(arguments) => man::run(&arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    /// Clap would call an option required in usage lines whose variable is set; `options::environment` reads
    /// variables.
    #[test]
    fn clap_reads_no_environment() {
        for (name, verb) in verbs(command()) {
            let environment = |argument: &clap::Arg| argument.get_env().is_some();
            assert!(!verb.get_arguments().any(environment), "{name}");
        }
    }

    /// The table of `tests/verbs` has a row for each verb; this list tells it of new ones.
    #[test]
    fn the_list_of_verbs_is_complete() {
        let mut listed = String::new();
        for (name, verb) in verbs(command()) {
            let answers = verb.get_arguments().any(|it| it.get_id() == "json");
            listed += &format!("{name}{}\n", if answers { " json" } else { "" });
        }
        assert_eq!(listed, include_str!("../tests/verbs/verbs.txt"));
    }

    /// Every verb that has none below it, by its full name.
    fn verbs(mut command: Command) -> Vec<(String, Command)> {
        command.build();
        let mut verbs = Vec::new();
        for verb in command.get_subcommands() {
            let name = verb.get_name();
            match verb.has_subcommands() {
                _ if name == "help" => {}
                false => verbs.push((name.to_owned(), verb.clone())),
                true => verbs.extend(
                    self::verbs(verb.clone())
                        .into_iter()
                        .map(|(below, verb)| (format!("{name} {below}"), verb)),
                ),
            }
        }
        verbs
    }
}
