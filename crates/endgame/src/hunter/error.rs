//! Errors of hunts.

use std::{io, path::PathBuf};

use errare_core::{Fault, FaultKind, Material, Metric, Stopped};
use errare_tables::{ProbeError, ScanError};

/// Why a hunt has no solution.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// It does not fit into memory.
    #[error("hunting in {material} takes {needed} MiB, more than the {limit} MiB it may use")]
    Memory {
        /// The endgame.
        material: Material,
        /// MiB needed.
        needed: u64,
        /// MiB that it may use: the limit, less the solutions in use.
        limit: u64,
    },
    /// Play goes on after the endgame is left.
    #[error(
        "in {metric} play goes on after a conversion, which a hunter does not follow; use dtc or dtz"
    )]
    LeavesEndgame {
        /// The metric.
        metric: Metric,
    },
    /// Play may include captures en passant.
    #[error("with pawns that may be taken en passant, a hunter follows play only in dtz")]
    EnPassant,
    /// The position has an en-passant right.
    #[error("the position has an en-passant right, which a hunter does not know")]
    RightInPosition,
    /// More states than the hunter's numbering allows.
    #[error("wins in {material} are too deep for a hunter")]
    TooDeep {
        /// The endgame.
        material: Material,
    },
    /// The position does not belong to the hunt.
    #[error("the position is not one of {material} with the hunted side to move")]
    OtherEndgame {
        /// The endgame.
        material: Material,
    },
    /// The position has a value that the hunt does not include.
    #[error("the position does not have the value that is hunted")]
    NotFollowed,
    /// The competence is out of range.
    #[error("a hunter needs a competence of at least 0, not {0}")]
    Competence(f64),
    /// Play takes so long that differences are lost to rounding.
    #[error(
        "play takes too long to be solved: about {about:.3e} moves are expected from some positions"
    )]
    TooLong {
        /// An estimate of the greatest expected length.
        about: f64,
    },
    /// The iteration did not converge.
    #[error("the solution did not settle after {rounds} rounds")]
    NotSettled {
        /// The number of rounds.
        rounds: usize,
    },
    /// A solution's file cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A file is damaged.
    #[error("{} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The watcher stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The tables gave no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A table cannot be read.
    #[error(transparent)]
    Scan(#[from] ScanError),
}

impl HuntError {
    /// Refuses a hunt that needs more than this many bytes of memory.
    pub(super) fn refuse_beyond(
        limit: u64,
        needed: u64,
        material: Material,
    ) -> Result<(), HuntError> {
        match needed > limit {
            true => Err(HuntError::Memory {
                material,
                needed: needed >> 20,
                limit: limit >> 20,
            }),
            false => Ok(()),
        }
    }

    /// The same error, if another try would end the same way.
    pub(super) fn lasting(&self) -> Option<HuntError> {
        match *self {
            HuntError::LeavesEndgame { metric } => Some(HuntError::LeavesEndgame { metric }),
            HuntError::EnPassant => Some(HuntError::EnPassant),
            HuntError::TooDeep { material } => Some(HuntError::TooDeep { material }),
            HuntError::Competence(competence) => Some(HuntError::Competence(competence)),
            HuntError::TooLong { about } => Some(HuntError::TooLong { about }),
            HuntError::NotSettled { rounds } => Some(HuntError::NotSettled { rounds }),
            _ => None,
        }
    }
}

impl Fault for HuntError {
    fn kind(&self) -> FaultKind {
        match self {
            HuntError::Memory { .. }
            | HuntError::LeavesEndgame { .. }
            | HuntError::EnPassant
            | HuntError::RightInPosition
            | HuntError::TooDeep { .. }
            | HuntError::OtherEndgame { .. }
            | HuntError::NotFollowed
            | HuntError::Competence(_)
            | HuntError::TooLong { .. }
            | HuntError::NotSettled { .. } => FaultKind::BadRequest,
            HuntError::File { .. } => FaultKind::Internal,
            HuntError::Damaged { .. } => FaultKind::Damaged,
            HuntError::Stopped(error) => error.kind(),
            HuntError::Probe(error) => error.kind(),
            HuntError::Scan(error) => error.kind(),
        }
    }
}
