//! What every queue must do, tried on the embedded one and, with the feature `nats`, on a real server.

#[cfg(feature = "nats")]
mod access;
#[cfg(feature = "nats")]
mod server;

use std::{
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::Duration,
};

use errare_core::{Cancel, Fault, FaultKind};
use errare_jobs::{
    Job, MOST_TRIES, Queue, QueueError, SqliteQueue, Worker, WorkerReport, WorkerTally, gather,
    work,
};

/// A lease that is soon over.
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

fn worker(name: &str) -> Worker {
    Worker::new(name, ["double"])
}

/// The sum of all results, and how many there are.
fn sum(queue: &dyn Queue, batch: &str) -> (u32, usize) {
    let mut all = Vec::new();
    gather(queue, batch, &(), |_, result| {
        all.push(u32::from_le_bytes(result.try_into().unwrap()));
        Ok(())
    })
    .unwrap();
    (all.iter().sum(), all.len())
}

/// Jobs are done once by several workers, whoever submits them again.
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
    assert_eq!(sum(queue, "shared"), (60 * 59, 60));
    // What is done is not done again.
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
        sum(queue, "shared"),
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

/// A worker that falls silent loses its job to another, and its late answer changes nothing.
fn late_answers(queue: &dyn Queue) {
    let worker = |name: &str| Worker::new(name, ["answer"]);
    let job = Job::new("answer", b"a question".to_vec()).unwrap();
    queue.submit("late", b"", &[job]).unwrap();
    let silent = queue
        .lease(&worker("silent"), Duration::ZERO)
        .unwrap()
        .unwrap();
    assert!(queue.lease(&worker("b"), Duration::ZERO).unwrap().is_none());
    thread::sleep(2 * SHORT);
    let other = queue
        .lease(&worker("b"), Duration::from_secs(5))
        .unwrap()
        .unwrap();
    assert_eq!(other.tries, 2);
    queue.complete(&other, b"first").unwrap();
    queue.complete(&silent, b"late").unwrap();
    queue.complete(&other, b"again").unwrap();
    let mut seen = Vec::new();
    gather(queue, "late", &(), |_, result| {
        seen.push(result.to_vec());
        Ok(())
    })
    .unwrap();
    assert_eq!(seen, [b"first"]);
    queue.cancel("late").unwrap();
}

/// A job that always fails ends in the list of dead ones with its reason, and the others get done.
fn poison(queue: &dyn Queue) {
    queue.submit("poison", b"", &jobs(5)).unwrap();
    let tries = AtomicU32::new(0);
    let worked = work(
        queue,
        &worker("a"),
        Duration::from_secs(1),
        &WorkerTally::default(),
        &(),
        |job| match u32::from_le_bytes(job.payload().try_into().unwrap()) {
            3 => {
                tries.fetch_add(1, Ordering::Relaxed);
                Err("three is no number".to_owned())
            }
            4 if tries.load(Ordering::Relaxed) == 0 => panic!("once"),
            _ => double(job),
        },
    )
    .unwrap();
    assert_eq!(tries.into_inner(), MOST_TRIES);
    assert_eq!(worked.completed, 4);
    let dead = queue.dead("poison").unwrap();
    assert_eq!(dead.len(), 1);
    assert_eq!(
        (dead[0].needs.as_str(), dead[0].reason.as_str()),
        ("double", "three is no number")
    );
    assert_eq!(sum(queue, "poison").1, 4, "nobody waits for the dead");
    // Whoever submits it again has it tried again.
    queue.submit("poison", b"", &jobs(5)).unwrap();
    work(
        queue,
        &worker("a"),
        Duration::ZERO,
        &WorkerTally::default(),
        &(),
        double,
    )
    .unwrap();
    assert_eq!(sum(queue, "poison").1, 5);
    assert!(queue.dead("poison").unwrap().is_empty());
    queue.cancel("poison").unwrap();
}

/// Who does not have what a job needs does not get it.
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
    let stopped = gather(queue, "detached", &cancel, |_, _| Ok(()));
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
    assert_eq!(sum(queue, "detached").1, 3);
    queue.cancel("detached").unwrap();
}

/// What is too large for a message, and who is there.
fn files_and_workers(queue: &dyn Queue) {
    let large: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    assert_eq!(queue.get("large").unwrap(), None);
    queue.put("large", &large).unwrap();
    assert_eq!(queue.get("large").unwrap().as_deref(), Some(&*large));
    queue.put("large", b"less").unwrap();
    assert_eq!(queue.get("large").unwrap().as_deref(), Some(&b"less"[..]));
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
    queue.submit("described", b"what it is", &jobs(1)).unwrap();
    assert_eq!(queue.about("described").unwrap(), b"what it is");
    queue.cancel("described").unwrap();
    assert!(queue.about("described").is_err());
}

/// All of it, on a queue and on the same one with short leases.
fn everything(queue: &dyn Queue, short: &dyn Queue) {
    shared_work(queue);
    late_answers(short);
    poison(queue);
    needs(queue);
    detached(queue);
    files_and_workers(queue);
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
    assert_eq!(sum(&other, "both"), (20 * 19, 20));
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
