//! Engines that answer several threads, a position at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool};

use quick_cache::sync::Cache;
use shakmaty::{CastlingMode, Chess, Position};

use crate::{Engine, EngineError, EngineKey, Evaluation, Settings, position_key};

/// Evaluations that are kept, those of a few megabytes.
const KEPT: usize = 1 << 12;

/// Engines of one kind; as many are started as are asked at the same time.
#[derive(Debug)]
pub struct Engines {
    settings: Settings,
    key: EngineKey,
    /// What was asked lately, by the position.
    known: Cache<String, Arc<Evaluation>>,
    /// Those that wait for work.
    idle: Mutex<Vec<Engine>>,
}

impl Engines {
    /// Starts the first.
    pub fn start(settings: Settings) -> Result<Engines, EngineError> {
        let first = start(&settings)?;
        Ok(Engines {
            key: first.key().clone(),
            known: Cache::new(KEPT),
            idle: Mutex::new(vec![first]),
            settings,
        })
    }

    /// Who they are.
    #[must_use]
    pub fn key(&self) -> &EngineKey {
        &self.key
    }

    /// Evaluates all legal moves of a position; there must be some. Who asks the same at the same time
    /// waits for the same answer.
    pub fn evaluate(&self, position: &Chess) -> Result<Arc<Evaluation>, EngineError> {
        let key = position_key(position);
        self.known
            .get_or_insert_with(&key, || Ok(Arc::new(self.ask(position, &key)?)))
    }

    /// An engine that fails is started again once.
    fn ask(&self, position: &Chess, key: &str) -> Result<Evaluation, EngineError> {
        let legal = position.legal_moves();
        let legal: Vec<_> = legal
            .iter()
            .map(|m| m.to_uci(CastlingMode::Standard))
            .collect();
        let idle = self.idle().pop();
        let mut engine = idle.map_or_else(|| start(&self.settings), Ok)?;
        let evaluation = match engine.evaluate(key, &legal) {
            Ok(evaluation) => evaluation,
            Err(_) => {
                engine = start(&self.settings)?;
                engine.evaluate(key, &legal)?
            }
        };
        self.idle().push(engine);
        Ok(evaluation)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Engine>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn start(settings: &Settings) -> Result<Engine, EngineError> {
    Engine::start(settings, Arc::new(AtomicBool::new(false)))
}
