//! `errare doctor`: is everything the other verbs need installed?

use errare_service::doctor;

use crate::prelude::*;

/// Checks whether an engine is installed and answers, and which tables exist and where
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    engine: OneEngine,

    #[command(flatten)]
    directory: TableDirectory,

    #[command(flatten)]
    format: Json,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.directory.service()?;
    let engine = arguments.engine.choice();
    let request = doctor::Request { engine };
    // Nothing here needs cleaning up, so ctrl-C ends it at once, engine included.
    let answer = doctor::answer(&service, &request, &())?;
    arguments.format.show(&answer)?;
    Ok(exit_code(answer.problems.is_empty()))
}
