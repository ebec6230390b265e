//! `errare tables list`: what is in the directory.

use errare_report::words;
use errare_service::tables::{list, solutions};

use crate::prelude::*;

/// Lists the tables in the directory, with their greatest depths
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    directory: TableDirectory,

    /// List every file as JSON, depths in plies
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.directory.service()?;
    let listed = list::answer(&service)?;
    if arguments.json {
        output::json(&listed)?;
    } else if listed.is_empty() {
        talk!(
            "there are no tables in {}; build some with `errare tables build`",
            service.tables.store().directory().display()
        );
    } else {
        output::text(&listed)?;
    }
    let solutions = solutions::answer(&service)?;
    if !arguments.json && !solutions.is_empty() {
        let bytes = solutions.iter().map(|file| file.bytes).sum();
        writeln!(
            output::for_people(),
            "{} of the exact hunter: {}",
            words::counted(solutions.len() as u64, "solution", "solutions"),
            words::bytes(bytes)
        )?;
    }
    for file in service.tables.store().list()? {
        if let Err(error) = file.description {
            failure::tell(&error.into());
        }
    }
    let damaged = listed.iter().any(|file| file.damage.is_some());
    Ok(exit_code(!damaged))
}
