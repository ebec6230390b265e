//! The driver against a scripted engine and against a real one.
#![cfg(unix)]

mod peer;
mod scripted;
mod stockfish;

use std::{path::PathBuf, time::Duration};

use errare_core::Cancel;
use errare_engine::{
    Engine, EngineError, EngineSettings, Evaluation, Next, Pool, PositionJob, PositionOutcome,
    PositionSource,
};

fn settings(path: PathBuf, depth: u8) -> EngineSettings {
    EngineSettings {
        path,
        depth,
        silence: Duration::from_secs(10),
    }
}

fn start(settings: &EngineSettings) -> Result<Engine, EngineError> {
    Engine::start(settings, Cancel::default())
}

/// Evaluates one position.
fn evaluate(settings: &EngineSettings, fen: &str) -> Result<Evaluation, EngineError> {
    start(settings)?.evaluate(fen, &peer::legal(fen))
}

/// Positions to be evaluated, and their outcomes.
struct Positions {
    waiting: Vec<(usize, String)>,
    outcomes: Vec<PositionOutcome<usize>>,
    stop_after: usize,
}

impl PositionSource for Positions {
    type Tag = usize;
    type Error = String;

    fn next(&mut self) -> Result<Next<usize>, String> {
        Ok(match self.waiting.pop() {
            None => Next::Nothing,
            Some((tag, fen)) => Next::PositionJob(PositionJob {
                tag,
                legal: peer::legal(&fen),
                fen,
            }),
        })
    }

    fn done(&mut self, outcome: PositionOutcome<usize>) -> Result<(), String> {
        self.outcomes.push(outcome);
        Ok(())
    }

    fn stop(&mut self) -> bool {
        self.outcomes.len() >= self.stop_after
    }
}

/// Evaluates positions by several engines; the outcomes in order of the positions.
fn run(
    settings: &EngineSettings,
    workers: usize,
    fens: &[&str],
    stop_after: usize,
) -> Vec<PositionOutcome<usize>> {
    let pool = Pool::start(settings.clone(), workers).expect("an engine");
    let waiting = fens.iter().map(|fen| (*fen).to_owned()).enumerate().rev();
    let mut positions = Positions {
        waiting: waiting.collect(),
        outcomes: Vec::new(),
        stop_after,
    };
    pool.run(&mut positions).expect("no error");
    positions.outcomes.sort_by_key(|outcome| outcome.job.tag);
    positions.outcomes
}
