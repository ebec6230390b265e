//! The options that say which calibration is used.

use std::path::PathBuf;

use clap::Args;
use errare_service::CalibrationChoice;

/// A calibration.
#[derive(Debug, Args)]
pub(crate) struct CalibrationOptions {
    /// The calibration, made by errare calibrate [default: the one that comes with the program]
    #[arg(long, value_name = "CALIBRATION.json")]
    calibration: Option<PathBuf>,

    /// Accept a calibration of the same engine with another net
    #[arg(long)]
    accept_engine: bool,
}

impl CalibrationOptions {
    /// The calibration.
    pub(crate) fn choice(&self) -> CalibrationChoice {
        CalibrationChoice {
            calibration: self.calibration.clone(),
            accept_engine: self.accept_engine,
            paper: false,
        }
    }

    /// The file, if one was named.
    pub(crate) fn path(&self) -> Option<PathBuf> {
        self.calibration.clone()
    }
}
