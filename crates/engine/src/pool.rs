//! A pool of engines that evaluates many positions.
//!
//! The positions come from a [`PositionSource`]. The pool asks it for the next one whenever an engine is free and
//! reports the outcome to it, always on the thread that runs the pool.

use std::{
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread,
    time::Duration,
};

use errare_core::Cancel;
use shakmaty::uci::UciMove;

use crate::{Engine, EngineError, EngineKey, EngineSettings, Evaluation};

/// How many times a position is tried.
const ATTEMPTS: usize = 3;
/// How often to poll the source when it has nothing right now, or may want to stop.
const PULSE: Duration = Duration::from_millis(200);

/// A position to evaluate.
#[derive(Debug, Clone)]
pub struct PositionJob<T> {
    /// The source's tag for it.
    pub tag: T,
    /// The position, without its move number.
    pub fen: String,
    /// Its legal moves.
    pub legal: Vec<UciMove>,
}

/// What a source offers.
#[derive(Debug)]
pub enum Next<T> {
    /// A position.
    PositionJob(PositionJob<T>),
    /// Nothing right now.
    Later,
    /// Nothing, now or later.
    Nothing,
}

/// The outcome of a job.
#[derive(Debug)]
pub struct PositionOutcome<T> {
    /// The position.
    pub job: PositionJob<T>,
    /// The evaluation, or the last error if every attempt failed.
    pub result: Result<Evaluation, EngineError>,
    /// Errors of earlier attempts, after each of which the engine was restarted.
    pub earlier: Vec<EngineError>,
}

/// Where positions come from and evaluations go to.
pub trait PositionSource {
    /// How the source identifies a position.
    type Tag: Send;
    /// Errors of the source.
    type Error;

    /// The next position.
    fn next(&mut self) -> Result<Next<Self::Tag>, Self::Error>;
    /// Receives the outcome of a position.
    fn done(&mut self, outcome: PositionOutcome<Self::Tag>) -> Result<(), Self::Error>;
    /// Should the pool stop and abandon the positions in progress?
    fn stop(&mut self) -> bool;
}

/// Engines of one kind.
#[derive(Debug)]
pub struct Pool {
    kind: Kind,
    workers: usize,
    /// The first engine, started to learn its identity.
    first: Engine,
}

/// What all engines of a pool have in common.
#[derive(Debug)]
struct Kind {
    settings: EngineSettings,
    key: EngineKey,
    cancel: Cancel,
}

impl Pool {
    /// Starts the first engine to learn its identity. The others, up to this many in total, start when there is
    /// work for them.
    pub fn start(settings: EngineSettings, workers: usize) -> Result<Pool, EngineError> {
        let cancel = Cancel::default();
        let first = Engine::start(&settings, cancel.clone())?;
        let kind = Kind {
            settings,
            key: first.key().clone(),
            cancel,
        };
        Ok(Pool {
            kind,
            workers,
            first,
        })
    }

    /// The engines' identity.
    #[must_use]
    pub fn key(&self) -> &EngineKey {
        &self.kind.key
    }

    /// Runs until the source is exhausted, stops or fails.
    pub fn run<S: PositionSource>(self, source: &mut S) -> Result<(), S::Error> {
        let (results, outcomes) = mpsc::channel();
        let kind = &self.kind;
        let mut first = Some(self.first);
        thread::scope(|scope| {
            let hire = |desk: usize| {
                let (sender, jobs) = mpsc::channel();
                let (engine, results) = (first.take(), results.clone());
                let work = move || Worker { kind, engine }.work(desk, &jobs, &results);
                let hired = thread::Builder::new().spawn_scoped(scope, work);
                hired.is_ok().then_some(sender)
            };
            let desks = Desks {
                hire,
                open: Vec::new(),
                free: Vec::new(),
                most: self.workers.max(1),
            };
            let end = desks.distribute(source, &outcomes);
            kind.cancel.cancel();
            end
        })
    }
}

/// The workers of a pool. A new one is started when there is a position and all others are busy.
struct Desks<T, H> {
    hire: H,
    open: Vec<Sender<PositionJob<T>>>,
    free: Vec<usize>,
    most: usize,
}

impl<T, H: FnMut(usize) -> Option<Sender<PositionJob<T>>>> Desks<T, H> {
    /// Is a worker free, or may another one start?
    fn has_room(&self) -> bool {
        !self.free.is_empty() || self.open.len() < self.most
    }

    /// Gives a position to an idle worker or a new one. Returns it if the system has no thread for one.
    fn give(&mut self, job: PositionJob<T>) -> Option<PositionJob<T>> {
        let desk = match self.free.pop() {
            Some(desk) => desk,
            None => match (self.hire)(self.open.len()) {
                Some(sender) => {
                    self.open.push(sender);
                    self.open.len() - 1
                }
                None => {
                    self.most = self.open.len();
                    return Some(job);
                }
            },
        };
        self.open[desk].send(job).expect("workers stay");
        None
    }

    /// Distributes the source's positions to workers until there are no more.
    fn distribute<S: PositionSource<Tag = T>>(
        mut self,
        source: &mut S,
        outcomes: &Receiver<(usize, PositionOutcome<T>)>,
    ) -> Result<(), S::Error> {
        let mut waiting = None;
        let mut more = true;
        while !source.stop() {
            while self.has_room() && (more || waiting.is_some()) {
                let next = waiting
                    .take()
                    .map_or_else(|| source.next(), |job| Ok(Next::PositionJob(job)));
                match next? {
                    Next::PositionJob(job) => {
                        waiting = self.give(job);
                        assert!(
                            waiting.is_none() || !self.open.is_empty(),
                            "the system has no thread to spare"
                        );
                    }
                    Next::Later => break,
                    Next::Nothing => more = false,
                }
            }
            if !more && waiting.is_none() && self.free.len() == self.open.len() {
                break;
            }
            match outcomes.recv_timeout(PULSE) {
                Ok((desk, outcome)) => {
                    self.free.push(desk);
                    source.done(outcome)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => unreachable!("the pool holds a sender"),
            }
        }
        Ok(())
    }
}

/// A thread with an engine.
struct Worker<'k> {
    kind: &'k Kind,
    engine: Option<Engine>,
}

impl Worker<'_> {
    fn work<T>(
        mut self,
        desk: usize,
        jobs: &Receiver<PositionJob<T>>,
        results: &Sender<(usize, PositionOutcome<T>)>,
    ) {
        for job in jobs {
            let outcome = self.outcome(job);
            if results.send((desk, outcome)).is_err() {
                break;
            }
        }
    }

    fn outcome<T>(&mut self, job: PositionJob<T>) -> PositionOutcome<T> {
        let mut earlier = Vec::new();
        loop {
            let result = self.attempt(&job.fen, &job.legal);
            match result {
                Err(error) if earlier.len() + 1 < ATTEMPTS && error.may_pass() => {
                    tracing::warn!(fen = %job.fen, %error, "the engine failed; starting it again");
                    earlier.push(error);
                }
                result => {
                    return PositionOutcome {
                        job,
                        result,
                        earlier,
                    };
                }
            }
        }
    }

    fn attempt(&mut self, fen: &str, legal: &[UciMove]) -> Result<Evaluation, EngineError> {
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.kind.start()?,
        };
        let evaluation = engine.evaluate(fen, legal)?;
        self.engine = Some(engine);
        Ok(evaluation)
    }
}

impl Kind {
    /// Restarts an engine and checks its identity, as the program may have been replaced meanwhile.
    fn start(&self) -> Result<Engine, EngineError> {
        let engine = Engine::start(&self.settings, self.cancel.clone())?;
        if *engine.key() == self.key {
            return Ok(engine);
        }
        Err(EngineError::Changed {
            before: self.key.to_string(),
            now: engine.key().to_string(),
        })
    }
}
