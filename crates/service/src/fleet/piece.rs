//! A unit of work: what a job does, and what a worker needs for it.

use errare_core::{Fault, FaultKind, Material, Metric};
use errare_engine::EngineKey;
use errare_jobs::{Job, JobError};
use errare_rating::study::{Pending, PositionId};
use errare_tables::MAX_MEN;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Maximum number of positions per job.
const MOST_POSITIONS: usize = 256;
/// Maximum number of games or replicates per job.
const MOST_NUMBERS: u64 = 100_000;

/// The work of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "work", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Work {
    /// Evaluate positions.
    Evaluate {
        /// The engine and depth.
        engine: EngineKey,
        /// The number of earlier attempts, for an audit.
        again: u32,
        /// The positions, without their move numbers.
        positions: Vec<String>,
    },
    /// Play some games of a match.
    Play {
        /// The match: the name of a file in the queue.
        file: String,
        /// The engine of players that need one.
        engine: Option<EngineKey>,
        /// The number of the first game, from 0.
        first: u64,
        /// The number of games.
        count: u64,
    },
    /// Fit replicates of a sample.
    Replicate {
        /// The sample and the model: the name of a file in the queue.
        file: String,
        /// The number of the first replicate, from 0.
        first: u64,
        /// The number of replicates.
        count: u64,
    },
    /// Build the tables of one endgame.
    Build {
        /// The endgame.
        endgame: Material,
        /// The metrics.
        metrics: Vec<Metric>,
    },
}

/// Why a job is not valid work.
#[derive(Debug, thiserror::Error)]
pub enum PieceError {
    /// It cannot be parsed.
    #[error("an unreadable job: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// It asks for too much, or for nothing.
    #[error("an invalid job: {0}")]
    Senseless(&'static str),
    /// It does not need what it claims to need.
    #[error("a job whose needs do not match its content")]
    Needs,
    /// It is too large.
    #[error(transparent)]
    Job(#[from] JobError),
}

impl Fault for PieceError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl Work {
    /// The job.
    pub fn job(&self) -> Result<Job, PieceError> {
        Ok(Job::new(&self.needs(), serde_json::to_vec(self)?)?)
    }

    /// Parses a job and checks everything in it.
    pub fn of(job: &Job) -> Result<Work, PieceError> {
        let work = Work::read(job.payload())?;
        match work.needs() == job.needs() {
            true => Ok(work),
            false => Err(PieceError::Needs),
        }
    }

    /// Parses the work in a message.
    pub fn read(message: &[u8]) -> Result<Work, PieceError> {
        let work: Work = serde_json::from_slice(message)?;
        work.check()?;
        Ok(work)
    }

    fn check(&self) -> Result<(), PieceError> {
        let sense = |holds: bool, what| match holds {
            true => Ok(()),
            false => Err(PieceError::Senseless(what)),
        };
        match self {
            Work::Evaluate {
                engine, positions, ..
            } => {
                sense((1..=100).contains(&engine.depth), "the depth")?;
                let number = (1..=MOST_POSITIONS).contains(&positions.len());
                sense(number, "the number of positions")?;
                let sound = |fen: &String| {
                    fen.len() < 128 && pending(fen).legal().is_ok_and(|moves| !moves.is_empty())
                };
                sense(positions.iter().all(sound), "a position")
            }
            Work::Play {
                file, first, count, ..
            }
            | Work::Replicate { file, first, count } => {
                sense((1..=MOST_NUMBERS).contains(count), "the number of things")?;
                sense(first.checked_add(*count).is_some(), "the first number")?;
                let digits = file.bytes().all(|byte| byte.is_ascii_hexdigit());
                sense(file.len() == 64 && digits, "the name of a file")
            }
            Work::Build { endgame, metrics } => {
                sense(endgame.men() <= MAX_MEN, "the endgame")?;
                sense(
                    (1..=Metric::ALL.len()).contains(&metrics.len()),
                    "the metrics",
                )
            }
        }
    }

    /// What a worker must have for it, as one word.
    pub fn needs(&self) -> String {
        match self {
            Work::Evaluate { engine, .. } => engine_word(engine),
            Work::Play {
                engine: Some(engine),
                ..
            } => engine_word(engine),
            Work::Play { engine: None, .. } => plain("games"),
            Work::Replicate { .. } => plain("fits"),
            Work::Build { .. } => plain("tables"),
        }
    }
}

/// What a worker offers, with or without an engine.
pub(crate) fn kit(engine: Option<&EngineKey>) -> Vec<String> {
    let plain = ["games", "fits", "tables"].map(plain);
    engine.map(engine_word).into_iter().chain(plain).collect()
}

/// Work that needs only this version of Errare.
fn plain(kind: &str) -> String {
    format!("{kind}-{}", env!("CARGO_PKG_VERSION").replace('.', "-"))
}

/// Work that needs an engine: the same name, version and net, and the same version of Errare, which determines how it is
/// driven.
fn engine_word(engine: &EngineKey) -> String {
    let EngineKey {
        name, version, net, ..
    } = engine;
    let ours = env!("CARGO_PKG_VERSION");
    let text = [name, version, net, ours].join("\n");
    format!("engine-{}", &hash(text.as_bytes())[..24])
}

/// The SHA-256 of bytes, in hexadecimal.
pub(crate) fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A position outside any study.
pub(crate) fn pending(fen: &str) -> Pending {
    Pending {
        id: PositionId(0),
        fen: fen.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluate(name: &str, net: &str, positions: &[&str]) -> Work {
        Work::Evaluate {
            engine: EngineKey::new(name, net, 10),
            again: 0,
            positions: positions.iter().map(ToString::to_string).collect(),
        }
    }

    const BARE: &str = "8/8/4k3/8/8/8/1Q6/K7 w - - 0";

    #[test]
    fn another_engine_version_or_net_needs_something_else() {
        let needs = |name, net| evaluate(name, net, &[BARE]).needs();
        let ours = needs("Stockfish 15.1", "a.nnue");
        assert_eq!(ours, needs("Stockfish 15.1", "a.nnue"));
        assert_ne!(ours, needs("Stockfish 16", "a.nnue"));
        assert_ne!(ours, needs("Stockfish 15.1", "b.nnue"));
        assert_ne!(ours, needs("Berserk 15.1", "a.nnue"));
    }

    #[test]
    fn jobs_are_checked_before_they_are_believed() {
        let good = evaluate("Stockfish 15.1", "", &[BARE]);
        let job = good.job().unwrap();
        assert_eq!(Work::of(&job).unwrap(), good);
        let forged = Job::new("engine-000000000000000000000000", job.payload().to_vec()).unwrap();
        assert!(matches!(Work::of(&forged), Err(PieceError::Needs)));
        for bad in [
            evaluate("Stockfish 15.1", "", &[]),
            evaluate("Stockfish 15.1", "", &["8/8/8/8/8/8/8/8 w - - 0"]),
            evaluate("Stockfish 15.1", "", &["; rm -rf /"]),
            evaluate("Stockfish 15.1", "", &[BARE; 257]),
            Work::Play {
                file: "../../etc/passwd".to_owned(),
                engine: None,
                first: 0,
                count: 1,
            },
            Work::Replicate {
                file: hash(b""),
                first: u64::MAX,
                count: 2,
            },
        ] {
            assert!(Work::of(&bad.job().unwrap()).is_err(), "{bad:?}");
        }
        let path = br#"{"work":"evaluate","engine":{"path":"/bin/sh"},"again":0,"positions":[]}"#;
        assert!(Work::read(path).is_err());
    }
}
