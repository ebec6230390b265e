//! Several engines at work on many positions.
//!
//! The positions come from a [`Source`], which is asked for the next one whenever an engine is free, and is
//! told what came of it, always on the thread that runs the pool.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::Duration,
};

use shakmaty::uci::UciMove;

use crate::{Engine, EngineError, EngineKey, Evaluation, Settings};

/// How often an engine may fail at a position.
const ATTEMPTS: usize = 3;
/// How often to ask the source again, if it has nothing right now or wants to stop.
const PULSE: Duration = Duration::from_millis(200);

/// A position to be evaluated.
#[derive(Debug, Clone)]
pub struct Job<T> {
    /// What the source knows it by.
    pub tag: T,
    /// The position, without its move number.
    pub fen: String,
    /// Its legal moves.
    pub legal: Vec<UciMove>,
}

/// What a source has.
#[derive(Debug)]
pub enum Next<T> {
    /// A position.
    Job(Job<T>),
    /// Nothing right now.
    Later,
    /// Nothing any more.
    Nothing,
}

/// What came of a position.
#[derive(Debug)]
pub struct Outcome<T> {
    /// The position.
    pub job: Job<T>,
    /// What the engine made of it; the last error, if it failed again and again.
    pub result: Result<Evaluation, EngineError>,
    /// Errors after which the engine was started again and did better, or at least something else.
    pub earlier: Vec<EngineError>,
}

/// Where positions come from and evaluations go to.
pub trait Source {
    /// What a position is known by.
    type Tag: Send;
    /// What can go wrong.
    type Error;

    /// The next position.
    fn next(&mut self) -> Result<Next<Self::Tag>, Self::Error>;
    /// Takes what came of a position.
    fn done(&mut self, outcome: Outcome<Self::Tag>) -> Result<(), Self::Error>;
    /// Whether to stop, and leave what is in hand.
    fn stop(&mut self) -> bool;
}

/// Engines, all of the same kind.
#[derive(Debug)]
pub struct Pool {
    kind: Kind,
    workers: usize,
    /// The one that was asked who it is.
    first: Engine,
}

/// What the engines of a pool have in common.
#[derive(Debug)]
struct Kind {
    settings: Settings,
    key: EngineKey,
    stop: Arc<AtomicBool>,
}

impl Pool {
    /// Starts the first engine, to see who it is.
    pub fn start(settings: Settings, workers: usize) -> Result<Pool, EngineError> {
        let stop = Arc::new(AtomicBool::new(false));
        let first = Engine::start(&settings, Arc::clone(&stop))?;
        let kind = Kind {
            settings,
            key: first.key().clone(),
            stop,
        };
        Ok(Pool {
            kind,
            workers,
            first,
        })
    }

    /// Who the engines are.
    #[must_use]
    pub fn key(&self) -> &EngineKey {
        &self.kind.key
    }

    /// Works until the source has nothing any more, stops or fails.
    pub fn run<S: Source>(self, source: &mut S) -> Result<(), S::Error> {
        let (results, outcomes) = mpsc::channel();
        let kind = &self.kind;
        let mut first = Some(self.first);
        thread::scope(|scope| {
            let mut desks = Vec::with_capacity(self.workers);
            for desk in 0..self.workers {
                let (sender, jobs) = mpsc::channel();
                let (engine, results) = (first.take(), results.clone());
                scope.spawn(move || Worker { kind, engine }.work(desk, &jobs, &results));
                desks.push(sender);
            }
            let end = distribute(source, &desks, &outcomes);
            kind.stop.store(true, Relaxed);
            end
        })
    }
}

/// Gives the source's positions to whoever is free.
fn distribute<S: Source>(
    source: &mut S,
    desks: &[Sender<Job<S::Tag>>],
    outcomes: &Receiver<(usize, Outcome<S::Tag>)>,
) -> Result<(), S::Error> {
    let mut free: Vec<usize> = (0..desks.len()).rev().collect();
    let mut more = true;
    while !source.stop() {
        while more && let Some(desk) = free.pop() {
            match source.next()? {
                Next::Job(job) => desks[desk].send(job).expect("workers stay"),
                Next::Later => {
                    free.push(desk);
                    break;
                }
                Next::Nothing => {
                    free.push(desk);
                    more = false;
                }
            }
        }
        if !more && free.len() == desks.len() {
            break;
        }
        match outcomes.recv_timeout(PULSE) {
            Ok((desk, outcome)) => {
                free.push(desk);
                source.done(outcome)?;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => unreachable!("workers stay"),
        }
    }
    Ok(())
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
        jobs: &Receiver<Job<T>>,
        results: &Sender<(usize, Outcome<T>)>,
    ) {
        for job in jobs {
            let outcome = self.outcome(job);
            if results.send((desk, outcome)).is_err() {
                break;
            }
        }
    }

    fn outcome<T>(&mut self, job: Job<T>) -> Outcome<T> {
        let mut earlier = Vec::new();
        loop {
            let result = self.attempt(&job.fen, &job.legal);
            match result {
                Err(error) if earlier.len() + 1 < ATTEMPTS && error.may_pass() => {
                    earlier.push(error);
                }
                result => {
                    return Outcome {
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
    /// Starts an engine again. Programs may have been replaced meanwhile.
    fn start(&self) -> Result<Engine, EngineError> {
        let engine = Engine::start(&self.settings, Arc::clone(&self.stop))?;
        if *engine.key() == self.key {
            return Ok(engine);
        }
        Err(EngineError::Changed {
            before: self.key.to_string(),
            now: engine.key().to_string(),
        })
    }
}
