//! `errare doctor`: is everything here that the other verbs need?

use errare_service::doctor;

use crate::prelude::*;

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
    directory: TableDirectory,

    #[command(flatten)]
    format: Json,
}

const EXAMPLES: &str = "\
Examples:
  errare doctor
  errare doctor --engine /opt/engines/lc0 --json";

/// Looks at everything.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.directory.service()?;
    let request = doctor::Request {
        engine: arguments.engine.choice(),
    };
    // Nothing here needs clearing up, so that ctrl-C ends it at once, engine included.
    let answer = doctor::answer(&service, &request, &())?;
    arguments.format.show(&answer)?;
    Ok(exit_code(answer.problems.is_empty()))
}
