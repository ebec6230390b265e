//! Why a calibration cannot be used, of either family.

use errare_core::{Fault, FaultKind};
use errare_engine::EngineKey;

/// Why a calibration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// It is for another engine.
    #[error(
        "the calibration is for {calibrated}, the evaluations are of {used}; \
         calibrate with this engine and depth, or evaluate with that one"
    )]
    OtherEngine {
        /// The calibration's.
        calibrated: Box<EngineKey>,
        /// The evaluations'.
        used: Box<EngineKey>,
    },
    /// It is not a calibration.
    #[error("this is not a calibration")]
    Syntax(#[from] serde_json::Error),
    /// It was written by another version of this program.
    #[error(
        "this is a calibration of version {found}, and this program reads version {readable}; \
         calibrate again"
    )]
    Version {
        /// The file's.
        found: u32,
        /// The version that can be read.
        readable: u32,
    },
    /// It is inconsistent.
    #[error("the calibration is damaged: {0}")]
    Damaged(&'static str),
}

impl CalibrationError {
    /// Refuses a file of another version.
    pub(crate) fn check_version(text: &str, readable: u32) -> Result<(), CalibrationError> {
        #[derive(serde::Deserialize)]
        struct Head {
            version: u32,
        }
        match serde_json::from_str(text)? {
            Head { version } if version == readable => Ok(()),
            Head { version: found } => Err(CalibrationError::Version { found, readable }),
        }
    }

    /// Refuses an engine that a calibration is not for.
    pub(crate) fn check_engine(
        calibrated: &EngineKey,
        used: &EngineKey,
    ) -> Result<(), CalibrationError> {
        match calibrated == used {
            true => Ok(()),
            false => Err(CalibrationError::OtherEngine {
                calibrated: Box::new(calibrated.clone()),
                used: Box::new(used.clone()),
            }),
        }
    }
}

impl Fault for CalibrationError {
    fn kind(&self) -> FaultKind {
        match self {
            CalibrationError::OtherEngine { .. } => FaultKind::BadRequest,
            CalibrationError::Syntax(_)
            | CalibrationError::Version { .. }
            | CalibrationError::Damaged(_) => FaultKind::Damaged,
        }
    }
}
