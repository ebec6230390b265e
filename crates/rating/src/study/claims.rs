//! Claims on positions, so that two processes do not evaluate the same one.
//!
//! Each working process has a file beside the study and holds an operating-system lock on it. Its claims
//! are stored in the study under the file's name. A killed process loses the lock, and with it its
//! claims.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    process,
};

use rusqlite::{Connection, params};

use super::StudyError;

/// A process working on a study, until dropped.
#[derive(Debug)]
pub(super) struct Owner {
    study: PathBuf,
    name: String,
    _locked: File,
}

impl Owner {
    /// Creates and locks the owner's file.
    pub(super) fn new(study: &Path) -> Result<Owner, StudyError> {
        // Process ids are reused: a file left by another process is taken over with its lock.
        let mut number = 0;
        loop {
            let name = format!("worker-{}-{number}", process::id());
            let path = beside(study, &name);
            let lock = || {
                let file = File::options()
                    .write(true)
                    .create(true)
                    .truncate(false)
                    .open(&path)?;
                match file.try_lock() {
                    Ok(()) => Ok(Some(file)),
                    Err(TryLockError::WouldBlock) => Ok(None),
                    Err(TryLockError::Error(error)) => Err(error),
                }
            };
            match lock() {
                Ok(None) => number += 1,
                Ok(Some(locked)) => {
                    return Ok(Owner {
                        study: study.to_owned(),
                        name,
                        _locked: locked,
                    });
                }
                Err(source) => return Err(StudyError::Lock { path, source }),
            }
        }
    }

    /// Claims a position, unless it is already claimed.
    pub(super) fn claim(
        &self,
        connection: &Connection,
        position: i64,
        engine: i64,
    ) -> Result<bool, StudyError> {
        let sql = "INSERT INTO claims (position, engine, owner) VALUES (?1, ?2, ?3)
                   ON CONFLICT DO NOTHING";
        let claimed = connection
            .prepare_cached(sql)?
            .execute(params![position, engine, self.name])?;
        Ok(claimed == 1)
    }

    /// Releases a position.
    pub(super) fn release(
        &self,
        connection: &Connection,
        position: i64,
        engine: i64,
    ) -> Result<(), StudyError> {
        let sql = "DELETE FROM claims WHERE position = ?1 AND engine = ?2 AND owner = ?3";
        connection
            .prepare_cached(sql)?
            .execute(params![position, engine, self.name])?;
        Ok(())
    }

    /// Releases all positions.
    pub(super) fn release_all(&self, connection: &Connection) -> Result<(), StudyError> {
        connection.execute("DELETE FROM claims WHERE owner = ?1", [&self.name])?;
        Ok(())
    }

    /// Removes the claims of dead processes. The caller must hold the write lock.
    pub(super) fn bury(&self, connection: &Connection) -> Result<(), StudyError> {
        let mut statement = connection.prepare("SELECT DISTINCT owner FROM claims")?;
        let owners: Vec<String> = statement
            .query_map([], |row| row.get(0))?
            .collect::<Result<_, _>>()?;
        for owner in owners.iter().filter(|owner| **owner != self.name) {
            let path = beside(&self.study, owner);
            let gone = File::open(&path).map_or(true, |file| file.try_lock().is_ok());
            if gone {
                connection.execute("DELETE FROM claims WHERE owner = ?1", [owner])?;
                let _ = fs::remove_file(&path);
            }
        }
        Ok(())
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        let _ = fs::remove_file(beside(&self.study, &self.name));
    }
}

/// The file of an owner.
fn beside(study: &Path, owner: &str) -> PathBuf {
    let mut name = study.as_os_str().to_owned();
    name.push(format!("-{owner}"));
    name.into()
}
