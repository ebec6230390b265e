//! Shards of a batch for systems without a server: each machine does every *n*th job into its own file, and the files are
//! merged afterwards.

use std::{
    collections::{BTreeSet, HashMap},
    fmt,
    path::{Path, PathBuf},
    str::FromStr,
};

use errare_core::{FaultKind, Watch};
use errare_jobs::{BatchProgress, JobId, Queue, SqliteQueue};
use errare_players::MatchGame;
use errare_rating::{Study, study::Pending};
use serde::{Deserialize, Serialize};

use super::{QueueChoice, Work, collect_games, evaluations::Evaluated, worker};
use crate::{EngineChoice, Error, Service, matches};

/// A shard, such as 2 of 8; numbered from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    /// Its number.
    pub index: u32,
    /// The number of shards.
    pub of: u32,
}

impl Shard {
    /// Does the job with this number, from 0, belong to it?
    pub(super) fn has(self, number: usize) -> bool {
        number as u64 % u64::from(self.of) == u64::from(self.index - 1)
    }

    /// The share's own queue: the given one, or else a file named after the share.
    pub fn queue(self, queue: Option<QueueChoice>) -> QueueChoice {
        let file = || QueueChoice {
            address: format!("shard-{}-of-{}.jobs", self.index, self.of),
            ..QueueChoice::default()
        };
        QueueChoice {
            shard: Some(self),
            detach: true,
            ..queue.unwrap_or_else(file)
        }
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text.split_once('/').and_then(|(index, of)| {
            let (index, of): (u32, u32) = (index.parse().ok()?, of.parse().ok()?);
            (1..=of).contains(&index).then_some(Shard { index, of })
        });
        numbers.ok_or_else(|| format!("{text:?} is not a share such as 2/8"))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.index, self.of)
    }
}

/// Does the jobs of a share on this machine, until none is left.
pub fn work_off(
    service: &Service,
    queue: &QueueChoice,
    engine: &EngineChoice,
    watch: &dyn Watch,
) -> Result<worker::Answer, Error> {
    let request = worker::Request {
        queue: queue.clone(),
        engine: EngineChoice {
            queue: None,
            ..engine.clone()
        },
        cores: engine.workers,
        idle: Some(0),
    };
    worker::run(service, &request, watch)
}

/// The merged result of shards, or of a batch.
#[derive(Debug)]
pub enum Collected {
    /// A match.
    Games(Box<matches::Answer>, Vec<MatchGame>),
    /// Evaluations that were added to a study.
    Evaluations(CollectedEvaluations),
}

/// Evaluations that were added to a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CollectedEvaluations {
    /// New evaluations.
    pub new: usize,
    /// Positions missing in all files.
    pub left: usize,
}

/// Collects a match from a queue, or merges the files of shards if no queue is given: games into an answer, evaluations
/// into a study.
pub fn collect(
    from: &[PathBuf],
    queue: Option<&QueueChoice>,
    store: Option<&Path>,
    watch: &dyn Watch,
) -> Result<Collected, Error> {
    let games = |queue: &dyn Queue, batch: &str| {
        let (answer, played) = collect_games(queue, batch, watch)?;
        Ok(Collected::Games(Box::new(answer), played))
    };
    if let Some(queue) = queue {
        let [batch] = from else {
            return Err(Error::bad_request("collect one batch of a queue at a time"));
        };
        let batch = batch.to_string_lossy();
        if !batch.starts_with("match-") {
            return Err(Error::bad_request(format!(
                "{batch} is collected by the command that submitted it, from the same queue"
            )));
        }
        return games(&*queue.open_existing()?, &batch);
    }
    let all = SqliteQueue::in_memory()?;
    for file in from {
        all.absorb(file)?;
    }
    let batches = all.batches()?;
    let is = |kind: &str| {
        let batches = batches.iter();
        batches.filter(|batch| batch.starts_with(kind)).count()
    };
    match (is("match-"), is("evaluate-"), store) {
        (1, 0, _) => {
            let BatchProgress { jobs, done, dead } = all.progress(&batches[0])?;
            match jobs - done - dead {
                0 => games(&all, &batches[0]),
                left => Err(Error::new(
                    FaultKind::Missing,
                    format!("{left} of {jobs} jobs are not done; do the unfinished shards again"),
                )),
            }
        }
        (0, 1.., Some(store)) => record(&all, &batches, store),
        (0, 1.., None) => Err(Error::bad_request("evaluations need a study to go into")),
        (0, 0, _) => Err(Error::new(FaultKind::Missing, "the files hold no shards")),
        _ => Err(Error::bad_request(
            "the files are of different matches or studies",
        )),
    }
}

/// Records the files' evaluations of the positions of a study.
fn record(queue: &SqliteQueue, batches: &[String], store: &Path) -> Result<Collected, Error> {
    let mut study = Study::open(store)?;
    let positions = study.eligible(None)?;
    let positions: HashMap<String, Pending> = positions
        .into_iter()
        .map(|position| (position.fen.clone(), position))
        .collect();
    let (mut new, mut left) = (0, 0);
    let mut engines = BTreeSet::new();
    for batch in batches {
        let mut answers: HashMap<JobId, Vec<u8>> = HashMap::new();
        queue.results(batch, &mut 0, &mut |id, answer| {
            answers.insert(id, answer.to_vec());
            Ok(())
        })?;
        for job in queue.jobs(batch)? {
            let Work::Evaluate {
                engine,
                positions: fens,
                ..
            } = Work::of(&job)?
            else {
                continue;
            };
            let answer = answers.get(&job.id());
            let evaluated =
                answer.and_then(|answer| Evaluated::of(answer, fens.len(), engine.depth));
            let worker = study.worker(&engine)?;
            for (fen, evaluation) in fens
                .iter()
                .zip(evaluated.iter().flat_map(|e| &e.evaluations))
            {
                if let Some(position) = positions.get(fen) {
                    new += usize::from(study.record(&worker, position, evaluation)?);
                }
            }
            engines.insert(engine);
        }
    }
    for engine in engines {
        left += study.pending(&engine, None)?.len();
    }
    let collected = CollectedEvaluations { new, left };
    Ok(Collected::Evaluations(collected))
}
