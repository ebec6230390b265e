//! The kinds of this crate's errors.

use errare_core::{Fault, FaultKind};

use crate::{
    AgentCalibrateError, AgentFitError, AgentRateError, BadGame, EstimatorError, PlayerError,
    StudyError, export::ExportError, study::ImportError, turn::ExclusionError,
};

impl Fault for StudyError {
    fn kind(&self) -> FaultKind {
        match self {
            StudyError::Missing(_) | StudyError::NoEvaluations => FaultKind::Missing,
            StudyError::NoSuchEngine { .. }
            | StudyError::SeveralEngines(_)
            | StudyError::Games(_)
            | StudyError::TooShallow { .. }
            | StudyError::OtherMoves(_) => FaultKind::BadRequest,
            StudyError::NotAStudy(_)
            | StudyError::Version { .. }
            | StudyError::Evaluation { .. }
            | StudyError::Damaged(_) => FaultKind::Damaged,
            StudyError::Open { source, .. } | StudyError::Sql(source) => of_sqlite(source),
            StudyError::Lock { .. } => FaultKind::Internal,
        }
    }
}

fn of_sqlite(error: &rusqlite::Error) -> FaultKind {
    use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase};
    match error.sqlite_error_code() {
        Some(DatabaseBusy | DatabaseLocked) => FaultKind::Busy,
        Some(DatabaseCorrupt | NotADatabase) => FaultKind::Damaged,
        _ => FaultKind::Internal,
    }
}

impl Fault for ImportError {
    fn kind(&self) -> FaultKind {
        match self {
            ImportError::Line { .. } => FaultKind::BadRequest,
            ImportError::Read { .. } => FaultKind::Damaged,
            ImportError::Study(error) => error.kind(),
        }
    }
}

impl Fault for ExportError {
    fn kind(&self) -> FaultKind {
        match self {
            ExportError::Write { .. } => FaultKind::Internal,
            ExportError::NoParquet => FaultKind::BadRequest,
            ExportError::Stopped(_) => FaultKind::Stopped,
            ExportError::Study(error) => error.kind(),
        }
    }
}

impl Fault for PlayerError {
    fn kind(&self) -> FaultKind {
        match self {
            PlayerError::Unknown(_) => FaultKind::Missing,
            PlayerError::Several { .. } => FaultKind::BadRequest,
        }
    }
}

impl Fault for AgentFitError {
    fn kind(&self) -> FaultKind {
        match self {
            AgentFitError::Stopped(_) => FaultKind::Stopped,
            AgentFitError::NoTurns | AgentFitError::Levels { .. } => FaultKind::BadRequest,
        }
    }
}

impl Fault for AgentCalibrateError {
    fn kind(&self) -> FaultKind {
        match self {
            AgentCalibrateError::Stopped(_) => FaultKind::Stopped,
            _ => FaultKind::BadRequest,
        }
    }
}

impl Fault for AgentRateError {
    fn kind(&self) -> FaultKind {
        match self {
            AgentRateError::Fit(error) => error.kind(),
            AgentRateError::NotConverged => FaultKind::Internal,
        }
    }
}

/// Errors that are always bad requests.
macro_rules! bad_requests {
    ($($error:ty),*) => {$(
        impl Fault for $error {
            fn kind(&self) -> FaultKind {
                FaultKind::BadRequest
            }
        }
    )*};
}

bad_requests!(BadGame, EstimatorError, ExclusionError);
