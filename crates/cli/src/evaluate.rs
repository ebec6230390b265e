//! `errare evaluate`: games into a study, and every move of every eligible turn evaluated.

use errare_rating::study::EvaluationCounts;
use errare_service::evaluate::{self, ImportRequest};

use crate::prelude::*;

/// Evaluates every legal move of every turn that counts, at every depth, and keeps it in a study
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Games in PGN, also compressed (.gz, .zst); - for standard input
    #[arg(value_name = "GAMES.pgn")]
    games: Vec<PathBuf>,

    /// The study; a new one is made if the file does not exist
    #[arg(long, value_name = "STUDY.db")]
    store: PathBuf,

    /// How deep to search
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: u8,

    #[command(flatten)]
    pub(crate) engine: EngineOptions,

    #[command(flatten)]
    shard: ShardOption,

    /// Import turns that were evaluated elsewhere, as lines of JSON, instead of running an engine
    #[arg(long, value_name = "TURNS.jsonl", conflicts_with_all = ["games", "workers", "depth", "silence", "queue", "shard"])]
    import: Option<PathBuf>,

    /// The net of the engine that evaluated them, where the file does not name it
    #[arg(long, value_name = "NET", requires = "import")]
    net: Option<String>,

    #[command(flatten)]
    format: Json,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service()?;
    if let Some(file) = &arguments.import {
        let request = ImportRequest {
            file: file.clone(),
            store: arguments.store.clone(),
            net: arguments.net.clone(),
        };
        let answer = watched(|watch| evaluate::import(&service, &request, watch))?;
        return arguments.format.show(&answer);
    }
    let mut request = evaluate::Request {
        games: arguments.games.clone(),
        store: arguments.store.clone(),
        depth: arguments.depth,
        engine: arguments.engine.choice(),
    };
    let share = arguments.shard.choice(request.engine.queue.clone());
    request.engine.queue = share.clone().or(request.engine.queue);
    let answer = watched(|watch| evaluate::answer(&service, &request, watch))?;
    arguments.format.show(&answer)?;
    if let Some(queue) = share {
        work_off(&service, &queue, &request.engine)?;
    }
    Ok(match answer.positions {
        EvaluationCounts {
            interrupted: true, ..
        } => ExitCode::from(interrupt::EXIT_CODE),
        EvaluationCounts { failed: 1.., .. } => ExitCode::from(failure::ERROR),
        _ => ExitCode::SUCCESS,
    })
}
