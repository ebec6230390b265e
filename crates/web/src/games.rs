//! Practice games: recent ones in memory, all of them in the history; and games that were sent for analysis.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use errare_service::{
    Error,
    practice::{
        Answer, Session,
        history::{History, now},
    },
};
use indexmap::IndexMap;

use crate::error::Failure;

/// The number of games kept in memory.
const REMEMBERED: usize = 512;

/// Games by id, the most recently used last; and the history, if one is kept.
#[derive(Debug)]
pub(crate) struct Games {
    recent: Mutex<IndexMap<String, Session>>,
    history: Option<Arc<History>>,
    /// Holds collections as long as the server runs, if there is no history.
    memory: LazyLock<Arc<History>>,
}

impl Default for Games {
    fn default() -> Games {
        let memory = || Arc::new(History::in_memory().expect("SQLite works in memory"));
        Games {
            recent: Mutex::default(),
            history: None,
            memory: LazyLock::new(memory),
        }
    }
}

impl Games {
    pub(crate) fn with_history(history: History) -> Games {
        Games {
            history: Some(Arc::new(history)),
            ..Games::default()
        }
    }

    /// The history.
    pub(crate) fn history(&self) -> Result<Arc<History>, Failure> {
        let history = self.history.clone();
        history.ok_or_else(|| Failure::not_found("this server keeps no history of practice"))
    }

    /// Where collections are kept.
    pub(crate) fn collections(&self) -> Arc<History> {
        let memory = || &*self.memory;
        Arc::clone(self.history.as_ref().unwrap_or_else(memory))
    }

    fn recent(&self) -> MutexGuard<'_, IndexMap<String, Session>> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game with this id.
    pub(crate) fn find(&self, id: &str) -> Result<Option<Session>, Error> {
        if let Some(session) = self.recent().get(id) {
            return Ok(Some(session.clone()));
        }
        match &self.history {
            Some(history) => Ok(history.session(id)?),
            None => Ok(None),
        }
    }

    /// Stores a game.
    pub(crate) fn keep(&self, answer: &Answer) -> Result<(), Error> {
        let session = &answer.session;
        {
            let mut games = self.recent();
            games.shift_remove(&session.id);
            if games.len() >= REMEMBERED {
                games.shift_remove_index(0);
            }
            games.insert(session.id.clone(), session.clone());
        }
        // A game without any attempt is not stored.
        match &self.history {
            Some(history) if !session.attempts.is_empty() || session.end.is_some() => {
                Ok(history.save(answer, now())?)
            }
            _ => Ok(()),
        }
    }

    /// Deletes all games.
    pub(crate) fn erase(&self) -> Result<(), Error> {
        self.recent().clear();
        Ok(self.collections().erase()?)
    }
}
