//! Evaluates positions of a study with a fleet.
//!
//! All eligible positions are split into jobs in the order of the study, whether evaluated or not, so that a later call
//! makes the same jobs and finds their answers. A job that dies is split into single positions, so that one bad position
//! does not affect others.

use std::collections::{BTreeSet, HashSet};

use errare_core::{FaultKind, Watch};
use errare_engine::{EngineKey, Evaluation};
use errare_jobs::{JobId, Queue};
use errare_rating::{
    GameId, Study,
    study::{self, FailedPosition, Pending, PositionId, StudyWorker},
};

use super::{
    Batch, QueueChoice, Work,
    audit::Audit,
    batch::About,
    frame::{pack, unpack},
};
use crate::Error;

/// The engine of a fleet.
pub(crate) struct Evaluations {
    pub(crate) queue: QueueChoice,
    pub(crate) engine: EngineKey,
}

/// The answer to a job of evaluations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evaluated {
    /// The worker that did it.
    pub worker: String,
    /// The evaluations, in the order of the job's positions.
    pub evaluations: Vec<Evaluation>,
}

impl Evaluated {
    /// Encodes a message.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let blobs = self.evaluations.iter().map(Evaluation::encode);
        pack(std::iter::once(self.worker.clone().into_bytes()).chain(blobs))
    }

    /// Decodes a message; `None` if it is malformed.
    #[must_use]
    pub fn read(message: &[u8]) -> Option<Evaluated> {
        let pieces = unpack(message)?;
        let (worker, blobs) = pieces.split_first()?;
        Some(Evaluated {
            worker: std::str::from_utf8(worker).ok()?.to_owned(),
            evaluations: blobs
                .iter()
                .map(|blob| Evaluation::decode(blob).ok())
                .collect::<Option<_>>()?,
        })
    }

    /// Decodes the answer to a job with these positions: as many evaluations, at the requested depth.
    pub(super) fn of(message: &[u8], positions: usize, depth: u8) -> Option<Evaluated> {
        let evaluated = Evaluated::read(message)?;
        let deep = |evaluation: &Evaluation| evaluation.at(depth).is_some();
        let whole = evaluated.evaluations.len() == positions;
        (whole && evaluated.evaluations.iter().all(deep)).then_some(evaluated)
    }
}

/// The number of positions per job, chosen so that it takes some seconds.
fn positions_at_once(depth: u8) -> usize {
    match depth {
        0..=10 => 16,
        11..=14 => 8,
        15..=18 => 2,
        _ => 1,
    }
}

impl Evaluations {
    /// Evaluates every position of eligible turns that has not been evaluated yet, in these games or in all.
    pub(crate) fn evaluate(
        &self,
        study: &mut Study,
        games: Option<&BTreeSet<GameId>>,
        watch: &dyn Watch,
    ) -> Result<study::EvaluationCounts, Error> {
        let queue = self.queue.open()?;
        let batch = self.batch(&*queue, study).share(self.queue.shard);
        let all = study.eligible(games)?;
        let pending = study.pending(&self.engine, games)?;
        let wanted: HashSet<PositionId> = pending.iter().map(|position| position.id).collect();
        // An audit resumes where it was detached: answers collected then are compared, too.
        let known = match self.queue.audit {
            0 => BTreeSet::new(),
            _ => batch.known(watch)?,
        };
        let chunks: Vec<&[Pending]> = all
            .chunks(positions_at_once(self.engine.depth))
            .filter(|chunk| {
                let is_wanted = |position: &Pending| wanted.contains(&position.id);
                chunk.iter().any(is_wanted) || self.is_among(&known, chunk, 0)
            })
            .collect();
        let mut work = Intake {
            report: study::EvaluationCounts {
                known: all.len() - pending.len(),
                left: pending.len(),
                ..study::EvaluationCounts::default()
            },
            worker: study.worker(&self.engine)?,
            study,
            wanted,
            watch,
        };
        watch.begin("evaluating positions", Some(pending.len() as u64));
        if chunks.is_empty() {
            return Ok(work.report);
        }
        let pieces: Vec<Work> = chunks.iter().map(|chunk| self.piece(chunk, 0)).collect();
        let ids = batch.submit(&pieces, watch)?;
        let mut audit = Audit::new(self, &batch, &chunks, &known);
        audit.submit(watch)?;
        if self.queue.detach {
            batch.tell_submitted(ids.len(), watch);
            return Ok(work.report);
        }
        let ended = self.collect(&batch, &chunks, &ids, &mut work, &mut audit);
        match ended {
            Err(error) if error.kind() == FaultKind::Stopped => work.report.interrupted = true,
            Err(error) => return Err(error),
            Ok(()) => {
                // Answers that differ and dead jobs stay for inspection; the next call retries the dead.
                audit.tell(watch)?;
                if work.report.failed == 0 {
                    batch.forget(watch)?;
                }
            }
        }
        Ok(work.report)
    }

    /// Collects the answers, including those to the single positions of dead jobs.
    fn collect(
        &self,
        batch: &Batch<'_>,
        chunks: &[&[Pending]],
        ids: &[JobId],
        work: &mut Intake<'_>,
        audit: &mut Audit<'_>,
    ) -> Result<(), Error> {
        let watch = work.watch;
        let dead = batch.collect(ids, watch, |index, message| {
            work.take(chunks[index], message, &self.engine, audit)
        })?;
        let split: Vec<&[Pending]> = dead
            .iter()
            .flat_map(|(index, _)| chunks[*index].chunks(1))
            .filter(|position| work.wanted.contains(&position[0].id))
            .collect();
        if !split.is_empty() {
            let pieces: Vec<Work> = split.iter().map(|chunk| self.piece(chunk, 0)).collect();
            let ids = batch.submit(&pieces, watch)?;
            let dead = batch.collect(&ids, watch, |index, message| {
                work.take(split[index], message, &self.engine, audit)
            })?;
            for (index, job) in dead {
                let fen = split[index][0].fen.clone();
                // Workers name the position, too.
                let reason = job.reason.strip_prefix(&format!("{fen}: "));
                let reason = reason.unwrap_or(&job.reason).to_owned();
                watch.tell(&format!("{fen}: {reason}; the position is left out"));
                work.report.failed += 1;
                work.report.failures.push(FailedPosition { fen, reason });
            }
        }
        audit.collect(watch)
    }

    /// The job that evaluates some positions.
    pub(super) fn piece(&self, positions: &[Pending], again: u32) -> Work {
        Work::Evaluate {
            engine: self.engine.clone(),
            again,
            positions: positions.iter().map(|it| it.fen.clone()).collect(),
        }
    }

    /// Is the job that evaluates these positions among those of the batch?
    pub(super) fn is_among(
        &self,
        known: &BTreeSet<JobId>,
        positions: &[Pending],
        again: u32,
    ) -> bool {
        let is_known = |work: Work| work.job().is_ok_and(|job| known.contains(&job.id()));
        !known.is_empty() && is_known(self.piece(positions, again))
    }

    /// One batch per study and engine.
    fn batch<'q>(&self, queue: &'q dyn Queue, study: &Study) -> Batch<'q> {
        let path = study.path();
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let about = About {
            title: format!("evaluate {name} by {}", self.engine),
            file: None,
        };
        let host = sysinfo::System::host_name().unwrap_or_default();
        let content = format!("{host} {} {}", path.display(), self.engine);
        Batch::new(queue, "evaluate", content.as_bytes(), about)
    }
}

/// The study that receives evaluations.
struct Intake<'s> {
    study: &'s mut Study,
    worker: StudyWorker,
    /// Positions that are not evaluated yet.
    wanted: HashSet<PositionId>,
    report: study::EvaluationCounts,
    watch: &'s dyn Watch,
}

impl Intake<'_> {
    fn take(
        &mut self,
        positions: &[Pending],
        message: &[u8],
        engine: &EngineKey,
        audit: &mut Audit<'_>,
    ) -> Result<(), Error> {
        let Some(evaluated) = Evaluated::of(message, positions.len(), engine.depth) else {
            return Err(Error::new(
                FaultKind::Damaged,
                "an answer of a worker is damaged; cancel the batch and evaluate again",
            ));
        };
        for (position, evaluation) in positions.iter().zip(&evaluated.evaluations) {
            audit.first(&position.fen, &evaluated.worker, evaluation);
            if !self.wanted.remove(&position.id) {
                continue;
            }
            match self.study.record(&self.worker, position, evaluation)? {
                true => self.report.evaluated += 1,
                false => self.report.elsewhere += 1,
            }
            self.report.left -= 1;
            self.watch.advance(1);
        }
        Ok(())
    }
}
