//! Evaluates the positions of a study with engines of this process.

use std::collections::{BTreeSet, VecDeque};

use errare_core::Watch;
use errare_engine::{EngineKey, Next, Pool, PositionJob, PositionOutcome, PositionSource};

use super::{
    Study, StudyError,
    worker::{Attempt, Pending, StudyWorker},
};
use crate::GameId;

/// The number of consecutive failures after which the engine is abandoned.
const PATIENCE: usize = 5;

/// The number of positions claimed at once: a transaction for each would cost as much as everything else.
const CLAIMS: usize = 8;

/// The result of an evaluation run.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct EvaluationCounts {
    /// Positions evaluated before.
    pub known: usize,
    /// Positions evaluated now.
    pub evaluated: usize,
    /// Positions evaluated by other processes meanwhile.
    pub elsewhere: usize,
    /// Positions at which the engine kept failing.
    pub failed: usize,
    /// Positions not evaluated.
    pub left: usize,
    /// The number of times the engine was restarted.
    pub restarts: usize,
    /// Was it stopped?
    pub interrupted: bool,
    /// The errors at the positions that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<FailedPosition>,
}

/// A position at which the engine kept failing.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FailedPosition {
    /// The position, without its move number.
    pub fen: String,
    /// The last error.
    pub reason: String,
}

impl Study {
    /// The number of positions that are left to evaluate, in these games or in all.
    pub fn unevaluated(
        &self,
        key: &EngineKey,
        games: Option<&BTreeSet<GameId>>,
    ) -> Result<usize, StudyError> {
        Ok(self.wanted(key, games)?.pending.len())
    }

    /// Evaluates every position of eligible turns that has not been evaluated yet, in these games or in all.
    ///
    /// `watch` may stop it, which the report says. Each evaluation is stored at once, and several processes
    /// may run this at the same time. If the engine fails at several positions in a row, the rest is left.
    pub fn evaluate(
        &mut self,
        pool: Pool,
        games: Option<&BTreeSet<GameId>>,
        watch: &dyn Watch,
    ) -> Result<EvaluationCounts, StudyError> {
        let worker = self.worker(pool.key())?;
        let wanted = self.wanted(pool.key(), games)?;
        let (known, pending) = (wanted.known, wanted.pending.len());
        tracing::info!(engine = %pool.key(), known, pending, "evaluating positions");
        watch.begin("evaluating positions", Some(pending as u64));
        let mut work = Work {
            report: EvaluationCounts {
                known: wanted.known,
                left: wanted.pending.len(),
                ..EvaluationCounts::default()
            },
            study: self,
            worker,
            waiting: wanted.pending.into(),
            ours: VecDeque::new(),
            taken: VecDeque::new(),
            failures: 0,
            watch,
        };
        let ended = pool.run(&mut work);
        let Work {
            study,
            worker,
            report,
            ..
        } = work;
        study.release_all(&worker)?;
        let (evaluated, failed, left) = (report.evaluated, report.failed, report.left);
        tracing::info!(evaluated, failed, left, "evaluation ended");
        ended.map(|()| report)
    }
}

/// The positions in progress.
struct Work<'s> {
    study: &'s mut Study,
    worker: StudyWorker,
    /// Positions not examined yet.
    waiting: VecDeque<Pending>,
    /// Positions claimed for the next free engines.
    ours: VecDeque<Pending>,
    /// Positions claimed by other processes.
    taken: VecDeque<Pending>,
    /// The number of consecutive failures.
    failures: usize,
    report: EvaluationCounts,
    watch: &'s dyn Watch,
}

impl Work<'_> {
    /// Claims some of the remaining positions.
    fn claim(&mut self) -> Result<(), StudyError> {
        let Work {
            study,
            worker,
            waiting,
            ours,
            taken,
            ..
        } = self;
        let mut done = 0;
        study.exclusively(|study| {
            while ours.len() < CLAIMS
                && let Some(position) = waiting.pop_front()
            {
                match study.attempt(worker, position.id)? {
                    Attempt::Done => done += 1,
                    Attempt::Claimed => ours.push_back(position),
                    Attempt::Taken => taken.push_back(position),
                }
            }
            Ok(())
        })?;
        self.report.elsewhere += done;
        self.report.left -= done;
        self.watch.advance(done as u64);
        Ok(())
    }
}

impl PositionSource for Work<'_> {
    type Tag = Pending;
    type Error = StudyError;

    fn next(&mut self) -> Result<Next<Pending>, StudyError> {
        while self.ours.is_empty() && !self.waiting.is_empty() {
            self.claim()?;
        }
        if let Some(position) = self.ours.pop_front() {
            return Ok(Next::PositionJob(PositionJob {
                legal: position.legal()?,
                fen: position.fen.clone(),
                tag: position,
            }));
        }
        if self.taken.is_empty() {
            return Ok(Next::Nothing);
        }
        // Other processes have the rest, and may have finished or died the next time.
        self.study.bury(&self.worker)?;
        std::mem::swap(&mut self.waiting, &mut self.taken);
        Ok(Next::Later)
    }

    fn done(&mut self, outcome: PositionOutcome<Pending>) -> Result<(), StudyError> {
        let PositionOutcome {
            job,
            result,
            earlier,
        } = outcome;
        let fen = &job.fen;
        for error in &earlier {
            self.report.restarts += 1;
            self.watch
                .tell(&format!("{fen}: {error}; the engine is started again"));
        }
        self.report.left -= 1;
        self.watch.advance(1);
        match result {
            Ok(evaluation) => {
                self.study.record(&self.worker, &job.tag, &evaluation)?;
                self.failures = 0;
                self.report.evaluated += 1;
            }
            Err(error) => {
                self.study.release(&self.worker, &job.tag)?;
                self.failures += 1;
                self.report.failed += 1;
                self.watch
                    .tell(&format!("{fen}: {error}; the position is left out"));
                self.report.failures.push(FailedPosition {
                    fen: job.fen,
                    reason: error.to_string(),
                });
            }
        }
        Ok(())
    }

    fn stop(&mut self) -> bool {
        self.report.interrupted |= self.watch.is_stopped();
        self.report.interrupted || self.failures >= PATIENCE
    }
}
