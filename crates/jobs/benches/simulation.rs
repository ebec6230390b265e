//! A thousand workers against a real server: `cargo bench -p errare-jobs --bench simulation`.
//!
//! Jobs and answers have the size of eight positions at depth 12, and a job takes as long. Its worker sleeps, so only
//! the server and the messages are measured. Each worker has its own connection, as a machine would: run
//! `ulimit -n 4096` first. The figures go into the estimate of docs/fleet.md.

use std::{
    collections::BTreeMap,
    error::Error,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use errare_core::{Cancel, Watch};
use errare_jobs::{Job, JobId, NatsAccess, NatsQueue, Queue, Worker, WorkerTally, gather, work};
use errare_testing::NatsServer;
use serde_json::Value;

const WORKERS: usize = 1000;
/// Bytes of a job with eight positions, and of its answer.
const JOB: usize = 800;
const ANSWER: usize = 12_000;
/// Bytes of a job that takes no time.
const SHORT: usize = 8;
/// How long such a job takes at one second a position.
const LENGTH: Duration = Duration::from_secs(8);
/// Jobs of that length: four for each worker.
const STEADY: usize = 4 * WORKERS;
/// Jobs that take no time, to see what this many workers cost the server.
const EMPTY: usize = 10_000;
/// Jobs of batches that are only submitted, to see what batch size costs.
const SIZES: [usize; 3] = [10_000, 30_000, 100_000];
/// The jobs of the estimate.
const MILLION_GAMES: f64 = 45e6 / 8.0;

fn main() -> Result<(), Box<dyn Error>> {
    // Cargo also runs benches as tests; then there is nothing to measure.
    if std::env::args().any(|argument| argument == "--test") {
        return Ok(());
    }
    let directory = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let server = NatsServer::start(directory.path(), &["-m", &port.to_string()]);
    let address = server.address();
    let connect = || NatsQueue::connect(&address, &NatsAccess::default());
    let queue = connect()?;

    let watch = Overseer::default();
    let tally = WorkerTally::default();
    thread::scope(|scope| {
        let begun = Instant::now();
        let workers = (0..WORKERS)
            .map(|_| connect())
            .collect::<Result<Vec<_>, _>>()?;
        println!(
            "{WORKERS} workers connected in {:.1} s",
            begun.elapsed().as_secs_f64()
        );
        for (number, queue) in workers.into_iter().enumerate() {
            let (watch, tally) = (&watch, &tally);
            scope.spawn(move || {
                let kit = ["engine", "fits", "games", "tables"];
                let worker = Worker::new(format!("worker-{number}"), kit);
                let done = work(&queue, &worker, Duration::MAX, tally, watch, |job| {
                    if is_empty(job) {
                        return Ok(Vec::new());
                    }
                    thread::sleep(LENGTH);
                    Ok(vec![7; ANSWER])
                });
                if let Err(error) = done {
                    eprintln!("worker-{number}: {error}");
                }
            });
        }
        let measured = at_rest(port)
            .and_then(|()| without_length(&queue))
            .and_then(|()| at_work(&queue, port));
        watch.switch.cancel();
        measured
    })?;

    watch.report();
    for size in SIZES {
        large(&queue, size)?;
    }
    Ok(())
}

/// The thousand workers, idle.
fn at_rest(port: u16) -> Result<(), Box<dyn Error>> {
    thread::sleep(Duration::from_secs(5));
    let before = Traffic::of(port)?;
    thread::sleep(Duration::from_secs(10));
    let idle = Traffic::of(port)?.since(&before);
    println!(
        "at rest: {:.0} messages a second, {:.1} MB a second",
        idle.messages / 10.0,
        idle.bytes / 1e7
    );
    Ok(())
}

/// Jobs that take no time.
fn without_length(queue: &NatsQueue) -> Result<(), Box<dyn Error>> {
    let begun = Instant::now();
    let jobs = jobs_of(EMPTY, SHORT);
    queue.submit("empty", b"", &jobs)?;
    let dead = gather(queue, "empty", &ids(&jobs), &(), |_, _| Ok(()))?.len();
    println!(
        "empty jobs: {} done and {dead} given up, {:.0} a second",
        EMPTY - dead,
        EMPTY as f64 / begun.elapsed().as_secs_f64()
    );
    Ok(queue.cancel("empty")?)
}

/// Jobs of a study.
fn at_work(queue: &NatsQueue, port: u16) -> Result<(), Box<dyn Error>> {
    let before = Traffic::of(port)?;
    let begun = Instant::now();
    let jobs = jobs_of(STEADY, JOB);
    queue.submit("simulation", b"", &jobs)?;
    let submitted = begun.elapsed().as_secs_f64();
    gather(queue, "simulation", &ids(&jobs), &(), |_, _| Ok(()))?;
    let took = begun.elapsed().as_secs_f64();
    let all = Traffic::of(port)?.since(&before);
    let count = STEADY as f64;
    let ideal = (STEADY / WORKERS) as f64 * LENGTH.as_secs_f64();
    println!(
        "at work: {STEADY} jobs submitted in {submitted:.1} s, done in {took:.1} s, {:.0} a second, \
         {:.1} % longer than without a queue",
        count / took,
        100.0 * (took / ideal - 1.0)
    );
    println!(
        "{:.1} messages and {:.1} kB a job, {:.0} MB of the server's memory",
        all.messages / count,
        all.bytes / count / 1e3,
        all.memory / 1e6,
    );
    println!(
        "for {MILLION_GAMES:.2e} jobs: {:.0} million messages, {:.0} GB",
        all.messages / count * MILLION_GAMES / 1e6,
        all.bytes / count * MILLION_GAMES / 1e9
    );
    Ok(queue.cancel("simulation")?)
}

/// What a large batch costs: to submit it, to ask for its progress, to submit it again.
fn large(queue: &NatsQueue, size: usize) -> Result<(), Box<dyn Error>> {
    let jobs: Vec<Job> = jobs_of(size, JOB)
        .iter()
        .map(|job| Job::new("nobody", job.payload().to_vec()))
        .collect::<Result<_, _>>()?;
    let timed = |act: &dyn Fn() -> Result<(), errare_jobs::QueueError>| {
        let begun = Instant::now();
        act().map(|()| begun.elapsed().as_secs_f64())
    };
    let submit = || queue.submit("large", b"", &jobs);
    let first = timed(&submit)?;
    let progress = timed(&|| queue.progress("large").map(drop))?;
    let again = timed(&submit)?;
    println!(
        "a batch of {size} jobs: submitted in {first:.1} s, progress in {:.0} ms, submitted again in {again:.1} s",
        1e3 * progress
    );
    Ok(queue.cancel("large")?)
}

/// Does a job take no time?
fn is_empty(job: &Job) -> bool {
    job.payload().len() == SHORT
}

fn ids(jobs: &[Job]) -> Vec<JobId> {
    jobs.iter().map(Job::id).collect()
}

/// Different jobs of this many bytes.
fn jobs_of(count: usize, bytes: usize) -> Vec<Job> {
    let job = |number: usize| {
        let mut payload = vec![1; bytes];
        payload[..8].copy_from_slice(&(number as u64).to_le_bytes());
        Job::new("engine", payload).expect("a job")
    };
    (0..count).map(job).collect()
}

/// Stops all workers, and notes what they wait for.
#[derive(Default)]
struct Overseer {
    switch: Cancel,
    heard: Mutex<BTreeMap<String, usize>>,
}

impl Overseer {
    fn report(&self) {
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        for (message, times) in &*heard {
            println!("{times} times: {message}");
        }
    }
}

impl Watch for Overseer {
    fn tell(&self, message: &str) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        *heard.entry(message.to_owned()).or_default() += 1;
    }

    fn is_stopped(&self) -> bool {
        self.switch.is_stopped()
    }
}

/// A server's traffic, in both directions.
struct Traffic {
    messages: f64,
    bytes: f64,
    memory: f64,
}

impl Traffic {
    /// The server's own statistics.
    fn of(port: u16) -> Result<Traffic, Box<dyn Error>> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.write_all(b"GET /varz HTTP/1.0\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let body = answer.split_once("\r\n\r\n").ok_or("no answer")?.1;
        let said: Value = serde_json::from_str(body)?;
        let number = |name: &str| said[name].as_f64().unwrap_or(f64::NAN);
        Ok(Traffic {
            messages: number("in_msgs") + number("out_msgs"),
            bytes: number("in_bytes") + number("out_bytes"),
            memory: number("mem"),
        })
    }

    fn since(&self, before: &Traffic) -> Traffic {
        Traffic {
            messages: self.messages - before.messages,
            bytes: self.bytes - before.bytes,
            memory: self.memory,
        }
    }
}
