//! A batch of work in a queue: submitted, and collected now or by a later call.

use std::collections::{BTreeSet, HashMap};

use errare_core::{FaultKind, Stopped, Watch};
use errare_jobs::{DeadJob, Job, JobId, MOST_FILE_BYTES, Queue, QueueError, gather, insist};
use serde::{Deserialize, Serialize};

use super::{Work, piece::hash, shard::Shard};
use crate::Error;

/// The description of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct About {
    /// What the batch does, in words.
    pub(crate) title: String,
    /// The file of the request, if the answer can be assembled from it.
    #[serde(default)]
    pub(crate) file: Option<String>,
}

/// A batch.
pub(crate) struct Batch<'q> {
    pub(crate) queue: &'q dyn Queue,
    pub(crate) name: String,
    pub(crate) about: About,
    /// The seed without which the same command makes another batch.
    seed: Option<u64>,
    /// The share that is submitted; all of it if `None`.
    shard: Option<Shard>,
}

impl<'q> Batch<'q> {
    /// A batch of a kind, identified by its content: the same work makes the same batch.
    pub(crate) fn new(queue: &'q dyn Queue, kind: &str, content: &[u8], about: About) -> Batch<'q> {
        Batch {
            queue,
            name: format!("{kind}-{}", &hash(content)[..16]),
            about,
            seed: None,
            shard: None,
        }
    }

    /// A batch of random work, which only the same seed finds again.
    pub(crate) fn seeded(self, seed: Option<u64>) -> Batch<'q> {
        Batch { seed, ..self }
    }

    /// Restricts the batch to a share.
    pub(crate) fn share(self, shard: Option<Shard>) -> Batch<'q> {
        Batch { shard, ..self }
    }

    /// Submits work, except jobs that are already in the queue.
    pub(crate) fn submit(&self, work: &[Work], watch: &dyn Watch) -> Result<Vec<JobId>, Error> {
        let jobs = work
            .iter()
            .map(Work::job)
            .collect::<Result<Vec<Job>, _>>()?;
        let about = serde_json::to_vec(&self.about).expect("it is text");
        let ours = |number: usize| self.shard.is_none_or(|shard| shard.has(number));
        let submitted = jobs.iter().enumerate().filter(|(number, _)| ours(*number));
        let submitted: Vec<Job> = submitted.map(|(_, job)| job.clone()).collect();
        insist(watch, || self.queue.submit(&self.name, &about, &submitted))?;
        Ok(jobs.iter().map(Job::id).collect())
    }

    /// The jobs that were submitted before and are still in the queue.
    pub(crate) fn known(&self, watch: &dyn Watch) -> Result<BTreeSet<JobId>, Error> {
        Ok(insist(watch, || self.queue.known(&self.name))?)
    }

    /// Passes the answers to these jobs to `take` as they arrive, by index, each once. Other jobs of the batch are ignored.
    pub(crate) fn collect(
        &self,
        ids: &[JobId],
        watch: &dyn Watch,
        mut take: impl FnMut(usize, &[u8]) -> Result<(), Error>,
    ) -> Result<Vec<(usize, DeadJob)>, Error> {
        let known: HashMap<JobId, usize> = ids.iter().copied().zip(0..).collect();
        let mut failure = None;
        let gathered = gather(self.queue, &self.name, ids, watch, |id, answer| {
            take(known[&id], answer).map_err(|error| {
                let text = error.to_string();
                failure = Some(error);
                QueueError::Record(text.into())
            })
        });
        if let Some(error) = failure {
            return Err(error);
        }
        if matches!(gathered, Err(QueueError::Stopped(Stopped))) {
            let seed = self.seed.map(|seed| format!(" with seed {seed}"));
            watch.tell(&format!(
                "detached from {} in {}; the workers go on, and the same command{} resumes",
                self.name,
                self.queue.address(),
                seed.unwrap_or_default()
            ));
        }
        let dead = gathered?.into_iter();
        Ok(dead.map(|job| (known[&job.id], job)).collect())
    }

    /// Reports that jobs were submitted, and the batch's name.
    pub(crate) fn tell_submitted(&self, jobs: usize, watch: &dyn Watch) {
        let (name, queue) = (&self.name, self.queue.address());
        watch.tell(&format!("submitted {name} to {queue}: {jobs} jobs"));
    }

    /// Deletes the batch.
    pub(crate) fn forget(&self, watch: &dyn Watch) -> Result<(), Error> {
        Ok(insist(watch, || self.queue.cancel(&self.name))?)
    }
}

/// An answer that does not match its job.
pub(super) fn damaged() -> Error {
    Error::new(FaultKind::Damaged, "an answer of a worker is damaged")
}

/// An error if jobs were given up, whose answers nothing can replace.
pub(super) fn none_dead(dead: &[(usize, DeadJob)], what: &str) -> Result<(), Error> {
    match dead.first() {
        None => Ok(()),
        Some((_, job)) => {
            let text = format!(
                "{} jobs of {what} were given up: {}",
                dead.len(),
                job.reason
            );
            Err(Error::new(FaultKind::Internal, text))
        }
    }
}

/// Stores content in the queue for the jobs of a batch, under its hash.
pub(crate) fn keep(queue: &dyn Queue, content: &[u8]) -> Result<String, Error> {
    let name = hash(content);
    if queue
        .get(&name, MOST_FILE_BYTES)?
        .is_none_or(|kept| kept != content)
    {
        queue.put(&name, content)?;
    }
    Ok(name)
}

/// The content stored under a hash; an error if it is missing, has more than `most` bytes or does not match.
pub(crate) fn kept(
    queue: &dyn Queue,
    name: &str,
    most: usize,
    watch: &dyn Watch,
) -> Result<Vec<u8>, String> {
    match insist(watch, || queue.get(name, most)) {
        Ok(Some(content)) if hash(&content) == name => Ok(content),
        Ok(Some(_)) => Err("a file of the queue was changed on the way".to_owned()),
        Ok(None) => Err("a file that the job needs is not in the queue".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
