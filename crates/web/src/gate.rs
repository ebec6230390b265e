//! Limits concurrency: a bounded number of requests at work, and a bounded queue before them.
//!
//! Work that probes, plays or predicts blocks, so it has its own threads. A request that finds the queue full is
//! told to come back later. When a client disconnects, its work is stopped; its place is free once the work has
//! noticed.

use std::{sync::Arc, thread};

use errare_core::{Cancel, Deadline, Watch};
use errare_service::Error;
use tokio::{sync::Semaphore, task};

use crate::{LONGEST_REQUEST, error::Failure};

/// The number of waiting requests per request at work.
const QUEUE: usize = 64;

/// Access to the blocking threads.
#[derive(Debug, Clone)]
pub(crate) struct Gate {
    working: Arc<Semaphore>,
    waiting: Arc<Semaphore>,
}

impl Gate {
    /// As many at work as the machine has cores, but at least two.
    pub(crate) fn new() -> Gate {
        let cores = thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
        Gate::with_places(cores, cores * QUEUE)
    }

    fn with_places(working: usize, waiting: usize) -> Gate {
        Gate {
            working: Arc::new(Semaphore::new(working)),
            waiting: Arc::new(Semaphore::new(waiting)),
        }
    }

    /// Runs work on a blocking thread when there is a place for it.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&dyn Watch) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Failure> {
        let Ok(queued) = self.waiting.clone().try_acquire_owned() else {
            return Err(Failure::overloaded());
        };
        let place = self.working.clone().acquire_owned().await;
        drop(queued);
        let gone = StopWhenDropped(Cancel::default());
        let cancel = gone.0.clone();
        let done = task::spawn_blocking(move || {
            let _place = place;
            work(&Deadline::after(LONGEST_REQUEST, &cancel))
        });
        let result = match done.await {
            Ok(result) => result.map_err(Failure::from),
            Err(error) => {
                tracing::error!(%error, "a request failed");
                Err(Failure::new(
                    axum::http::StatusCode::INTERNAL_SERVER_ERROR,
                    "internal server error; see the server's log",
                ))
            }
        };
        drop(gone);
        result
    }
}

/// Stops the work when the future that waits for it is dropped.
struct StopWhenDropped(Cancel);

impl Drop for StopWhenDropped {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::*;

    #[tokio::test]
    async fn a_full_queue_turns_requests_away_and_recovers() {
        let gate = Gate::with_places(1, 1);
        let (release, released) = mpsc::channel::<()>();
        let (started, has_started) = tokio::sync::oneshot::channel();
        let (busy, queued) = (gate.clone(), gate.clone());
        let busy = tokio::spawn(async move {
            busy.run(move |_| {
                let _ = started.send(());
                let _ = released.recv();
                Ok(())
            })
            .await
        });
        has_started.await.unwrap();
        let queued = tokio::spawn(async move { queued.run(|_| Ok(7)).await });
        tokio::time::sleep(Duration::from_millis(50)).await;
        let refused = gate.run(|_| Ok(())).await.unwrap_err();
        assert_eq!(refused.error, Failure::overloaded().error);
        release.send(()).unwrap();
        assert!(busy.await.unwrap().is_ok());
        assert_eq!(queued.await.unwrap().unwrap(), 7);
    }

    #[tokio::test]
    async fn work_stops_when_nobody_waits_for_it() {
        let gate = Gate::with_places(1, 1);
        let (noticed, has_noticed) = tokio::sync::oneshot::channel();
        let waiting = gate.run(move |watch| {
            while !watch.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let _ = noticed.send(());
            Ok(())
        });
        assert!(
            tokio::time::timeout(Duration::from_millis(50), waiting)
                .await
                .is_err()
        );
        has_noticed.await.expect("the work was stopped");
    }
}
