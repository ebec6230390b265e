//! The kinds of this crate's errors.

use errare_core::{Fault, FaultKind};

use crate::{
    BuildError, FileError, JudgeError, LayoutError, ProbeError, ScanError, StoreError, SyzygyError,
    VerifyError, WriteError,
};

impl Fault for LayoutError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl Fault for FileError {
    fn kind(&self) -> FaultKind {
        match self {
            FileError::Read { .. } => FaultKind::Internal,
            _ => FaultKind::Damaged,
        }
    }
}

impl Fault for WriteError {
    fn kind(&self) -> FaultKind {
        FaultKind::Internal
    }
}

impl Fault for StoreError {
    fn kind(&self) -> FaultKind {
        FaultKind::Internal
    }
}

impl Fault for BuildError {
    fn kind(&self) -> FaultKind {
        match self {
            BuildError::Endgame(error) => error.kind(),
            BuildError::Memory { .. } => FaultKind::BadRequest,
            BuildError::Store(error) => error.kind(),
            BuildError::Subgame { source, .. } => source.kind(),
            BuildError::File(error) => error.kind(),
            BuildError::Write(error) => error.kind(),
            BuildError::TooDeep(_) => FaultKind::BadRequest,
            BuildError::Stopped(_) => FaultKind::Stopped,
        }
    }
}

impl Fault for ProbeError {
    fn kind(&self) -> FaultKind {
        match self {
            ProbeError::Castling | ProbeError::TooManyMen(_) => FaultKind::BadRequest,
            ProbeError::Missing { .. } => FaultKind::Missing,
            ProbeError::File(error) => error.kind(),
        }
    }
}

impl Fault for ScanError {
    fn kind(&self) -> FaultKind {
        match self {
            ScanError::Endgame(error) => error.kind(),
            ScanError::Missing { .. } => FaultKind::Missing,
            ScanError::File(error) => error.kind(),
            ScanError::Stopped(error) => error.kind(),
        }
    }
}

impl Fault for VerifyError {
    fn kind(&self) -> FaultKind {
        match self {
            VerifyError::Scan(error) => error.kind(),
            VerifyError::Probe(error) => error.kind(),
            VerifyError::Stopped(error) => error.kind(),
        }
    }
}

impl Fault for SyzygyError {
    fn kind(&self) -> FaultKind {
        match self {
            SyzygyError::Directory { .. } => FaultKind::Internal,
            SyzygyError::Empty(_) | SyzygyError::Probe(_) => FaultKind::Missing,
        }
    }
}

impl Fault for JudgeError {
    fn kind(&self) -> FaultKind {
        match self {
            JudgeError::Probe(error) => error.kind(),
            JudgeError::Syzygy(error) => error.kind(),
            JudgeError::Stopped(error) => error.kind(),
        }
    }
}
