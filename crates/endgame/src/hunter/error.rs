//! Errors of hunts.

use std::{io, path::PathBuf};

use errare_core::{Fault, FaultKind, Material, Metric, Stopped};
use errare_tables::{ProbeError, ScanError};

/// Why there is no best reply, or none could be found.
#[derive(Debug, thiserror::Error)]
pub enum HuntError {
    /// It does not fit into memory.
    #[error("to hunt in {material} takes {needed} MiB, more than the limit of {limit} MiB")]
    Memory {
        /// The endgame.
        material: Material,
        /// What it takes.
        needed: u64,
        /// What it may take.
        limit: u64,
    },
    /// Play leaves the endgame before the depth is at an end.
    #[error(
        "in {metric} play goes on after a conversion, which a hunter does not follow; use dtc or dtz"
    )]
    LeavesEndgame {
        /// The metric.
        metric: Metric,
    },
    /// A capture en passant would have to be followed.
    #[error("with pawns that may be taken en passant a hunter follows play in dtz only")]
    EnPassant,
    /// The position has an en-passant right.
    #[error("the position has an en-passant right, which a hunter does not know")]
    RightInPosition,
    /// More states than a hunter can number.
    #[error("wins in {material} are too deep for a hunter")]
    TooDeep {
        /// The endgame.
        material: Material,
    },
    /// The position is not one of the hunt.
    #[error("the position is not one of {material} with the hunted side to move")]
    OtherEndgame {
        /// The endgame.
        material: Material,
    },
    /// The position has another value.
    #[error("the position does not have the value that is hunted")]
    NotFollowed,
    /// A competence that makes no sense here.
    #[error("a hunter hunts a competence from 0 on, not {0}")]
    Competence(f64),
    /// Play takes so long that numbers cannot hold differences.
    #[error(
        "play takes too long to be solved: at least {least:.3e} moves are expected from some positions"
    )]
    TooLong {
        /// A lower bound.
        least: f64,
    },
    /// The iteration does not settle.
    #[error("the solution did not settle after {rounds} rounds")]
    NotSettled {
        /// So many were made.
        rounds: usize,
    },
    /// A file of a solved hunt cannot be read or written.
    #[error("cannot use {}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system says.
        source: io::Error,
    },
    /// A file is damaged.
    #[error("{} is damaged: {what}; remove it, and it will be solved again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Whoever watched stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The tables do not answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A table cannot be read.
    #[error(transparent)]
    Scan(#[from] ScanError),
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
