//! Two workers share a queue: `cargo run -p errare-jobs --example squares`.

use std::{error::Error, thread, time::Duration};

use errare_core::Cancel;
use errare_jobs::{Job, Queue, SqliteQueue, Worker, WorkerTally, gather, work};

fn main() -> Result<(), Box<dyn Error>> {
    let queue = SqliteQueue::in_memory()?;
    let jobs: Result<Vec<Job>, _> = (1..=9).map(|n| Job::new("square", vec![n])).collect();
    let jobs = jobs?;
    let ids: Vec<_> = jobs.iter().map(Job::id).collect();
    queue.submit("squares", b"the first squares", &jobs)?;

    let cancel = Cancel::default();
    thread::scope(|scope| {
        for name in ["worker-1", "worker-2"] {
            let (queue, cancel) = (&queue, &cancel);
            scope.spawn(move || {
                let worker = Worker::new(name, ["square"]);
                work(
                    queue,
                    &worker,
                    Duration::ZERO,
                    &WorkerTally::default(),
                    cancel,
                    |job| Ok(vec![job.payload()[0].pow(2)]),
                )
            });
        }
    });

    let mut squares = Vec::new();
    gather(&queue, "squares", &ids, &cancel, |_, result| {
        squares.push(result[0]);
        Ok(())
    })?;
    squares.sort_unstable();
    assert_eq!(squares, [1, 4, 9, 16, 25, 36, 49, 64, 81]);
    println!("{squares:?}");
    Ok(())
}

#[test]
fn it_runs() {
    main().unwrap();
}
