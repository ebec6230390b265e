//! The study: one SQLite file with games, turns and engine evaluations.
//!
//! ```no_run
//! use std::path::Path;
//! use errare_rating::Study;
//!
//! let mut study = Study::open_or_create(Path::new("study.db"))?;
//! study.evaluate_file(Path::new("games.pgn"), 10, &())?;
//! let elo = study.rate("Timman")?.elo;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Everything is written once and never changed, in separate transactions, so a killed process loses only
//! the positions it was working on. The tables are described in `docs/study-format.md`.

mod claims;
mod error;
mod evaluate;
mod games;
mod import;
mod steps;
mod view;
mod worker;

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use errare_engine::EngineKey;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, TransactionBehavior, params};

pub use error::StudyError;
pub use evaluate::{EvaluationCounts, FailedPosition};
pub use games::Added;
pub use import::{ImportError, Imported};
pub use steps::StepError;
pub use view::{EngineSummary, EvaluationView, Turns};
pub use worker::{Pending, PositionId, StudyWorker};

/// Identifies a study among SQLite files: the bytes `Erra`.
const APPLICATION: i32 = i32::from_be_bytes(*b"Erra");
/// The version of the schema.
const VERSION: i32 = 1;
/// How long to wait for another process's write.
const PATIENCE: Duration = Duration::from_secs(60);
/// Pause before another attempt.
const PAUSE: Duration = Duration::from_millis(5);

/// Games, turns and evaluations in one file.
#[derive(Debug)]
pub struct Study {
    path: PathBuf,
    connection: Connection,
}

impl Study {
    /// Opens an existing study.
    pub fn open(path: &Path) -> Result<Study, StudyError> {
        if !path.is_file() {
            return Err(StudyError::Missing(path.to_owned()));
        }
        Study::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
    }

    /// Opens a study, or creates one.
    pub fn open_or_create(path: &Path) -> Result<Study, StudyError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
        Study::connect(path, flags)
    }

    fn connect(path: &Path, flags: OpenFlags) -> Result<Study, StudyError> {
        let open = |source| StudyError::opening(path, source);
        let mut connection = Connection::open_with_flags(path, flags).map_err(open)?;
        connection.busy_timeout(PATIENCE)?;
        // A study on read-only media can still be read.
        if connection.is_readonly("main").map_err(open)? {
            prepare(&mut connection, path, TransactionBehavior::Deferred)?;
        } else {
            prepare(&mut connection, path, TransactionBehavior::Immediate)?;
            // A commit survives a killed process; a power failure may lose the last ones, never the rest.
            patiently(|| connection.pragma_update(None, "journal_mode", "WAL"))?;
            connection.pragma_update(None, "synchronous", "NORMAL")?;
        }
        connection.pragma_update(None, "foreign_keys", true)?;
        Ok(Study {
            path: path.to_owned(),
            connection,
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Creates the tables of a new file; rejects files that are not studies.
fn prepare(
    connection: &mut Connection,
    path: &Path,
    behavior: TransactionBehavior,
) -> Result<(), StudyError> {
    let open = |source| StudyError::opening(path, source);
    let transaction = connection
        .transaction_with_behavior(behavior)
        .map_err(open)?;
    let pragma = |name| transaction.pragma_query_value(None, name, |row| row.get::<_, i32>(0));
    let tables: i64 =
        transaction.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (pragma("application_id")?, pragma("user_version")?) {
        (APPLICATION, VERSION) => {}
        (APPLICATION, version) => {
            return Err(StudyError::Version {
                path: path.to_owned(),
                version,
            });
        }
        (0, 0) if tables == 0 => {
            transaction.execute_batch(include_str!("study/schema.sql"))?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        _ => return Err(StudyError::NotAStudy(path.to_owned())),
    }
    Ok(transaction.commit()?)
}

/// Retries operations for which SQLite itself does not wait, because it already holds a lock.
fn patiently(act: impl Fn() -> rusqlite::Result<()>) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        match act() {
            Err(error)
                if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                    && begun.elapsed() < PATIENCE =>
            {
                thread::sleep(PAUSE);
            }
            result => return result,
        }
    }
}

/// The id of an engine, which is inserted if it is new. The caller must hold the write lock.
fn engine_id(connection: &Connection, key: &EngineKey) -> Result<i64, StudyError> {
    let values = params![key.name, key.version, key.net, key.depth, key.multi_pv];
    let find = "SELECT id FROM engines
                WHERE name = ?1 AND version = ?2 AND net = ?3 AND depth = ?4 AND multi_pv = ?5";
    let enter = "INSERT INTO engines (name, version, net, depth, multi_pv)
                 VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id";
    let known = connection
        .query_row(find, values, |row| row.get(0))
        .optional()?;
    match known {
        Some(id) => Ok(id),
        None => Ok(connection.query_row(enter, values, |row| row.get(0))?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a read-only medium.
    #[test]
    fn a_study_can_be_read_where_nothing_can_be_written() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("study.db");
        let written = Study::open_or_create(&path).unwrap();
        let read = Study::connect(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
        assert!(read.connection.is_readonly("main").unwrap());
        assert!(read.games().unwrap().is_empty());
        drop(written);
        let other = directory.path().join("other.db");
        Connection::open(&other)
            .unwrap()
            .execute_batch("CREATE TABLE x (y)")
            .unwrap();
        let refused = Study::connect(&other, OpenFlags::SQLITE_OPEN_READ_ONLY);
        assert!(matches!(refused, Err(StudyError::NotAStudy(_))));
    }
}
