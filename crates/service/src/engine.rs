//! Which engine evaluates, and how many of it.

use std::{collections::BTreeSet, num::NonZero, path::PathBuf, thread, time::Duration};

use errare_core::{Cancel, Watch};
use errare_engine::{Engine, EngineKey, EngineSettings, Pool, find};
use errare_rating::{GameId, Study, study::Evaluated};
use serde::{Deserialize, Serialize};

use crate::{
    Error,
    fleet::{Evaluations, QueueChoice},
};

/// How long an engine may make no progress, if nobody says otherwise.
const SILENCE: Duration = Duration::from_secs(60);
/// More engines at the same time are refused: no machine has so many cores.
pub const MOST_WORKERS: usize = 1024;

/// An engine on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct EngineChoice {
    /// The program, a path or a name; Stockfish if there is none.
    #[cfg_attr(feature = "schema", schema(value_type = Option<String>))]
    pub path: Option<PathBuf>,
    /// Seconds without progress after which it is given up or started again; a minute if there is no number.
    pub silence: Option<u64>,
    /// Engines at work at the same time; one a core if there is no number.
    pub workers: Option<usize>,
    /// The queue whose workers evaluate, if it is not this machine. They have the same engine as this one.
    #[serde(skip)]
    #[cfg_attr(feature = "schema", schema(ignore))]
    pub queue: Option<QueueChoice>,
}

/// Engines at work, here or elsewhere.
pub(crate) enum Evaluator {
    /// In this process.
    Here(Box<Pool>),
    /// In a fleet.
    Fleet(Box<Evaluations>),
}

impl Evaluator {
    /// Who they are.
    pub(crate) fn key(&self) -> &EngineKey {
        match self {
            Evaluator::Here(pool) => pool.key(),
            Evaluator::Fleet(fleet) => &fleet.engine,
        }
    }

    /// Has every position of eligible turns evaluated that is not yet, in these games or in all.
    pub(crate) fn evaluate(
        self,
        study: &mut Study,
        games: Option<&BTreeSet<GameId>>,
        watch: &dyn Watch,
    ) -> Result<Evaluated, Error> {
        match self {
            Evaluator::Here(pool) => Ok(study.evaluate(*pool, games, watch)?),
            Evaluator::Fleet(fleet) => fleet.evaluate(study, games, watch),
        }
    }
}

impl EngineChoice {
    /// Where the engine is and how to run it.
    pub fn settings(&self, depth: u8) -> Result<EngineSettings, Error> {
        if depth == 0 {
            return Err(Error::bad_request("an engine searches to depth 1 at least"));
        }
        Ok(EngineSettings {
            path: find(self.path.as_deref())?,
            depth,
            silence: self.silence.map_or(SILENCE, Duration::from_secs),
        })
    }

    /// Who the engine is.
    pub(crate) fn key(&self, depth: u8) -> Result<EngineKey, Error> {
        let settings = self.settings(depth)?;
        let path = settings.path.display().to_string();
        let engine = Engine::start(&settings, Cancel::default());
        let engine = engine.map_err(|error| {
            Error::from(error).context(format!("{path} does not work as an engine"))
        })?;
        Ok(engine.key().clone())
    }

    /// Who evaluates.
    pub(crate) fn evaluator(&self, depth: u8) -> Result<Evaluator, Error> {
        match &self.queue {
            None => Ok(Evaluator::Here(Box::new(self.pool(depth)?))),
            Some(queue) => Ok(Evaluator::Fleet(Box::new(Evaluations {
                queue: queue.clone(),
                engine: self.key(depth)?,
            }))),
        }
    }

    /// Engines, the first of which is started.
    fn pool(&self, depth: u8) -> Result<Pool, Error> {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        let workers = self.workers.unwrap_or_else(cores);
        if !(1..=MOST_WORKERS).contains(&workers) {
            return Err(Error::bad_request(format!(
                "the number of engines at the same time is from 1 to {MOST_WORKERS}, not {workers}"
            )));
        }
        let settings = self.settings(depth)?;
        let path = settings.path.display().to_string();
        Pool::start(settings, workers).map_err(|error| {
            Error::from(error).context(format!("{path} does not work as an engine"))
        })
    }
}
