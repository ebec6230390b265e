//! Long work: started by one request, followed by others, and still there when the page is reopened.
//!
//! A job runs on its own thread; a few run at once, the others wait. Its status is published as server-sent
//! events. The answers of the last jobs are kept, up to a maximum number.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Bytes;
use errare_core::{Cancel, FaultKind, Watch, with_causes};
use errare_service::{Error, Service};
use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::{Semaphore, watch};
use utoipa::ToSchema;

use crate::error::Failure;

/// The number of concurrent jobs: they share the machine's cores, so more would not finish earlier.
const AT_ONCE: usize = 2;
/// The number of jobs kept, including running ones.
const REMEMBERED: usize = 64;

/// The state of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum JobState {
    /// Waiting for other jobs.
    Waiting,
    /// Running.
    Running,
    /// Its answer is available.
    Done,
    /// It failed; `error` says why.
    Failed,
    /// It was stopped.
    Cancelled,
}

impl JobState {
    pub(crate) fn is_final(self) -> bool {
        !matches!(self, JobState::Waiting | JobState::Running)
    }
}

/// The status of a job.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct JobStatus {
    /// Its id.
    pub(crate) id: String,
    /// Its verb.
    pub(crate) verb: String,
    /// The id of the games that it is about; they are kept.
    pub(crate) collection: Option<String>,
    /// Its state.
    pub(crate) state: JobState,
    /// The current stage.
    pub(crate) stage: Option<String>,
    /// The number of steps done in the stage.
    pub(crate) done: u64,
    /// The number of steps in the stage.
    pub(crate) steps: Option<u64>,
    /// The current step, or intermediate results.
    pub(crate) detail: Option<String>,
    /// The last message.
    pub(crate) message: Option<String>,
    /// Why it failed.
    pub(crate) error: Option<String>,
}

#[derive(Debug)]
pub(crate) struct Job {
    status: watch::Sender<JobStatus>,
    /// As JSON text.
    answer: Mutex<Option<Bytes>>,
    cancel: Cancel,
}

/// Publishes the progress of the work to the job's followers.
struct Publisher<'a>(&'a Job);

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    list: Mutex<IndexMap<String, Arc<Job>>>,
    places: Arc<Semaphore>,
}

impl Default for Jobs {
    fn default() -> Jobs {
        Jobs {
            list: Mutex::default(),
            places: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Job {
    pub(crate) fn status(&self) -> JobStatus {
        self.status.borrow().clone()
    }

    pub(crate) fn follow(&self) -> watch::Receiver<JobStatus> {
        self.status.subscribe()
    }

    pub(crate) fn answer(&self) -> Option<Bytes> {
        lock(&self.answer).clone()
    }

    /// Asks the work to stop; its status says when it has.
    pub(crate) fn cancel(&self) {
        self.cancel.cancel();
        // A waiting job has nothing to clean up.
        self.status.send_if_modified(|status| {
            let waits = status.state == JobState::Waiting;
            if waits {
                status.state = JobState::Cancelled;
            }
            waits
        });
    }

    fn is_over(&self) -> bool {
        self.status.borrow().state.is_final()
    }

    fn end(&self, result: Result<Value, Error>) {
        let (state, error) = match result {
            Ok(answer) => {
                *lock(&self.answer) = Some(answer.to_string().into());
                (JobState::Done, None)
            }
            Err(error) if error.kind() == FaultKind::Stopped => (JobState::Cancelled, None),
            Err(error) => (JobState::Failed, Some(with_causes(&error))),
        };
        self.status.send_modify(|status| {
            status.state = state;
            status.error = error;
        });
    }
}

impl Jobs {
    /// Starts a job.
    pub(crate) fn start(
        &self,
        verb: &str,
        collection: Option<String>,
        service: &Service,
        work: impl FnOnce(&Service, &dyn Watch) -> Result<Value, Error> + Send + 'static,
    ) -> Result<JobStatus, Failure> {
        let id = format!("{:016x}", rand::random::<u64>());
        let status = JobStatus {
            id: id.clone(),
            verb: verb.to_owned(),
            collection,
            state: JobState::Waiting,
            stage: None,
            done: 0,
            steps: None,
            detail: None,
            message: None,
            error: None,
        };
        let job = Arc::new(Job {
            status: watch::Sender::new(status.clone()),
            answer: Mutex::default(),
            cancel: Cancel::default(),
        });
        {
            let mut list = lock(&self.list);
            if list.len() >= REMEMBERED {
                let oldest = list.iter().position(|(_, job)| job.is_over());
                let oldest = oldest.ok_or_else(Failure::overloaded)?;
                list.shift_remove_index(oldest);
            }
            list.insert(id, job.clone());
        }
        let (places, service) = (self.places.clone(), service.clone());
        tokio::spawn(async move {
            let place = places.acquire_owned().await;
            if job.is_over() {
                return;
            }
            job.status
                .send_modify(|status| status.state = JobState::Running);
            let working = job.clone();
            let done = tokio::task::spawn_blocking(move || {
                let _place = place;
                working.end(work(&service, &Publisher(&working)));
            });
            if let Err(error) = done.await {
                tracing::error!(%error, "a job failed");
                job.end(Err(Error::new(
                    FaultKind::Internal,
                    "internal server error; see the server's log",
                )));
            }
        });
        Ok(status)
    }

    /// The job with this id.
    pub(crate) fn get(&self, id: &str) -> Result<Arc<Job>, Failure> {
        let job = lock(&self.list).get(id).cloned();
        job.ok_or_else(|| {
            Failure::not_found("there is no such job; perhaps the server was restarted")
        })
    }

    /// The known jobs, newest first.
    pub(crate) fn all(&self) -> Vec<JobStatus> {
        let list = lock(&self.list);
        list.values().rev().map(|job| job.status()).collect()
    }

    /// Stops and forgets the jobs about a collection, or about any.
    pub(crate) fn forget_collections(&self, id: Option<&str>) {
        lock(&self.list).retain(|_, job| {
            let about = job.status.borrow().collection.clone();
            let is_other = match (about, id) {
                (None, _) => true,
                (Some(about), Some(id)) => about != id,
                (Some(_), None) => false,
            };
            if !is_other {
                job.cancel();
            }
            is_other
        });
    }

    /// Stops all jobs.
    pub(crate) fn stop(&self) {
        for job in lock(&self.list).values() {
            job.cancel();
        }
    }
}

impl Watch for Publisher<'_> {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        self.0.status.send_modify(|status| {
            status.stage = Some(stage.to_owned());
            status.detail = None;
            status.done = 0;
            status.steps = steps;
        });
    }

    fn advance(&self, steps: u64) {
        self.0.status.send_modify(|status| status.done += steps);
    }

    fn detail(&self, what: &str) {
        self.0
            .status
            .send_modify(|status| status.detail = Some(what.to_owned()));
    }

    fn tell(&self, message: &str) {
        self.0
            .status
            .send_modify(|status| status.message = Some(message.to_owned()));
    }

    fn is_stopped(&self) -> bool {
        self.0.cancel.is_stopped()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
