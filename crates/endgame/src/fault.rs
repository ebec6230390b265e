//! The kinds of this crate's errors.

use errare_core::{Fault, FaultKind};

use crate::{
    ExactError, NoSuchEmulator, ParseTablePlayerError, ParseTieBreakError, TablePlayError,
};

impl Fault for TablePlayError {
    fn kind(&self) -> FaultKind {
        match self {
            TablePlayError::Probe(error) => error.kind(),
            TablePlayError::Stopped(error) => error.kind(),
            TablePlayError::Hunt(error) => error.kind(),
            TablePlayError::Other(_) => FaultKind::Internal,
        }
    }
}

impl Fault for ExactError {
    fn kind(&self) -> FaultKind {
        match self {
            ExactError::NotWon
            | ExactError::LeavesEndgame { .. }
            | ExactError::EnPassant
            | ExactError::RightInPosition
            | ExactError::Memory { .. }
            | ExactError::NamedTies
            | ExactError::TooLong { .. }
            | ExactError::NotSettled { .. } => FaultKind::BadRequest,
            ExactError::Stopped(error) => error.kind(),
            ExactError::Probe(error) => error.kind(),
            ExactError::Scan(error) => error.kind(),
        }
    }
}

impl Fault for ParseTablePlayerError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl Fault for ParseTieBreakError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl Fault for NoSuchEmulator {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}
