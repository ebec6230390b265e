//! Engines for concurrent callers with one position at a time.

use std::{
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    thread,
    time::{Duration, Instant},
};

use errare_core::{Cancel, Watch};
use quick_cache::sync::Cache;
use shakmaty::{CastlingMode, Chess, Position, uci::UciMove};

use crate::{Engine, EngineError, EngineKey, EngineSettings, Evaluation, position_key};

/// Number of evaluations cached in memory: a few megabytes.
const KEPT: usize = 1 << 12;
/// How often to poll the watch.
const PULSE: Duration = Duration::from_millis(2);
/// Minimum thinking time: with less, an engine could not rank all moves even once.
const LEAST: Duration = Duration::from_millis(2);
/// An engine that goes on for this long after it was told to stop is no longer listening.
const DEAF: Duration = Duration::from_secs(2);

/// Engines of one kind; as many are started as there are concurrent requests.
#[derive(Debug)]
pub struct Engines {
    settings: EngineSettings,
    key: EngineKey,
    /// Recent answers, by position.
    known: Cache<String, Arc<Evaluation>>,
    /// Engines without work.
    idle: Mutex<Vec<Engine>>,
}

impl Engines {
    /// Starts the first engine.
    pub fn start(settings: EngineSettings) -> Result<Engines, EngineError> {
        let first = start(&settings)?;
        Ok(Engines {
            key: first.key().clone(),
            known: Cache::new(KEPT),
            idle: Mutex::new(vec![first]),
            settings,
        })
    }

    /// The engines' identity.
    #[must_use]
    pub fn key(&self) -> &EngineKey {
        &self.key
    }

    /// Evaluates all legal moves of a position; there must be some. Concurrent requests for one position
    /// share a search.
    pub fn evaluate(&self, position: &Chess) -> Result<Arc<Evaluation>, EngineError> {
        self.evaluate_watched(position, &())
    }

    /// Like [`Engines::evaluate`], but gives up with [`EngineError::Stopped`] when `watch` says so. That kills the engine
    /// at work, but no other.
    pub fn evaluate_watched(
        &self,
        position: &Chess,
        watch: &dyn Watch,
    ) -> Result<Arc<Evaluation>, EngineError> {
        let key = position_key(position);
        self.known.get_or_insert_with(&key, || {
            let evaluation = self.ask(position, watch, |engine, legal| {
                let cancel = engine.cancel().clone();
                stopped_by(watch, || cancel.cancel(), || engine.evaluate(&key, legal))
            });
            Ok(Arc::new(evaluation?))
        })
    }

    /// Evaluates all legal moves of a position to the usual depth, or as deep as the engine gets before `watch` runs out
    /// of time or stops it. An engine that then does not answer is killed, and the next request starts another.
    pub fn evaluate_within(
        &self,
        position: &Chess,
        watch: &dyn Watch,
    ) -> Result<Arc<Evaluation>, EngineError> {
        let key = position_key(position);
        if let Some(known) = self.known.get(&key) {
            return Ok(known);
        }
        let evaluation = self.ask(position, watch, |engine, legal| {
            let time = watch.remaining().map(|time| time.max(LEAST));
            let (stop, cancel) = (engine.stopper(), engine.cancel().clone());
            let told = OnceLock::new();
            let insist = move || {
                stop();
                if told.get_or_init(Instant::now).elapsed() >= DEAF {
                    cancel.cancel();
                }
            };
            stopped_by(watch, insist, || engine.evaluate_within(&key, legal, time))
        });
        let evaluation = Arc::new(evaluation?);
        if evaluation.at(self.key.depth).is_some() {
            self.known.insert(key, Arc::clone(&evaluation));
        }
        Ok(evaluation)
    }

    /// Asks an engine; if it fails, starts it again once.
    fn ask(
        &self,
        position: &Chess,
        watch: &dyn Watch,
        evaluate: impl Fn(&mut Engine, &[UciMove]) -> Result<Evaluation, EngineError>,
    ) -> Result<Evaluation, EngineError> {
        watch.check().map_err(|_| EngineError::Stopped)?;
        let legal = position.legal_moves();
        let legal: Vec<_> = legal
            .iter()
            .map(|m| m.to_uci(CastlingMode::Standard))
            .collect();
        let idle = self.idle().pop();
        let mut engine = idle.map_or_else(|| start(&self.settings), Ok)?;
        let evaluation = match evaluate(&mut engine, &legal) {
            Ok(evaluation) => evaluation,
            Err(EngineError::Stopped) => return Err(EngineError::Stopped),
            // It had no time to rank all moves even once; the engine itself is fine.
            Err(EngineError::MissingLines { .. })
                if watch.is_stopped() || watch.remaining().is_some() =>
            {
                self.idle().push(engine);
                return Err(EngineError::Stopped);
            }
            Err(error) => {
                tracing::warn!(%error, "the engine failed; starting it again");
                engine = start(&self.settings)?;
                evaluate(&mut engine, &legal)?
            }
        };
        self.idle().push(engine);
        Ok(evaluation)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Engine>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs `act` and calls `stop` once the watch says so: repeatedly, as the search may not have begun at the first call.
fn stopped_by<T>(watch: &dyn Watch, stop: impl Fn() + Send, act: impl FnOnce() -> T) -> T {
    let done = Cancel::default();
    thread::scope(|scope| {
        let over = &done;
        let looking = scope.spawn(move || {
            while !over.is_stopped() {
                if watch.is_stopped() {
                    stop();
                }
                thread::park_timeout(PULSE);
            }
        });
        let result = act();
        done.cancel();
        looking.thread().unpark();
        result
    })
}

fn start(settings: &EngineSettings) -> Result<Engine, EngineError> {
    Engine::start(settings, Cancel::default())
}
