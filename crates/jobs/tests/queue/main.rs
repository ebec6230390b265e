//! What every queue must do, tested on the embedded one and, with the feature `nats`, on a real
//! server.

#[cfg(feature = "nats")]
mod access;
mod failures;
#[cfg(feature = "nats")]
mod network;
#[cfg(feature = "nats")]
mod server;

use std::{
    sync::{
        Barrier,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};

use errare_core::{Cancel, Fault, FaultKind};
use errare_jobs::{
    Job, JobId, Lease, MOST_FILE_BYTES, Queue, QueueError, SqliteQueue, Worker, WorkerReport,
    WorkerTally, gather, work,
};

/// A short lease.
const SHORT: Duration = Duration::from_millis(300);

fn jobs(count: u32) -> Vec<Job> {
    (0..count)
        .map(|n| Job::new("double", n.to_le_bytes().to_vec()).unwrap())
        .collect()
}

fn double(job: &Job) -> Result<Vec<u8>, String> {
    let number = u32::from_le_bytes(job.payload().try_into().unwrap());
    Ok((2 * number).to_le_bytes().to_vec())
}

fn ids(jobs: &[Job]) -> Vec<JobId> {
    jobs.iter().map(Job::id).collect()
}

fn worker(name: &str) -> Worker {
    Worker::new(name, ["double"])
}

/// The job that a worker gets, after some attempts.
fn lease(queue: &dyn Queue, worker: &Worker) -> Lease {
    for _ in 0..200 {
        if let Some(lease) = queue.lease(worker, Duration::ZERO).unwrap() {
            return lease;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("there is no job for {}", worker.name);
}

/// The sum and number of the jobs' results.
fn sum(queue: &dyn Queue, batch: &str, jobs: &[Job]) -> (u32, usize) {
    let mut all = Vec::new();
    gather(queue, batch, &ids(jobs), &(), |_, result| {
        all.push(u32::from_le_bytes(result.try_into().unwrap()));
        Ok(())
    })
    .unwrap();
    (all.iter().sum(), all.len())
}

/// Several workers do each job once, even if it is submitted again.
fn shared_work(queue: &dyn Queue) {
    let jobs = jobs(60);
    queue.submit("shared", b"", &jobs).unwrap();
    queue.submit("shared", b"", &jobs[..30]).unwrap();
    assert_eq!(queue.progress("shared").unwrap().jobs, 60);
    let done = AtomicU32::new(0);
    thread::scope(|scope| {
        for name in ["a", "b", "c"] {
            let done = &done;
            scope.spawn(move || {
                work(
                    queue,
                    &worker(name),
                    Duration::ZERO,
                    &WorkerTally::default(),
                    &(),
                    |job| {
                        done.fetch_add(1, Ordering::Relaxed);
                        double(job)
                    },
                )
                .unwrap();
            });
        }
    });
    assert_eq!(done.into_inner(), 60);
    assert_eq!(sum(queue, "shared", &jobs), (60 * 59, 60));
    let known = |batch| queue.known(batch).unwrap();
    assert_eq!(known("shared"), ids(&jobs).into_iter().collect());
    assert!(known("nothing").is_empty());
    // Finished jobs are not done again.
    queue.submit("shared", b"", &jobs).unwrap();
    let again = work(
        queue,
        &worker("a"),
        Duration::ZERO,
        &WorkerTally::default(),
        &(),
        double,
    )
    .unwrap();
    assert_eq!(again.completed, 0);
    assert_eq!(
        sum(queue, "shared", &jobs),
        (60 * 59, 60),
        "a later call collects the same"
    );
    assert_eq!(queue.batches().unwrap(), ["shared"]);
    queue.cancel("shared").unwrap();
    assert!(matches!(
        queue.progress("shared"),
        Err(QueueError::NoSuchBatch(_))
    ));
}

/// Several submitters of the same work share the same jobs.
fn simultaneous_submitters(queue: &dyn Queue) {
    let jobs = jobs(100);
    let start = Barrier::new(3);
    thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                start.wait();
                queue.submit("together", b"", &jobs).unwrap();
            });
        }
    });
    assert_eq!(queue.progress("together").unwrap().jobs, 100);
    let tally = WorkerTally::default();
    let worked = work(queue, &worker("a"), Duration::ZERO, &tally, &(), double);
    assert_eq!(worked.unwrap().completed, 100);
    assert_eq!(sum(queue, "together", &jobs), (100 * 99, 100));
    queue.cancel("together").unwrap();
}

/// A worker that falls silent loses its job to another, and its late answer changes nothing.
fn late_answers(queue: &dyn Queue) {
    let worker = |name: &str| Worker::new(name, ["answer"]);
    let job = Job::new("answer", b"a question".to_vec()).unwrap();
    let id = job.id();
    queue.submit("late", b"", &[job]).unwrap();
    let silent = queue
        .lease(&worker("silent"), Duration::ZERO)
        .unwrap()
        .unwrap();
    assert!(queue.lease(&worker("b"), Duration::ZERO).unwrap().is_none());
    thread::sleep(2 * SHORT);
    let other = lease(queue, &worker("b"));
    assert_eq!(other.tries(), 2);
    queue.complete(&other, b"first").unwrap();
    queue.complete(&silent, b"late").unwrap();
    queue.complete(&other, b"again").unwrap();
    let mut seen = Vec::new();
    gather(queue, "late", &[id], &(), |_, result| {
        seen.push(result.to_vec());
        Ok(())
    })
    .unwrap();
    assert_eq!(seen, [b"first"]);
    queue.cancel("late").unwrap();
}

/// Two workers have the same job and answer at the same moment: one of the answers stays, the same for everybody.
fn simultaneous_answers(queue: &dyn Queue) {
    const JOBS: u8 = 8;
    let worker = |name: &str| Worker::new(name, ["twice"]);
    let jobs: Vec<Job> = (0..JOBS)
        .map(|n| Job::new("twice", vec![n]).unwrap())
        .collect();
    for job in &jobs {
        queue
            .submit("twice", b"", std::slice::from_ref(job))
            .unwrap();
        let first = lease(queue, &worker("first"));
        thread::sleep(2 * SHORT);
        let second = lease(queue, &worker("second"));
        assert_eq!((first.job.id(), second.job.id()), (job.id(), job.id()));
        let start = Barrier::new(2);
        thread::scope(|scope| {
            for lease in [&first, &second] {
                let start = &start;
                scope.spawn(move || {
                    start.wait();
                    queue.complete(lease, lease.worker.as_bytes()).unwrap();
                });
            }
        });
        assert!(
            queue
                .lease(&worker("third"), Duration::ZERO)
                .unwrap()
                .is_none()
        );
    }
    let collect = || {
        let mut seen = Vec::new();
        let dead = gather(queue, "twice", &ids(&jobs), &(), |id, result| {
            assert!(result == b"first" || result == b"second");
            seen.push((id, result.to_vec()));
            Ok(())
        });
        assert!(dead.unwrap().is_empty());
        seen
    };
    let seen = collect();
    assert_eq!(seen.len(), jobs.len());
    assert_eq!(collect(), seen, "the answers stay");
    let progress = queue.progress("twice").unwrap();
    assert_eq!((progress.jobs, progress.done), (JOBS.into(), JOBS.into()));
    queue.cancel("twice").unwrap();
}

/// A worker answers a job of a batch that was cancelled and resubmitted in part: its answer counts for no other job,
/// and no more jobs are done than exist.
fn answers_of_the_past(queue: &dyn Queue) {
    let jobs = jobs(2);
    queue.submit("past", b"", &jobs[..1]).unwrap();
    let lease = queue
        .lease(&worker("slow"), Duration::ZERO)
        .unwrap()
        .unwrap();
    queue.cancel("past").unwrap();
    queue.submit("past", b"", &jobs[1..]).unwrap();
    queue.complete(&lease, b"late").unwrap();
    let progress = queue.progress("past").unwrap();
    assert!(progress.done <= progress.jobs, "{progress:?}");
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(SHORT);
            let tally = WorkerTally::default();
            work(queue, &worker("a"), Duration::ZERO, &tally, &(), double).unwrap();
        });
        assert_eq!(sum(queue, "past", &jobs[1..]), (2, 1));
    });
    queue.cancel("past").unwrap();
}

/// A worker without what a job needs does not get it.
fn needs(queue: &dyn Queue) {
    queue.submit("needs", b"", &jobs(1)).unwrap();
    let stranger = Worker::new("stranger", ["halve"]);
    assert!(queue.lease(&stranger, Duration::ZERO).unwrap().is_none());
    assert!(queue.lease(&worker("a"), Duration::ZERO).unwrap().is_some());
    queue.cancel("needs").unwrap();
}

/// A stop leaves the batch as it is.
fn detached(queue: &dyn Queue) {
    queue.submit("detached", b"", &jobs(3)).unwrap();
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = gather(queue, "detached", &ids(&jobs(3)), &cancel, |_, _| Ok(()));
    assert_eq!(stopped.unwrap_err().kind(), FaultKind::Stopped);
    work(
        queue,
        &worker("a"),
        Duration::ZERO,
        &WorkerTally::default(),
        &(),
        double,
    )
    .unwrap();
    assert_eq!(sum(queue, "detached", &jobs(3)).1, 3);
    queue.cancel("detached").unwrap();
}

/// Files too large for a message, and the list of workers.
fn files_and_workers(queue: &dyn Queue) {
    let large: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    let get = |most| queue.get("large", most);
    assert_eq!(get(MOST_FILE_BYTES).unwrap(), None);
    queue.put("large", &large).unwrap();
    assert_eq!(get(3_000_000).unwrap().as_deref(), Some(&*large));
    let error = get(2_999_999).unwrap_err();
    assert!(
        matches!(
            error,
            QueueError::FileTooLarge {
                bytes: 3_000_000,
                ..
            }
        ),
        "{error:?}"
    );
    assert_eq!(error.kind(), FaultKind::Damaged);
    for less in [&b"less"[..], b""] {
        queue.put("large", less).unwrap();
        assert_eq!(get(4).unwrap().as_deref(), Some(less));
    }
    assert!(queue.put("../large", b"").is_err());
    let mut report = WorkerReport {
        name: "here-1".to_owned(),
        cores: 4,
        ..WorkerReport::default()
    };
    queue.report(&report).unwrap();
    report.completed = 7;
    queue.report(&report).unwrap();
    assert_eq!(queue.workers().unwrap(), [report]);
    queue.sign_off("here-1").unwrap();
    assert_eq!(queue.workers().unwrap(), []);
    queue.submit("described", b"what it is", &jobs(1)).unwrap();
    assert_eq!(queue.about("described").unwrap(), b"what it is");
    queue.cancel("described").unwrap();
    assert!(queue.about("described").is_err());
}

/// All tests, on a queue and on the same one with short leases.
fn everything(queue: &dyn Queue, short: &dyn Queue) {
    shared_work(queue);
    simultaneous_submitters(queue);
    late_answers(short);
    simultaneous_answers(short);
    answers_of_the_past(queue);
    files_and_workers(queue);
    failures::poison(short);
    failures::a_broken_worker(short);
    failures::a_stopped_worker(short);
    needs(queue);
    detached(queue);
}

#[test]
fn the_embedded_queue() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("study.db");
    let [queue, short] = [(); 2].map(|()| SqliteQueue::open(&path).unwrap());
    everything(&queue, &short.with_lease(SHORT));
}

#[test]
fn two_processes_may_use_one_file() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("study.db");
    let [one, other] = [(); 2].map(|()| SqliteQueue::open(&path).unwrap());
    one.submit("both", b"", &jobs(20)).unwrap();
    thread::scope(|scope| {
        for queue in [&one, &other] {
            scope.spawn(|| {
                work(
                    queue,
                    &worker("w"),
                    Duration::ZERO,
                    &WorkerTally::default(),
                    &(),
                    double,
                )
                .unwrap()
            });
        }
    });
    assert_eq!(sum(&other, "both", &jobs(20)), (20 * 19, 20));
}

#[test]
fn what_is_no_queue_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let error = SqliteQueue::open(directory.path()).unwrap_err();
    assert!(matches!(error, QueueError::Unreachable { .. }), "{error}");
    let path = directory.path().join("text");
    std::fs::write(
        &path,
        "this is not a database, but it is long enough to look like one",
    )
    .unwrap();
    assert!(SqliteQueue::open(&path).is_err());
}
