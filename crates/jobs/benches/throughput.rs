//! What a queue costs: `cargo bench -p errare-jobs --bench throughput`. Empty jobs a second, and the overhead of
//! one-second jobs; it fails if they are not within the bounds below.

use std::{
    process::ExitCode,
    thread,
    time::{Duration, Instant},
};

use errare_jobs::{Job, Queue, SqliteQueue, Worker, WorkerTally, gather, work};

const EMPTY: u32 = 10_000;
const SLOW: u32 = 80;
const WORKERS: u32 = 4;
/// The fewest empty jobs a second.
const RATE: f64 = 2000.0;
/// The maximum overhead of one-second jobs compared with no queue, in percent.
const OVERHEAD: f64 = 3.0;

fn main() -> ExitCode {
    // Cargo also runs benches as tests; then there is nothing to measure.
    if std::env::args().any(|argument| argument == "--test") {
        return ExitCode::SUCCESS;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("queue.db");
    let holds = measure("SQLite", &|| {
        Box::new(SqliteQueue::open(&path).expect("a queue"))
    });
    #[cfg(feature = "nats")]
    let holds = {
        let server = errare_testing::NatsServer::start(directory.path(), &[]);
        let address = server.address();
        measure("NATS", &|| {
            let access = errare_jobs::NatsAccess::default();
            Box::new(errare_jobs::NatsQueue::connect(&address, &access).expect("a queue"))
        }) && holds
    };
    match holds {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Is a queue within the bounds?
fn measure(name: &str, open: &(dyn Fn() -> Box<dyn Queue> + Sync)) -> bool {
    let jobs = |count: u32| -> Vec<Job> {
        let job = |n: u32| Job::new("bench", n.to_le_bytes().to_vec()).expect("a job");
        (0..count).map(job).collect()
    };
    let empty = timed(open, &jobs(EMPTY), Duration::ZERO);
    let rate = f64::from(EMPTY) / empty.as_secs_f64();
    println!("{name}: {rate:.0} empty jobs a second, {WORKERS} workers");
    let second = Duration::from_secs(1);
    let slow = timed(open, &jobs(SLOW), second);
    let ideal = f64::from(SLOW / WORKERS);
    let overhead = 100.0 * (slow.as_secs_f64() / ideal - 1.0);
    println!("{name}: {overhead:.2} % overhead of jobs of one second");
    rate > RATE && overhead < OVERHEAD
}

/// How long workers take for jobs of this length, including submission and collection.
fn timed(open: &(dyn Fn() -> Box<dyn Queue> + Sync), jobs: &[Job], length: Duration) -> Duration {
    let queue = open();
    let begun = Instant::now();
    queue.submit("bench", b"", jobs).expect("submitted");
    let mut end = begun;
    thread::scope(|scope| {
        for number in 0..WORKERS {
            scope.spawn(move || {
                let queue = open();
                let worker = Worker::new(format!("bench-{number}"), ["bench"]);
                let idle = Duration::from_secs(1);
                work(
                    &*queue,
                    &worker,
                    idle,
                    &WorkerTally::default(),
                    &(),
                    |job| {
                        thread::sleep(length);
                        Ok(job.payload().to_vec())
                    },
                )
                .expect("worked");
            });
        }
        let ids: Vec<_> = jobs.iter().map(Job::id).collect();
        gather(&*queue, "bench", &ids, &(), |_, _| Ok(())).expect("gathered");
        end = Instant::now();
    });
    queue.cancel("bench").expect("forgotten");
    end - begun
}
