//! The options that say which engine evaluates, and how.

use errare_service::{EngineChoice, fleet::QueueChoice};

use crate::prelude::*;

/// Which engine.
#[derive(Debug, Args)]
pub(crate) struct EnginePath {
    /// The UCI engine, a path or a name [default: $ERRARE_ENGINE, or stockfish on the path or in the usual places]
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,
}

impl EnginePath {
    /// The engine named by the option or the environment.
    pub(crate) fn named(&self) -> Option<PathBuf> {
        let environment = || environment("ERRARE_ENGINE").map(PathBuf::from);
        self.engine.clone().or_else(environment)
    }
}

/// Which engine, and how long it may be silent.
#[derive(Debug, Args)]
pub(crate) struct OneEngine {
    #[command(flatten)]
    path: EnginePath,

    /// Seconds without progress after which an engine is restarted or abandoned
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    silence: NonZero<u64>,
}

impl OneEngine {
    /// The engine.
    pub(crate) fn choice(&self) -> EngineChoice {
        EngineChoice {
            path: self.path.named(),
            silence: Some(self.silence.get()),
            ..EngineChoice::default()
        }
    }
}

/// The engine, and how many instances of it.
#[derive(Debug, Args)]
pub(crate) struct EngineOptions {
    #[command(flatten)]
    settings: OneEngine,

    /// Engines at work at the same time, at most one per position and 1024 in total [default: one per core]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,

    #[command(flatten)]
    pub(crate) queue: QueueOptions,

    /// With --queue, have this percentage of the positions evaluated again by another worker, and compare
    #[arg(long, value_name = "PERCENT", default_value = "0", requires = "queue", value_parser = clap::value_parser!(u8).range(0..=100))]
    audit: u8,
}

impl EngineOptions {
    /// The engines.
    pub(crate) fn choice(&self) -> EngineChoice {
        let queue = self.queue.choice().map(|queue| QueueChoice {
            audit: self.audit,
            ..queue
        });
        EngineChoice {
            workers: self.workers.map(NonZero::get),
            queue,
            ..self.settings.choice()
        }
    }

    /// The value of --engine, ignoring the environment: for a study, a part of the engine's name.
    pub(crate) fn name(&self) -> Option<String> {
        let path = self.settings.path.engine.as_ref()?;
        Some(path.display().to_string())
    }
}
