//! What the workers of a process have done, and whether it looks broken.

use std::{
    collections::BTreeSet,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use crate::JobId;

/// The number of different jobs that fail in a row on a process that looks broken. One bad job may fail any number of times.
const TROUBLE: usize = 3;

/// A worker's totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Worked {
    /// Jobs answered.
    pub completed: u64,
    /// Jobs that failed here.
    pub failed: u64,
}

/// Totals over all workers of a process.
#[derive(Debug, Default)]
pub struct WorkerTally {
    completed: AtomicU64,
    failed: AtomicU64,
    streak: Mutex<Streak>,
}

/// The failures since the last answer.
#[derive(Debug, Default)]
struct Streak {
    jobs: BTreeSet<JobId>,
    reason: String,
}

impl WorkerTally {
    /// The totals so far.
    pub fn so_far(&self) -> Worked {
        Worked {
            completed: self.completed.load(Relaxed),
            failed: self.failed.load(Relaxed),
        }
    }

    /// The reason of the last failure, if several different jobs have failed since the last answer.
    pub fn trouble(&self) -> Option<String> {
        let streak = self.streak();
        (streak.jobs.len() >= TROUBLE).then(|| streak.reason.clone())
    }

    /// Counts an answer.
    pub(crate) fn complete(&self) {
        self.completed.fetch_add(1, Relaxed);
        self.streak().jobs.clear();
    }

    /// Counts a failure; true if the process looks broken from this one on.
    pub(crate) fn fail(&self, job: JobId, reason: &str) -> bool {
        self.failed.fetch_add(1, Relaxed);
        let mut streak = self.streak();
        reason.clone_into(&mut streak.reason);
        streak.jobs.insert(job) && streak.jobs.len() == TROUBLE
    }

    fn streak(&self) -> MutexGuard<'_, Streak> {
        self.streak.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Job;

    #[test]
    fn different_failures_in_a_row_are_trouble() {
        let id = |n: u8| Job::new("any", vec![n]).unwrap().id();
        let tally = WorkerTally::default();
        assert!(!tally.fail(id(1), "a") && !tally.fail(id(1), "a") && !tally.fail(id(1), "a"));
        assert_eq!(tally.trouble(), None, "one bad job");
        assert!(!tally.fail(id(2), "b"));
        tally.complete();
        assert!(!tally.fail(id(3), "c") && !tally.fail(id(4), "d"));
        assert!(tally.fail(id(5), "e"), "it is told once");
        assert!(!tally.fail(id(6), "f"));
        assert_eq!(tally.trouble().as_deref(), Some("f"));
        tally.complete();
        assert_eq!(tally.trouble(), None);
    }
}
