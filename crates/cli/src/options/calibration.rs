//! The options for the calibration to use.

use errare_service::CalibrationChoice;

use crate::prelude::*;

/// A calibration, by its file or name.
#[derive(Debug, Args)]
pub(crate) struct CalibrationPath {
    /// A file made by errare calibrate, or a name of errare calibration list [default: the one for the engine]
    #[arg(long, value_name = "CALIBRATION")]
    pub(crate) calibration: Option<PathBuf>,
}

/// A calibration.
#[derive(Debug, Args)]
pub(crate) struct CalibrationOptions {
    #[command(flatten)]
    path: CalibrationPath,

    /// Accept a calibration of the same engine with another net
    #[arg(long)]
    accept_engine: bool,
}

impl CalibrationOptions {
    /// The calibration.
    pub(crate) fn choice(&self) -> CalibrationChoice {
        CalibrationChoice {
            calibration: self.path.calibration.clone(),
            accept_engine: self.accept_engine,
            paper: false,
        }
    }
}
