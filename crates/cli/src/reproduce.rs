//! `errare reproduce`: recomputes the papers.

use errare_report::reproduction;
use errare_service::reproduce::{self, Ratings};

use crate::prelude::*;

/// Recomputes the tables, figures and claims of the five papers, and compares them with the printed ones
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// What to reproduce [default: everything]
    #[arg(value_name = "NAME")]
    ids: Vec<String>,

    /// Print the names and exit
    #[arg(long)]
    list: bool,

    /// Only entries that take seconds
    #[arg(long)]
    short: bool,

    /// Directory with PGN of further games of Haworth and Andrist's table 2
    #[arg(long, value_name = "DIR")]
    games: Option<PathBuf>,

    /// Directory with PGN of 1976-79, 1991-94 and 2006-09, to be evaluated for Regan and Haworth's tables; takes hours
    #[arg(long, value_name = "DIR")]
    pgn: Option<PathBuf>,

    /// How deep the engine searches for --pgn
    #[arg(long, default_value = "10", requires = "pgn")]
    depth: NonZero<u8>,

    #[command(flatten)]
    engine: EngineOptions,

    /// Write the report as one page with figures; - for standard output
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the report as a document
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,

    #[command(flatten)]
    format: Json,

    /// Discard the results of an interrupted run
    #[arg(long)]
    fresh: bool,

    #[command(flatten)]
    tables: TableOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    if arguments.list {
        let mut out = io::stdout().lock();
        for id in reproduce::ids() {
            writeln!(out, "{id}")?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let service = arguments.tables.service()?;
    if arguments.fresh {
        reproduce::forget(&service);
    }
    let games = arguments.games.as_deref().map(reproduce::all_games);
    let ratings = arguments.pgn.as_deref().map(|directory| {
        let (depth, engine) = (arguments.depth.get(), arguments.engine.choice());
        Ratings::of_directory(&service, directory, depth, engine)
    });
    let request = reproduce::Request {
        ids: arguments.ids.clone(),
        short: arguments.short,
        games: games.transpose()?,
        ratings: ratings.transpose()?,
        known: Vec::new(),
    };
    let answer = watched(|watch| reproduce::run(&service, request, watch))?;
    let html = arguments.html.as_ref();
    files::write_to(html, || anyhow::Ok(reproduction::page(&answer)))?;
    let markdown = || anyhow::Ok(reproduction::markdown(&answer));
    files::write_to(arguments.markdown.as_ref(), markdown)?;
    if arguments.format.json || html.is_none_or(|path| path != Path::new("-")) {
        arguments.format.show(&answer)?;
    }
    Ok(exit_code(answer.surprises().next().is_none()))
}
