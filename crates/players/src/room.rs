//! Engines for players: each program is started once and shared.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use errare_engine::{EngineSettings, Engines, find};

use crate::{EngineName, HireError};

/// Time limit without output, after which an engine is abandoned.
const SILENCE: Duration = Duration::from_secs(60);

/// The engines of a process, by program and depth.
#[derive(Debug, Default)]
pub struct EngineRoom {
    /// The engine for players that name none.
    usual: Option<PathBuf>,
    running: Mutex<HashMap<(PathBuf, u8), Arc<Engines>>>,
}

impl EngineRoom {
    /// With this engine for players that name none; otherwise Stockfish on the search path.
    pub fn new(usual: Option<PathBuf>) -> EngineRoom {
        EngineRoom {
            usual,
            running: Mutex::default(),
        }
    }

    /// The engine with this name, started if it is not running.
    pub fn open(&self, engine: &EngineName) -> Result<Arc<Engines>, HireError> {
        let path = match &*engine.name {
            "" => find(self.usual.as_deref())?,
            name => find(Some(Path::new(name)))?,
        };
        let key = (path, engine.depth);
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engines) = running.get(&key) {
            return Ok(Arc::clone(engines));
        }
        let (path, depth) = key.clone();
        let settings = EngineSettings {
            path,
            depth,
            silence: SILENCE,
        };
        let started = Engines::start(settings).map_err(|source| HireError::Engine {
            path: key.0.clone(),
            source,
        })?;
        let engines = Arc::new(started);
        running.insert(key, Arc::clone(&engines));
        Ok(engines)
    }
}
