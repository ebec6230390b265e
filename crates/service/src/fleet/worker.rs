//! A worker process: runs jobs of a queue on several cores, with its own engine and tables.

use std::{
    collections::{BTreeSet, HashMap, VecDeque},
    path::PathBuf,
    process, thread,
    time::{Duration, Instant},
};

use errare_core::{Cancel, FaultKind, Watch};
use errare_engine::{Engine, EngineKey};
use errare_jobs::{Job, Queue, QueueError, Worker, WorkerReport, WorkerTally, work};
use serde::{Deserialize, Serialize};

use super::{
    QueueChoice, Work,
    evaluations::Evaluated,
    games,
    piece::{kit, pending},
    replicates, tables,
};
use crate::{Error, Service, engine::EngineChoice, workers::workers};

/// Interval between checks for a stop.
const PULSE: Duration = Duration::from_millis(100);
/// Interval between heartbeats.
const SIGN: Duration = Duration::from_secs(5);
/// The period of the reported rate.
const MINUTE: Duration = Duration::from_secs(60);

/// A worker's settings.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The queue.
    pub queue: QueueChoice,
    /// The engine. If none is named and none is found, jobs that need one are left to other workers.
    pub engine: EngineChoice,
    /// The number of concurrent jobs; one per core if missing.
    pub cores: Option<usize>,
    /// Seconds without a job after which it exits; it waits for ever if missing.
    pub idle: Option<u64>,
}

/// A worker's totals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Its name in the queue.
    pub name: String,
    /// The number of jobs answered.
    pub completed: u64,
    /// The number of jobs that failed here.
    pub failed: u64,
}

/// Runs until stopped, or until there has been nothing to do for long enough.
pub fn run(service: &Service, request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let cores = workers(request.cores, u64::MAX)?;
    let desk = Desk {
        service,
        queue: request.queue.open_existing()?,
        engine: find_engine(&request.engine, watch)?,
        name: name(),
        cancel: Cancel::default(),
    };
    watch.begin("jobs done", None);
    watch.tell(&format!("{} works for {}", desk.name, desk.queue.address()));
    let idle = request.idle.map_or(Duration::MAX, Duration::from_secs);
    let tally = WorkerTally::default();
    let ended = thread::scope(|scope| {
        let hands: Vec<_> = (0..cores)
            .map(|_| {
                let (desk, tally) = (&desk, &tally);
                scope.spawn(move || desk.work(idle, tally, watch))
            })
            .collect();
        desk.give_signs(cores, &tally, watch, || {
            hands.iter().all(thread::ScopedJoinHandle::is_finished)
        });
        hands.into_iter().try_for_each(|hand| match hand.join() {
            Ok(Err(QueueError::Stopped(_)) | Ok(())) => Ok(()),
            Ok(Err(error)) => Err(Error::from(error)),
            Err(_) => Err(Error::new(
                FaultKind::Internal,
                "a thread of the worker panicked",
            )),
        })
    });
    ended?;
    let done = tally.so_far();
    Ok(Answer {
        name: desk.name,
        completed: done.completed,
        failed: done.failed,
    })
}

/// The engine for jobs, with its identity. A missing engine is an error only if one was named.
fn find_engine(
    choice: &EngineChoice,
    watch: &dyn Watch,
) -> Result<Option<(EngineChoice, EngineKey)>, Error> {
    match choice.key(1) {
        Ok(key) => Ok(Some((choice.clone(), key))),
        Err(error) if choice.path.is_none() && error.kind() == FaultKind::Missing => {
            watch.tell(&format!(
                "{error}; jobs that need an engine are left to others"
            ));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// A unique worker name: machine and process.
fn name() -> String {
    let host = sysinfo::System::host_name().unwrap_or_default();
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let host: String = host.chars().filter(|c| plain(*c)).take(40).collect();
    match host.is_empty() {
        true => format!("worker-{}", process::id()),
        false => format!("{host}-{}", process::id()),
    }
}

/// State shared by the threads of a worker.
struct Desk<'s> {
    service: &'s Service,
    queue: Box<dyn Queue>,
    engine: Option<(EngineChoice, EngineKey)>,
    name: String,
    /// Kills all engines.
    cancel: Cancel,
}

impl Desk<'_> {
    fn key(&self) -> Option<&EngineKey> {
        self.engine.as_ref().map(|(_, key)| key)
    }

    /// Sends heartbeats until all threads are done; kills engines when the worker must stop.
    fn give_signs(
        &self,
        cores: usize,
        tally: &WorkerTally,
        watch: &dyn Watch,
        is_done: impl Fn() -> bool,
    ) {
        let version = env!("CARGO_PKG_VERSION");
        let kit = match self.key() {
            Some(EngineKey {
                name,
                version: of,
                net,
                ..
            }) => {
                let kit = format!("errare {version}, {name} {of}");
                match net.as_str() {
                    "" => kit,
                    net => format!("{kit} ({net})"),
                }
            }
            None => format!("errare {version}, no engine"),
        };
        let has: BTreeSet<String> = self::kit(self.key()).into_iter().collect();
        let mut last: Option<Instant> = None;
        let mut history: VecDeque<(Instant, u64)> = VecDeque::new();
        while !is_done() {
            if watch.is_stopped() {
                self.cancel.cancel();
            }
            if last.is_none_or(|last| last.elapsed() >= SIGN) {
                last = Some(Instant::now());
                let done = tally.so_far();
                history.push_back((Instant::now(), done.completed));
                while history.len() > 1 && history[0].0.elapsed() > MINUTE {
                    history.pop_front();
                }
                let report = WorkerReport {
                    name: self.name.clone(),
                    kit: kit.clone(),
                    has: has.clone(),
                    cores,
                    completed: done.completed,
                    failed: done.failed,
                    per_minute: done.completed - history[0].1,
                    trouble: tally.trouble(),
                };
                if let Err(error) = self.queue.report(&report) {
                    tracing::debug!(%error, "cannot give a sign of life");
                }
            }
            thread::sleep(PULSE);
        }
        if let Err(error) = self.queue.sign_off(&self.name) {
            tracing::debug!(%error, "cannot sign off");
        }
    }

    /// Runs jobs on one core.
    fn work(
        &self,
        idle: Duration,
        tally: &WorkerTally,
        watch: &dyn Watch,
    ) -> Result<(), QueueError> {
        let worker = Worker::new(self.name.clone(), kit(self.key()));
        let mut hand = Hand {
            desk: self,
            engines: HashMap::new(),
        };
        let queue = &*self.queue;
        work(queue, &worker, idle, tally, watch, |job| hand.act(job))?;
        Ok(())
    }
}

/// One core of a worker.
struct Hand<'d> {
    desk: &'d Desk<'d>,
    /// Engines by depth.
    engines: HashMap<u8, Engine>,
}

impl Hand<'_> {
    fn act(&mut self, job: &Job) -> Result<Vec<u8>, String> {
        let work = Work::of(job).map_err(|error| error.to_string())?;
        let Desk {
            service,
            queue,
            cancel,
            ..
        } = self.desk;
        let queue = &**queue;
        match work {
            Work::Evaluate {
                engine, positions, ..
            } => self.evaluate(&engine, &positions),
            Work::Play {
                file, first, count, ..
            } => games::work(
                service,
                queue,
                self.path(),
                &file,
                first..first + count,
                cancel,
            ),
            Work::Replicate { file, first, count } => {
                replicates::work(queue, &file, first..first + count, cancel)
            }
            Work::Build { endgame, metrics } => {
                tables::work(service, queue, endgame, &metrics, cancel)
            }
        }
    }

    fn path(&self) -> Option<PathBuf> {
        self.desk.engine.as_ref()?.0.path.clone()
    }

    fn evaluate(&mut self, wanted: &EngineKey, positions: &[String]) -> Result<Vec<u8>, String> {
        let mut engine = match self.engines.remove(&wanted.depth) {
            Some(engine) => engine,
            None => self.start(wanted.depth)?,
        };
        if engine.key() != wanted {
            return Err(format!("this worker has {}, not {wanted}", engine.key()));
        }
        let mut evaluations = Vec::with_capacity(positions.len());
        for fen in positions {
            let legal = pending(fen).legal().map_err(|error| error.to_string())?;
            // After an error the engine is dropped: the next attempt starts a new one.
            let evaluation = engine.evaluate(fen, &legal);
            evaluations.push(evaluation.map_err(|error| format!("{fen}: {error}"))?);
        }
        self.engines.insert(wanted.depth, engine);
        let worker = self.desk.name.clone();
        Ok(Evaluated {
            worker,
            evaluations,
        }
        .write())
    }

    fn start(&self, depth: u8) -> Result<Engine, String> {
        let (choice, _) = self
            .desk
            .engine
            .as_ref()
            .ok_or("this worker has no engine")?;
        let settings = choice.settings(depth).map_err(|error| error.to_string())?;
        let engine = Engine::start(&settings, self.desk.cancel.clone());
        engine.map_err(|error| error.to_string())
    }
}
