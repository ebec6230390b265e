//! The options that say which engine evaluates, and how.

use std::{num::NonZero, path::PathBuf, thread, time::Duration};

use anyhow::{Context, Result};
use clap::Args;
use errare_engine::{Pool, Settings, find};

/// Which engine.
#[derive(Debug, Args)]
pub(crate) struct EnginePath {
    /// The UCI engine, a path or a name [default: stockfish, on the path or in the usual places]
    #[arg(
        long,
        value_name = "PATH",
        env = "ERRARE_ENGINE",
        hide_env_values = true
    )]
    engine: Option<PathBuf>,
}

impl EnginePath {
    /// Where it is.
    pub(crate) fn find(&self) -> Result<PathBuf> {
        Ok(find(self.engine.as_deref())?)
    }
}

/// Which engine, and how long it may be silent.
#[derive(Debug, Args)]
pub(crate) struct EngineSettings {
    #[command(flatten)]
    path: EnginePath,

    /// Seconds without progress after which an engine is given up or started again
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    silence: NonZero<u64>,
}

impl EngineSettings {
    /// Where the engine is and how to run it.
    pub(crate) fn at(&self, depth: u8) -> Result<Settings> {
        Ok(Settings {
            path: self.path.find()?,
            depth,
            silence: Duration::from_secs(self.silence.get()),
        })
    }
}

/// The engine, and how many of it.
#[derive(Debug, Args)]
pub(crate) struct EngineOptions {
    #[command(flatten)]
    settings: EngineSettings,

    /// Engines at work at the same time [default: one a core]
    #[arg(long, value_name = "N")]
    workers: Option<NonZero<usize>>,
}

impl EngineOptions {
    /// What the engine was called.
    pub(crate) fn named(&self) -> Option<&str> {
        self.settings.path.engine.as_deref()?.to_str()
    }

    /// The engines, the first of which is started.
    pub(crate) fn start(&self, depth: u8) -> Result<Pool> {
        let settings = self.settings.at(depth)?;
        let path = settings.path.display().to_string();
        let cores = || thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let workers = self.workers.unwrap_or_else(cores);
        Pool::start(settings, workers.get()).with_context(|| {
            format!("{path} is of no use as an engine; errare doctor --engine {path} tells more")
        })
    }
}
