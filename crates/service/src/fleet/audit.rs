//! Audits a sample of evaluations by having another worker repeat them.

use std::collections::{BTreeMap, BTreeSet};

use errare_core::{FaultKind, Watch};
use errare_engine::Evaluation;
use errare_jobs::{JobId, insist};
use errare_rating::study::Pending;
use rand::RngExt;

use super::{Batch, evaluations::Evaluated, evaluations::Evaluations};
use crate::Error;

/// The number of attempts to get another worker before the same one is accepted.
const ROUNDS: u32 = 4;

/// Evaluations that are done twice.
pub(super) struct Audit<'a> {
    fleet: &'a Evaluations,
    batch: &'a Batch<'a>,
    chosen: Vec<Pending>,
    ids: Vec<JobId>,
    /// The first evaluation and the audit's, with their workers.
    said: BTreeMap<String, [Option<(String, Evaluation)>; 2]>,
}

impl<'a> Audit<'a> {
    /// Selects a random percentage of the positions. A detached audit is resumed: for jobs already known it keeps the
    /// earlier selection.
    pub(super) fn new(
        fleet: &'a Evaluations,
        batch: &'a Batch<'a>,
        chunks: &[&[Pending]],
        known: &BTreeSet<JobId>,
    ) -> Audit<'a> {
        let positions = chunks.iter().flat_map(|chunk| chunk.iter());
        let is_asked =
            |position: &&Pending| fleet.is_among(known, std::slice::from_ref(*position), 1);
        let mut chosen: Vec<Pending> = positions.filter(is_asked).cloned().collect();
        let goes_on = !chosen.is_empty();
        let mut random = rand::rng();
        for chunk in chunks {
            if !(goes_on && fleet.is_among(known, chunk, 0)) {
                let drawn = chunk
                    .iter()
                    .filter(|_| random.random_range(0..100) < fleet.queue.audit);
                chosen.extend(drawn.cloned());
            }
        }
        Audit {
            fleet,
            batch,
            said: chosen
                .iter()
                .map(|position| (position.fen.clone(), [None, None]))
                .collect(),
            chosen,
            ids: Vec::new(),
        }
    }

    /// Submits the positions once more, each in its own job.
    pub(super) fn submit(&mut self, watch: &dyn Watch) -> Result<(), Error> {
        self.ids = self.round(1, watch)?;
        Ok(())
    }

    fn round(&self, again: u32, watch: &dyn Watch) -> Result<Vec<JobId>, Error> {
        if self.chosen.is_empty() {
            return Ok(Vec::new());
        }
        let pieces = self.chosen.chunks(1).map(|it| self.fleet.piece(it, again));
        self.batch.submit(&pieces.collect::<Vec<_>>(), watch)
    }

    /// Records the first evaluation of a position.
    pub(super) fn first(&mut self, fen: &str, worker: &str, evaluation: &Evaluation) {
        if let Some([first, _]) = self.said.get_mut(fen) {
            first.get_or_insert_with(|| (worker.to_owned(), evaluation.clone()));
        }
    }

    /// Waits for the second answers; if they come from the same worker, tries to get others.
    pub(super) fn collect(&mut self, watch: &dyn Watch) -> Result<(), Error> {
        for round in 1..=ROUNDS {
            if self.chosen.is_empty() {
                return Ok(());
            }
            if round > 1 {
                self.ids = self.round(round, watch)?;
            }
            let (chosen, said) = (&self.chosen, &mut self.said);
            self.batch.collect(&self.ids, watch, |index, message| {
                if let Some(evaluated) = Evaluated::read(message)
                    && let [evaluation] = &evaluated.evaluations[..]
                    && let Some([_, second]) = said.get_mut(&chosen[index].fen)
                {
                    *second = Some((evaluated.worker, evaluation.clone()));
                }
                Ok(())
            })?;
            let said = &self.said;
            self.chosen.retain(|position| match &said[&position.fen] {
                [Some((first, _)), Some((second, _))] => first == second,
                _ => false,
            });
            if insist(watch, || self.batch.queue.workers())?.len() < 2 {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Reports the result of the audit; an error if two workers disagree.
    pub(super) fn tell(&self, watch: &dyn Watch) -> Result<(), Error> {
        if self.said.is_empty() {
            return Ok(());
        }
        let mut differ = Vec::new();
        let (mut same, mut others) = (0, 0);
        for (fen, said) in &self.said {
            let [Some((first, one)), Some((second, other))] = said else {
                continue;
            };
            match first == second {
                true => same += 1,
                false => others += 1,
            }
            if one != other {
                differ.push(format!("{fen}: {first} and {second} disagree"));
            }
        }
        watch.tell(&format!(
            "audit: {} positions again, {others} by another worker, {same} by the same; {} differ",
            self.said.len(),
            differ.len()
        ));
        match differ.first() {
            None => Ok(()),
            Some(first) => Err(Error::new(
                FaultKind::Damaged,
                format!(
                    "{} of {} audited evaluations differ; {first}; all answers are kept in the queue as {}",
                    differ.len(),
                    self.said.len(),
                    self.batch.name
                ),
            )),
        }
    }
}
