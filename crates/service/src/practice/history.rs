//! The local history: sessions, slips, when slips are due for review, and games that were analysed, in one SQLite file.
//!
//! A session is saved after every action, so that an interruption loses nothing. Several processes may use the file at
//! once: each change is one transaction, and the second one waits.

mod collections;
mod reviews;
mod summary;
mod tries;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use errare_core::{Fault, FaultKind};
use etcetera::{BaseStrategy, choose_base_strategy};
use rusqlite::{Connection, ErrorCode, OptionalExtension, TransactionBehavior, params};

pub(super) use self::reviews::judge;
pub use self::{
    collections::{Collection, CollectionSummary, MOST_COLLECTIONS},
    reviews::{Grade, NextReview, Slip},
    summary::{Progress, ProgressPoint, SessionSummary},
    tries::{Export, Reviewed, Reviews, Try},
};
use super::{play::Answer, session::Session};

/// The file format; newer ones are rejected.
const VERSION: i64 = 2;
/// How long a change waits for another process.
const PATIENCE: Duration = Duration::from_secs(10);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS session (
    id TEXT PRIMARY KEY,
    begun INTEGER NOT NULL,
    saved INTEGER NOT NULL,
    endgame TEXT NOT NULL,
    task TEXT NOT NULL,
    opponent TEXT NOT NULL,
    drill TEXT,
    result TEXT,
    moves INTEGER NOT NULL,
    slips INTEGER NOT NULL,
    ceded INTEGER NOT NULL,
    value_losses INTEGER NOT NULL,
    c_mean REAL, c_low REAL, c_high REAL,
    json TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS session_by_time ON session (saved);
CREATE TABLE IF NOT EXISTS slip (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    endgame TEXT NOT NULL,
    metric TEXT NOT NULL,
    fen TEXT NOT NULL,
    played TEXT NOT NULL,
    words TEXT NOT NULL,
    value_lost INTEGER NOT NULL,
    ceded INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    due INTEGER NOT NULL,
    stability REAL NOT NULL,
    difficulty REAL NOT NULL,
    elapsed_days INTEGER NOT NULL,
    scheduled_days INTEGER NOT NULL,
    reps INTEGER NOT NULL,
    lapses INTEGER NOT NULL,
    state INTEGER NOT NULL,
    last_review INTEGER NOT NULL,
    UNIQUE (fen, metric)
) STRICT;
CREATE INDEX IF NOT EXISTS slip_by_due ON slip (due);
CREATE TABLE IF NOT EXISTS review (
    slip INTEGER NOT NULL REFERENCES slip (id) ON DELETE CASCADE,
    time INTEGER NOT NULL,
    grade TEXT NOT NULL
) STRICT;
";

/// The local history of practice. Threads may share it.
#[derive(Debug)]
pub struct History {
    path: PathBuf,
    connection: Mutex<Connection>,
}

/// Why the history is unusable.
#[derive(Debug, thiserror::Error)]
pub enum HistoryError {
    /// The platform does not define a data directory.
    #[error("cannot find the user's data directory for the history of practice")]
    NoDirectory,
    /// The directory of the file could not be created.
    #[error("cannot make {}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The file was written by a newer version of the program.
    #[error("{} was written by a newer version of the program", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
    },
    /// The database reported an error.
    #[error("the history of practice {} cannot be used", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// SQLite's error.
        source: rusqlite::Error,
    },
    /// A stored session cannot be read.
    #[error("a session in {} cannot be read", path.display())]
    Session {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
}

impl Fault for HistoryError {
    fn kind(&self) -> FaultKind {
        match self {
            HistoryError::NoDirectory | HistoryError::Directory { .. } => FaultKind::Internal,
            HistoryError::Newer { .. } | HistoryError::Session { .. } => FaultKind::Damaged,
            HistoryError::Database { source, .. } => match source.sqlite_error_code() {
                Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => FaultKind::Busy,
                Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => FaultKind::Damaged,
                _ => FaultKind::Internal,
            },
        }
    }
}

impl History {
    /// The default path of the history, in the user's data directory.
    pub fn usual_path() -> Result<PathBuf, HistoryError> {
        let strategy = choose_base_strategy().map_err(|_| HistoryError::NoDirectory)?;
        Ok(strategy.data_dir().join("errare").join("practice.sqlite"))
    }

    /// Opens a history, which is created if necessary.
    pub fn open(path: impl AsRef<Path>) -> Result<History, HistoryError> {
        let path = path.as_ref().to_owned();
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(|source| HistoryError::Directory {
                path: directory.to_owned(),
                source,
            })?;
        }
        History::prepared(path.clone(), Connection::open(path))
    }

    /// A history that lasts as long as it is in use.
    pub fn in_memory() -> Result<History, HistoryError> {
        History::prepared(":memory:".into(), Connection::open_in_memory())
    }

    fn prepared(
        path: PathBuf,
        connection: rusqlite::Result<Connection>,
    ) -> Result<History, HistoryError> {
        let (connection, version) =
            connection
                .and_then(prepare)
                .map_err(|source| HistoryError::Database {
                    path: path.clone(),
                    source,
                })?;
        if version > VERSION {
            return Err(HistoryError::Newer { path });
        }
        Ok(History {
            path,
            connection: Mutex::new(connection),
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn database(&self) -> impl Fn(rusqlite::Error) -> HistoryError {
        let path = self.path.clone();
        move |source| HistoryError::Database {
            path: path.clone(),
            source,
        }
    }

    /// Saves a session with its slips; new slips are due a day later.
    pub fn save(&self, answer: &Answer, now: i64) -> Result<(), HistoryError> {
        let Answer { session, view, .. } = answer;
        let json = serde_json::to_string(session).map_err(|source| self.unreadable(source))?;
        let estimate = view.competence.estimate;
        let mut connection = self.connection();
        let stored = (|| -> rusqlite::Result<()> {
            let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            change.execute(
                "INSERT OR REPLACE INTO session VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    session.id,
                    session.begun,
                    now,
                    session.setup.endgame.to_string(),
                    name(&session.setup.task),
                    session.setup.opponent,
                    session.setup.drill,
                    session.end.as_ref().map(|end| name(&end.result)),
                    session.own_moves().count() as i64,
                    session.slips().count() as i64,
                    view.ceded,
                    view.value_losses as i64,
                    estimate.map(|estimate| estimate.mean),
                    estimate.map(|estimate| estimate.low),
                    estimate.map(|estimate| estimate.high),
                    json,
                ],
            )?;
            reviews::store_slips(&change, session, now)?;
            change.commit()
        })();
        stored.map_err(self.database())
    }

    /// The last saved session that has not ended.
    pub fn unfinished(&self) -> Result<Option<Session>, HistoryError> {
        let query =
            "SELECT json FROM session WHERE result IS NULL ORDER BY saved DESC, rowid DESC LIMIT 1";
        self.one_session(query, &[])
    }

    /// The session with this id.
    pub fn session(&self, id: &str) -> Result<Option<Session>, HistoryError> {
        self.one_session("SELECT json FROM session WHERE id = ?", &[&id])
    }

    fn one_session(
        &self,
        query: &str,
        values: &[&dyn rusqlite::ToSql],
    ) -> Result<Option<Session>, HistoryError> {
        let connection = self.connection();
        let json: Option<String> = connection
            .query_row(query, values, |row| row.get(0))
            .optional()
            .map_err(self.database())?;
        let session = json.map(|json| serde_json::from_str(&json)).transpose();
        session.map_err(|source| self.unreadable(source))
    }

    /// Every session, oldest first, for export.
    pub fn sessions(&self) -> Result<Vec<Session>, HistoryError> {
        let connection = self.connection();
        let json = || -> rusqlite::Result<Vec<String>> {
            let mut query = connection.prepare("SELECT json FROM session ORDER BY begun, rowid")?;
            query.query_map([], |row| row.get(0))?.collect()
        };
        let json = json().map_err(self.database())?;
        json.iter()
            .map(|json| serde_json::from_str(json).map_err(|source| self.unreadable(source)))
            .collect()
    }

    /// Deletes all sessions, slips, reviews and collections.
    pub fn erase(&self) -> Result<(), HistoryError> {
        let connection = self.connection();
        connection
            .execute_batch("BEGIN IMMEDIATE; DELETE FROM review; DELETE FROM slip; DELETE FROM session; DELETE FROM collection; COMMIT; VACUUM;")
            .map_err(self.database())
    }

    fn unreadable(&self, source: serde_json::Error) -> HistoryError {
        HistoryError::Session {
            path: self.path.clone(),
            source,
        }
    }
}

/// Creates missing tables and returns the file's version.
fn prepare(connection: Connection) -> rusqlite::Result<(Connection, i64)> {
    connection.busy_timeout(PATIENCE)?;
    // With this, readers do not wait for a writer.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version < VERSION {
        connection.execute_batch(&format!(
            "BEGIN IMMEDIATE; {SCHEMA} {} PRAGMA user_version = {VERSION}; COMMIT;",
            collections::SCHEMA
        ))?;
    }
    Ok((connection, version))
}

/// The name of an enum value in JSON.
fn name(value: &impl serde::Serialize) -> Option<String> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => Some(name),
        _ => None,
    }
}

/// The current time, in seconds since 1970.
pub fn now() -> i64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    time.map_or(0, |time| time.as_secs() as i64)
}
