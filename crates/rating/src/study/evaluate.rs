//! Having the positions of a study evaluated by engines of this process.

use std::collections::{BTreeSet, VecDeque};

use errare_core::Watch;
use errare_engine::{Job, Next, Outcome, Pool, PositionSource};

use super::{
    Study, StudyError,
    worker::{Attempt, Pending, Worker},
};
use crate::GameId;

/// After so many positions in a row at which the engine failed, it is not asked any more.
const PATIENCE: usize = 5;

/// How many positions are claimed in one go: a transaction for each would cost as much as the rest.
const CLAIMS: usize = 8;

/// What was done.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Evaluated {
    /// Positions that were evaluated before.
    pub known: usize,
    /// Positions that were evaluated now.
    pub evaluated: usize,
    /// Positions that other processes evaluated meanwhile.
    pub elsewhere: usize,
    /// Positions at which the engine kept failing.
    pub failed: usize,
    /// Positions that are left.
    pub left: usize,
    /// Times the engine had to be started again.
    pub restarts: usize,
    /// Whether it was told to stop.
    pub interrupted: bool,
    /// What went wrong at the positions that failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
}

/// A position at which the engine kept failing.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Failure {
    /// The position, without its move number.
    pub fen: String,
    /// What the engine did last.
    pub reason: String,
}

impl Study {
    /// Has every position of eligible turns evaluated that is not yet, in these games or in all.
    ///
    /// `watch` may stop it: the report says so then. What is evaluated is kept at once; several processes may
    /// do this at the same time. If the engine fails at several positions in a row, the rest is left.
    pub fn evaluate(
        &mut self,
        pool: Pool,
        games: Option<&BTreeSet<GameId>>,
        watch: &dyn Watch,
    ) -> Result<Evaluated, StudyError> {
        let worker = self.worker(pool.key())?;
        let wanted = self.wanted(pool.key(), games)?;
        let (known, pending) = (wanted.known, wanted.pending.len());
        tracing::info!(engine = %pool.key(), known, pending, "evaluating positions");
        watch.begin("evaluating positions", Some(pending as u64));
        let mut work = Work {
            report: Evaluated {
                known: wanted.known,
                left: wanted.pending.len(),
                ..Evaluated::default()
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

/// The positions at hand.
struct Work<'s> {
    study: &'s mut Study,
    worker: Worker,
    /// Positions not looked at yet.
    waiting: VecDeque<Pending>,
    /// Positions that are claimed for the next engines that are free.
    ours: VecDeque<Pending>,
    /// Positions that other processes have in hand.
    taken: VecDeque<Pending>,
    /// Positions in a row at which the engine failed.
    failures: usize,
    report: Evaluated,
    watch: &'s dyn Watch,
}

impl Work<'_> {
    /// Claims some of the positions that are still to be done.
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
            return Ok(Next::Job(Job {
                legal: position.legal()?,
                fen: position.fen.clone(),
                tag: position,
            }));
        }
        if self.taken.is_empty() {
            return Ok(Next::Nothing);
        }
        // Others have the rest in hand. They may be done the next time, or gone.
        self.study.bury(&self.worker)?;
        std::mem::swap(&mut self.waiting, &mut self.taken);
        Ok(Next::Later)
    }

    fn done(&mut self, outcome: Outcome<Pending>) -> Result<(), StudyError> {
        let Outcome {
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
                self.report.failures.push(Failure {
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
