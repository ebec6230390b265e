//! `errare doctor`: is everything here that the other verbs need?

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use errare_service::{
    Service, Supply,
    doctor::{self, Request},
};

use crate::options::{directory::Directory, engine::OneEngine, format::Json};

/// Checks whether an engine is installed and answers, and which tables exist and where
///
/// The exit code is 1 if something is missing or damaged. Missing endgame tables do not count: they are built
/// when they are needed.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    engine: OneEngine,

    #[command(flatten)]
    directory: Directory,

    #[command(flatten)]
    format: Json,
}

const EXAMPLES: &str = "\
Examples:
  errare doctor
  errare doctor --engine /opt/engines/lc0 --json";

/// Looks at everything.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let tables = Supply::new(arguments.directory.open()?);
    let request = Request {
        engine: arguments.engine.choice(),
    };
    // Nothing here needs clearing up, so that ctrl-C ends it at once, engine included.
    let answer = doctor::answer(&Service { tables }, &request, &())?;
    arguments.format.show(&answer)?;
    for problem in &answer.problems {
        talk!("errare: {problem}");
    }
    Ok(ExitCode::from(u8::from(!answer.problems.is_empty())))
}
