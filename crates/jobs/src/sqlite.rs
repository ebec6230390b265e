//! A queue in an SQLite file, which may be a study's: no server, several processes on one host.

use std::{
    collections::BTreeSet,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::{
    BatchProgress, DeadJob, Job, JobId, LEASE, Lease, MOST_FILE_BYTES, MOST_TRIES, Queue,
    QueueError, Worker, WorkerReport,
    job::{check_size, check_word},
    queue::{Attempts, LISTED, Ticket, check_file},
};

/// How long to wait for another process's write.
const BUSY: Duration = Duration::from_secs(30);
/// Polling interval of a waiting worker.
const PAUSE: Duration = Duration::from_millis(50);

const SCHEMA: &str = "
CREATE TABLE IF NOT EXISTS jobs (
    id        TEXT NOT NULL,
    batch     TEXT NOT NULL,
    needs     TEXT NOT NULL,
    payload   BLOB NOT NULL,
    tries     INTEGER NOT NULL DEFAULT 0,
    leases    INTEGER NOT NULL DEFAULT 0, -- how often it was leased or returned: the number of the lease that counts
    worker    TEXT,
    until     INTEGER NOT NULL DEFAULT 0, -- of the lease or of the pause after a failure, in milliseconds since 1970
    reason    TEXT,                       -- why the last try failed
    dead      INTEGER NOT NULL DEFAULT 0,
    done      INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (batch, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS job_failures (
    batch     TEXT NOT NULL,
    id        TEXT NOT NULL,
    worker    TEXT NOT NULL
) STRICT;
CREATE INDEX IF NOT EXISTS job_failures_of ON job_failures (batch, id);
CREATE INDEX IF NOT EXISTS jobs_waiting ON jobs (needs, until) WHERE done = 0 AND dead = 0;
CREATE TABLE IF NOT EXISTS job_results (
    number    INTEGER PRIMARY KEY,        -- in the order in which they came
    batch     TEXT NOT NULL,
    id        TEXT NOT NULL,
    result    BLOB NOT NULL,
    UNIQUE (batch, id)
) STRICT;
CREATE INDEX IF NOT EXISTS jobs_progress ON jobs (batch, done, dead);
CREATE TABLE IF NOT EXISTS job_batches (
    batch     TEXT PRIMARY KEY,
    about     BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS job_files (
    name      TEXT PRIMARY KEY,
    content   BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS job_workers (
    name      TEXT PRIMARY KEY,
    report    TEXT NOT NULL,              -- as JSON
    seen      INTEGER NOT NULL            -- in milliseconds since 1970
) STRICT, WITHOUT ROWID;
";

/// A queue in a file.
#[derive(Debug)]
pub struct SqliteQueue {
    path: String,
    connection: Mutex<Connection>,
    lease: Duration,
}

impl SqliteQueue {
    /// Opens the queue in a file, which is created if necessary.
    pub fn open(path: &Path) -> Result<SqliteQueue, QueueError> {
        let name = path.display().to_string();
        let connection = Connection::open(path).map_err(|error| unusable(&name, error))?;
        SqliteQueue::new(name, connection)
    }

    /// Opens the queue in an existing file.
    pub fn open_existing(path: &Path) -> Result<SqliteQueue, QueueError> {
        match path.is_file() {
            true => SqliteQueue::open(path),
            false => Err(QueueError::Missing(path.display().to_string())),
        }
    }

    /// A queue in memory that ends with the process.
    pub fn in_memory() -> Result<SqliteQueue, QueueError> {
        let name = "in memory".to_owned();
        let connection = Connection::open_in_memory().map_err(|error| unusable(&name, error))?;
        SqliteQueue::new(name, connection)
    }

    fn new(path: String, connection: Connection) -> Result<SqliteQueue, QueueError> {
        connection
            .busy_timeout(BUSY)
            // A killed process loses nothing; a power failure may lose the last answers, which are then computed again.
            .and_then(|()| connection.pragma_update(None, "journal_mode", "WAL"))
            .and_then(|()| connection.pragma_update(None, "synchronous", "NORMAL"))
            .and_then(|()| connection.execute_batch(SCHEMA))
            .map_err(|error| unusable(&path, error))?;
        Ok(SqliteQueue {
            path,
            connection: Mutex::new(connection),
            lease: LEASE,
        })
    }

    /// The same queue with another lease time.
    #[must_use]
    pub fn with_lease(self, lease: Duration) -> SqliteQueue {
        SqliteQueue { lease, ..self }
    }

    /// Merges everything from another queue file into this one.
    pub fn absorb(&self, other: &Path) -> Result<(), QueueError> {
        // Opened first, so that the error names a file that is not a queue.
        drop(SqliteQueue::open_existing(other)?);
        let connection = self.connection();
        let copy = || -> rusqlite::Result<()> {
            connection.execute("ATTACH DATABASE ?1 AS other", [other.to_string_lossy()])?;
            let copied = connection.execute_batch(
                "INSERT OR IGNORE INTO job_batches SELECT * FROM other.job_batches;
                 INSERT OR IGNORE INTO job_files SELECT * FROM other.job_files;
                 INSERT OR IGNORE INTO jobs SELECT * FROM other.jobs;
                 INSERT OR IGNORE INTO job_results (batch, id, result)
                     SELECT batch, id, result FROM other.job_results;
                 UPDATE jobs SET done = 1, dead = 0 WHERE (batch, id) IN (SELECT batch, id FROM job_results);",
            );
            connection.execute("DETACH DATABASE other", [])?;
            copied
        };
        copy().map_err(|error| unusable(&other.display().to_string(), error))
    }

    /// The jobs of a batch, in any state.
    pub fn jobs(&self, batch: &str) -> Result<Vec<Job>, QueueError> {
        let connection = self.connection();
        let list = || -> rusqlite::Result<Vec<(String, String, Vec<u8>)>> {
            let sql = "SELECT id, needs, payload FROM jobs WHERE batch = ?1";
            let mut statement = connection.prepare(sql)?;
            let rows =
                statement.query_map([batch], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect()
        };
        let rows = list().map_err(|error| self.unusable(error))?;
        rows.into_iter()
            .map(|(id, needs, payload)| Ok(Job::claimed(id.parse()?, &needs, payload)?))
            .collect()
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn unusable(&self, error: rusqlite::Error) -> QueueError {
        unusable(&self.path, error)
    }

    /// Updates the row of a lease, if it is still valid.
    fn update(
        &self,
        lease: &Lease,
        set: &str,
        value: &dyn rusqlite::ToSql,
    ) -> Result<usize, QueueError> {
        let number = lease.ticket.number()?;
        self.connection()
            .execute(
                &format!("UPDATE jobs SET {set} WHERE batch = ?2 AND id = ?3 AND leases = ?4 AND done = 0"),
                params![value, lease.batch, lease.job.id().to_string(), number],
            )
            .map_err(|error| self.unusable(error))
    }

    /// Leases a waiting job to the worker.
    fn try_lease(&self, worker: &Worker) -> Result<Option<Lease>, QueueError> {
        let now = now();
        let until = now + self.lease.as_millis() as i64;
        let mut connection = self.connection();
        let mut take = || -> rusqlite::Result<Option<Lease>> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut found = None;
            for needs in &worker.has {
                found = take_one(&transaction, needs, worker, now, until)?;
                if found.is_some() {
                    break;
                }
            }
            transaction.commit()?;
            Ok(found.map(|(job, row)| Lease {
                job,
                batch: row.batch,
                worker: worker.name.clone(),
                time: self.lease,
                earlier: row.earlier,
                ticket: Ticket::Sqlite(row.leases + 1),
            }))
        };
        take().map_err(|error| self.unusable(error))
    }
}

/// A job's row in the file.
struct Row {
    batch: String,
    id: String,
    payload: Vec<u8>,
    leases: i64,
    earlier: Attempts,
}

/// Leases the job that has waited longest. Jobs that are malformed, or whose workers fell silent too often, become dead.
fn take_one(
    connection: &Connection,
    needs: &str,
    worker: &Worker,
    now: i64,
    until: i64,
) -> rusqlite::Result<Option<(Job, Row)>> {
    while let Some(row) = first_waiting(connection, needs, now)? {
        let id = row.id.parse::<JobId>();
        let reason = match id.and_then(|id| Job::claimed(id, needs, row.payload.clone())) {
            Err(error) => error.to_string(),
            Ok(_) if row.earlier.silent >= MOST_TRIES => {
                "every worker that had it fell silent".to_owned()
            }
            Ok(job) => {
                connection
                    .prepare_cached(
                        "UPDATE jobs SET until = ?1, tries = tries + 1, leases = leases + 1, worker = ?2
                         WHERE batch = ?3 AND id = ?4",
                    )?
                    .execute(params![until, worker.name, row.batch, row.id])?;
                return Ok(Some((job, row)));
            }
        };
        connection.execute(
            "UPDATE jobs SET dead = 1, reason = ?1 WHERE batch = ?2 AND id = ?3",
            params![reason, row.batch, row.id],
        )?;
    }
    Ok(None)
}

/// The row that has waited longest for an attempt.
fn first_waiting(connection: &Connection, needs: &str, now: i64) -> rusqlite::Result<Option<Row>> {
    let mut waiting = connection.prepare_cached(
        "SELECT batch, id, payload, leases, tries FROM jobs
         WHERE needs = ?1 AND until <= ?2 AND done = 0 AND dead = 0 ORDER BY until LIMIT 1",
    )?;
    let row = waiting.query_row(params![needs, now], |row| {
        let found = Row {
            batch: row.get(0)?,
            id: row.get(1)?,
            payload: row.get(2)?,
            leases: row.get(3)?,
            earlier: Attempts::default(),
        };
        Ok((found, row.get::<_, u32>(4)?))
    });
    let Some((mut row, tries)) = row.optional()? else {
        return Ok(None);
    };
    if tries > 0 {
        let sql = "SELECT worker FROM job_failures WHERE batch = ?1 AND id = ?2";
        let mut failures = connection.prepare_cached(sql)?;
        let workers = failures.query_map(params![row.batch, row.id], |row| row.get(0))?;
        let failed: Vec<String> = workers.collect::<rusqlite::Result<_>>()?;
        row.earlier = Attempts {
            silent: tries.saturating_sub(failed.len() as u32),
            failed,
        };
    }
    Ok(Some(row))
}

impl Queue for SqliteQueue {
    fn address(&self) -> &str {
        &self.path
    }

    fn spans_hosts(&self) -> bool {
        false
    }

    fn submit(&self, batch: &str, about: &[u8], jobs: &[Job]) -> Result<(), QueueError> {
        check_word(batch)?;
        check_size(about.len())?;
        let mut connection = self.connection();
        let mut insert = || -> rusqlite::Result<()> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            transaction.execute(
                "INSERT INTO job_batches (batch, about) VALUES (?1, ?2)
                 ON CONFLICT DO UPDATE SET about = excluded.about",
                params![batch, about],
            )?;
            transaction.execute(
                "DELETE FROM job_failures
                 WHERE (batch, id) IN (SELECT batch, id FROM jobs WHERE batch = ?1 AND dead = 1)",
                [batch],
            )?;
            let mut statement = transaction.prepare_cached(
                "INSERT INTO jobs (batch, id, needs, payload) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET dead = 0, tries = 0, until = 0 WHERE dead = 1",
            )?;
            for job in jobs {
                statement.execute(params![
                    batch,
                    job.id().to_string(),
                    job.needs(),
                    job.payload()
                ])?;
            }
            drop(statement);
            transaction.commit()
        };
        insert().map_err(|error| self.unusable(error))
    }

    fn about(&self, batch: &str) -> Result<Vec<u8>, QueueError> {
        let sql = "SELECT about FROM job_batches WHERE batch = ?1";
        let about = self.connection().query_row(sql, [batch], |row| row.get(0));
        about
            .optional()
            .map_err(|error| self.unusable(error))?
            .ok_or_else(|| QueueError::NoSuchBatch(batch.to_owned()))
    }

    fn lease(&self, worker: &Worker, wait: Duration) -> Result<Option<Lease>, QueueError> {
        let end = Instant::now() + wait;
        loop {
            let lease = self.try_lease(worker)?;
            if lease.is_some() || Instant::now() >= end {
                return Ok(lease);
            }
            thread::sleep(PAUSE.min(end.saturating_duration_since(Instant::now())));
        }
    }

    fn extend(&self, lease: &Lease) -> Result<(), QueueError> {
        let until = now() + self.lease.as_millis() as i64;
        match self.update(lease, "until = ?1", &until)? {
            0 => Err(QueueError::LeaseLost),
            _ => Ok(()),
        }
    }

    fn complete(&self, lease: &Lease, result: &[u8]) -> Result<(), QueueError> {
        check_size(result.len())?;
        // Accepted without a valid lease, too: the first answer stays, whichever worker gave it.
        let id = lease.job.id().to_string();
        let mut connection = self.connection();
        let mut record = || -> rusqlite::Result<()> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let known = transaction.execute(
                "UPDATE jobs SET done = 1, dead = 0 WHERE batch = ?1 AND id = ?2",
                params![lease.batch, id],
            )?;
            // A cancelled batch accepts no answers.
            if known > 0 {
                transaction.execute(
                    "INSERT INTO job_results (batch, id, result) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING",
                    params![lease.batch, id, result],
                )?;
            }
            transaction.commit()
        };
        record().map_err(|error| self.unusable(error))
    }

    fn fail(&self, lease: &Lease, reason: &str) -> Result<(), QueueError> {
        let number = lease.ticket.number()?;
        let dead = lease.is_last(self)?;
        let until = now() + lease.pause().as_millis() as i64;
        let id = lease.job.id().to_string();
        let mut connection = self.connection();
        let mut record = || -> rusqlite::Result<()> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let valid = transaction.execute(
                "UPDATE jobs SET reason = ?1, until = ?2, dead = ?3, leases = leases + 1
                 WHERE batch = ?4 AND id = ?5 AND leases = ?6 AND done = 0",
                params![reason, until, dead, lease.batch, id, number],
            )?;
            if valid > 0 {
                transaction.execute(
                    "INSERT INTO job_failures (batch, id, worker) VALUES (?1, ?2, ?3)",
                    params![lease.batch, id, lease.worker],
                )?;
            }
            transaction.commit()
        };
        record().map_err(|error| self.unusable(error))
    }

    fn release(&self, lease: &Lease) -> Result<(), QueueError> {
        self.update(
            lease,
            "until = ?1, tries = tries - 1, leases = leases + 1",
            &0,
        )?;
        Ok(())
    }

    fn progress(&self, batch: &str) -> Result<BatchProgress, QueueError> {
        let progress = self
            .connection()
            .query_row(
                "SELECT count(*), coalesce(sum(done), 0), coalesce(sum(dead), 0) FROM jobs WHERE batch = ?1",
                [batch],
                |row| {
                    Ok(BatchProgress {
                        jobs: row.get::<_, i64>(0)?.unsigned_abs(),
                        done: row.get::<_, i64>(1)?.unsigned_abs(),
                        dead: row.get::<_, i64>(2)?.unsigned_abs(),
                    })
                },
            )
            .map_err(|error| self.unusable(error))?;
        if progress.jobs == 0 {
            self.about(batch)?;
        }
        Ok(progress)
    }

    fn known(&self, batch: &str) -> Result<BTreeSet<JobId>, QueueError> {
        let connection = self.connection();
        let list = || -> rusqlite::Result<Vec<String>> {
            let mut statement = connection.prepare("SELECT id FROM jobs WHERE batch = ?1")?;
            statement.query_map([batch], |row| row.get(0))?.collect()
        };
        let ids = list().map_err(|error| self.unusable(error))?;
        ids.iter().map(|id| Ok(id.parse()?)).collect()
    }

    fn batches(&self) -> Result<Vec<String>, QueueError> {
        let connection = self.connection();
        let list = || -> rusqlite::Result<Vec<String>> {
            let mut statement =
                connection.prepare("SELECT batch FROM job_batches ORDER BY batch")?;
            statement.query_map([], |row| row.get(0))?.collect()
        };
        list().map_err(|error| self.unusable(error))
    }

    fn results(
        &self,
        batch: &str,
        cursor: &mut u64,
        visit: &mut dyn FnMut(JobId, &[u8]) -> Result<(), QueueError>,
    ) -> Result<(), QueueError> {
        /// Results read at once, so that others can write in between.
        const PAGE: i64 = 500;
        type Row = (i64, String, Vec<u8>);
        loop {
            let page: Vec<Row> = {
                let connection = self.connection();
                let read = || -> rusqlite::Result<Vec<Row>> {
                    let mut statement = connection.prepare_cached(
                        "SELECT number, id, result FROM job_results WHERE number > ?1 AND batch = ?2 ORDER BY number LIMIT ?3",
                    )?;
                    let rows = statement
                        .query_map(params![*cursor as i64, batch, PAGE], |row| {
                            Ok((row.get(0)?, row.get(1)?, row.get(2)?))
                        })?;
                    rows.collect()
                };
                read().map_err(|error| self.unusable(error))?
            };
            if page.is_empty() {
                return Ok(());
            }
            for (number, id, result) in page {
                visit(id.parse()?, &result)?;
                *cursor = number.unsigned_abs();
            }
        }
    }

    fn dead(&self, batch: &str) -> Result<Vec<DeadJob>, QueueError> {
        let connection = self.connection();
        let list = || -> rusqlite::Result<Vec<(String, String, Option<String>)>> {
            let mut statement = connection.prepare(
                "SELECT id, needs, reason FROM jobs WHERE batch = ?1 AND dead = 1 ORDER BY id",
            )?;
            let rows =
                statement.query_map([batch], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect()
        };
        let rows = list().map_err(|error| self.unusable(error))?;
        rows.into_iter()
            .map(|(id, needs, reason)| {
                Ok(DeadJob {
                    id: id.parse()?,
                    needs,
                    reason: reason.unwrap_or_default(),
                })
            })
            .collect()
    }

    fn cancel(&self, batch: &str) -> Result<(), QueueError> {
        self.about(batch)?;
        let connection = self.connection();
        for table in ["jobs", "job_failures", "job_results", "job_batches"] {
            connection
                .execute(&format!("DELETE FROM {table} WHERE batch = ?1"), [batch])
                .map_err(|error| self.unusable(error))?;
        }
        Ok(())
    }

    fn put(&self, name: &str, content: &[u8]) -> Result<(), QueueError> {
        check_word(name)?;
        check_file(name, content.len(), MOST_FILE_BYTES)?;
        self.connection()
            .execute(
                "INSERT OR REPLACE INTO job_files (name, content) VALUES (?1, ?2)",
                params![name, content],
            )
            .map_err(|error| self.unusable(error))?;
        Ok(())
    }

    fn get(&self, name: &str, most: usize) -> Result<Option<Vec<u8>>, QueueError> {
        let connection = self.connection();
        let size = connection.query_row(
            "SELECT length(content) FROM job_files WHERE name = ?1",
            [name],
            |row| row.get::<_, i64>(0),
        );
        let Some(bytes) = size.optional().map_err(|error| self.unusable(error))? else {
            return Ok(None);
        };
        check_file(name, bytes.unsigned_abs() as usize, most)?;
        let sql = "SELECT content FROM job_files WHERE name = ?1";
        let content = connection.query_row(sql, [name], |row| row.get(0));
        content.optional().map_err(|error| self.unusable(error))
    }

    fn report(&self, worker: &WorkerReport) -> Result<(), QueueError> {
        check_word(&worker.name)?;
        let text = serde_json::to_string(worker).unwrap_or_default();
        self.connection()
            .execute(
                "INSERT OR REPLACE INTO job_workers (name, report, seen) VALUES (?1, ?2, ?3)",
                params![worker.name, text, now()],
            )
            .map_err(|error| self.unusable(error))?;
        Ok(())
    }

    fn sign_off(&self, worker: &str) -> Result<(), QueueError> {
        self.connection()
            .execute("DELETE FROM job_workers WHERE name = ?1", [worker])
            .map_err(|error| self.unusable(error))?;
        Ok(())
    }

    fn workers(&self) -> Result<Vec<WorkerReport>, QueueError> {
        let since = now() - LISTED.as_millis() as i64;
        let connection = self.connection();
        let list = || -> rusqlite::Result<Vec<String>> {
            let mut statement = connection
                .prepare("SELECT report FROM job_workers WHERE seen >= ?1 ORDER BY name")?;
            statement.query_map([since], |row| row.get(0))?.collect()
        };
        let texts = list().map_err(|error| self.unusable(error))?;
        // Ignore messages that are not reports.
        Ok(texts
            .iter()
            .filter_map(|text| serde_json::from_str(text).ok())
            .collect())
    }
}

/// Milliseconds since 1970.
fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    since.as_millis() as i64
}

fn unusable(queue: &str, error: rusqlite::Error) -> QueueError {
    match error.sqlite_error_code() {
        Some(rusqlite::ErrorCode::DiskFull) => QueueError::Full {
            queue: queue.to_owned(),
        },
        _ => QueueError::Unreachable {
            queue: queue.to_owned(),
            source: error.into(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Simulates a full disk.
    #[test]
    fn a_full_disk_is_told() {
        let queue = SqliteQueue::in_memory().unwrap();
        queue
            .connection()
            .pragma_update(None, "max_page_count", 40)
            .unwrap();
        let large = Job::new("anything", vec![7; 300 << 10]).unwrap();
        let error = queue.submit("large", b"", &[large]).unwrap_err();
        assert!(matches!(error, QueueError::Full { .. }), "{error}");
        assert!(error.to_string().contains("has no room left"));
        let small = Job::new("anything", vec![7]).unwrap();
        queue.submit("small", b"", &[small]).unwrap();
    }
}
