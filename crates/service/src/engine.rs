//! Selects the engine that evaluates, and the number of processes.

use std::{collections::BTreeSet, path::PathBuf, time::Duration};

use errare_core::{Cancel, Watch};
use errare_engine::{Engine, EngineKey, EngineSettings, Pool, find};
use errare_rating::{GameId, Study, study::EvaluationCounts};
use serde::{Deserialize, Serialize};

use crate::{
    Error,
    fleet::{Evaluations, QueueChoice},
    workers::workers,
};

/// The default limit of time without progress.
const SILENCE: Duration = Duration::from_secs(60);

/// An engine on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct EngineChoice {
    /// The program, a path or a name; Stockfish if missing.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub path: Option<PathBuf>,
    /// Seconds without progress after which it is restarted or abandoned; 60 if missing.
    pub silence: Option<u64>,
    /// The number of concurrent engines; one per core if missing.
    pub workers: Option<usize>,
    /// The queue whose workers evaluate instead of this machine. They must have the same engine.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub queue: Option<QueueChoice>,
}

/// Engines, local or in a fleet.
pub(crate) enum Evaluator {
    /// In this process.
    Here(Box<Pool>),
    /// In a fleet.
    Fleet(Box<Evaluations>),
}

impl Evaluator {
    /// Their identity.
    pub(crate) fn key(&self) -> &EngineKey {
        match self {
            Evaluator::Here(pool) => pool.key(),
            Evaluator::Fleet(fleet) => &fleet.engine,
        }
    }

    /// Evaluates every position of eligible turns that has not been evaluated yet, in these games or in all.
    pub(crate) fn evaluate(
        self,
        study: &mut Study,
        games: Option<&BTreeSet<GameId>>,
        watch: &dyn Watch,
    ) -> Result<EvaluationCounts, Error> {
        match self {
            Evaluator::Here(pool) => Ok(study.evaluate(*pool, games, watch)?),
            Evaluator::Fleet(fleet) => fleet.evaluate(study, games, watch),
        }
    }
}

impl EngineChoice {
    /// The engine's path and settings.
    pub fn settings(&self, depth: u8) -> Result<EngineSettings, Error> {
        if depth == 0 {
            return Err(Error::bad_request("the search depth must be at least 1"));
        }
        Ok(EngineSettings {
            path: find(self.path.as_deref())?,
            depth,
            silence: self.silence.map_or(SILENCE, Duration::from_secs),
        })
    }

    /// The engine's identity.
    pub(crate) fn key(&self, depth: u8) -> Result<EngineKey, Error> {
        let settings = self.settings(depth)?;
        let path = settings.path.display().to_string();
        let engine = Engine::start(&settings, Cancel::default());
        let engine = engine.map_err(|error| {
            Error::from(error).context(format!("{path} does not work as an engine"))
        })?;
        Ok(engine.key().clone())
    }

    /// The evaluator for this choice.
    pub(crate) fn evaluator(&self, depth: u8) -> Result<Evaluator, Error> {
        match &self.queue {
            None => Ok(Evaluator::Here(Box::new(self.pool(depth)?))),
            Some(queue) => Ok(Evaluator::Fleet(Box::new(Evaluations {
                queue: queue.clone(),
                engine: self.key(depth)?,
            }))),
        }
    }

    /// A pool of engines; starts the first.
    fn pool(&self, depth: u8) -> Result<Pool, Error> {
        // The pool starts at most one per position.
        let workers = workers(self.workers, u64::MAX)?;
        let settings = self.settings(depth)?;
        let path = settings.path.display().to_string();
        Pool::start(settings, workers).map_err(|error| {
            Error::from(error).context(format!("{path} does not work as an engine"))
        })
    }
}
