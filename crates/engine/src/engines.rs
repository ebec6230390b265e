//! Engines that answer several threads, a position at a time.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, atomic::AtomicBool};

use shakmaty::{CastlingMode, Chess, Position};

use crate::{Engine, EngineError, EngineKey, Evaluation, Settings, position_key};

/// Engines of one kind; as many are started as are asked at the same time.
#[derive(Debug)]
pub struct Engines {
    settings: Settings,
    key: EngineKey,
    /// Those that wait for work.
    idle: Mutex<Vec<Engine>>,
}

impl Engines {
    /// Starts the first.
    pub fn start(settings: Settings) -> Result<Engines, EngineError> {
        let first = start(&settings)?;
        Ok(Engines {
            key: first.key().clone(),
            idle: Mutex::new(vec![first]),
            settings,
        })
    }

    /// Who they are.
    #[must_use]
    pub fn key(&self) -> &EngineKey {
        &self.key
    }

    /// Evaluates all legal moves of a position; there must be some. An engine that fails is started
    /// again once.
    pub fn evaluate(&self, position: &Chess) -> Result<Evaluation, EngineError> {
        let legal = position.legal_moves();
        let legal: Vec<_> = legal
            .iter()
            .map(|m| m.to_uci(CastlingMode::Standard))
            .collect();
        let key = position_key(position);
        let idle = self.idle().pop();
        let mut engine = idle.map_or_else(|| start(&self.settings), Ok)?;
        let evaluation = match engine.evaluate(&key, &legal) {
            Ok(evaluation) => evaluation,
            Err(_) => {
                engine = start(&self.settings)?;
                engine.evaluate(&key, &legal)?
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
