//! The option that says which calibration is used.

use std::{fs, path::PathBuf};

use anyhow::{Context, Result, anyhow};
use clap::Args;
use errare_engine::EngineKey;
use errare_rating::Calibration;
use serde::Serialize;

/// A calibration.
#[derive(Debug, Args)]
pub(crate) struct Calibrating {
    /// The calibration, made by errare calibrate [default: the one that comes with the program]
    #[arg(long, value_name = "CALIBRATION.json")]
    calibration: Option<PathBuf>,
}

impl Calibrating {
    /// The calibration, which must be for this engine.
    pub(crate) fn load(&self, engine: &EngineKey) -> Result<Calibration> {
        let Some(path) = &self.calibration else {
            return Calibration::shipped(engine).ok_or_else(|| {
                anyhow!(
                    "no calibration for {engine} comes with the program; make one with \
                     errare calibrate and name it with --calibration"
                )
            });
        };
        let text = fs::read_to_string(path)
            .with_context(|| format!("cannot read the calibration {}", path.display()))?;
        let calibration = Calibration::from_json(&text)
            .with_context(|| format!("cannot use {}", path.display()))?;
        calibration.must_fit(engine)?;
        Ok(calibration)
    }
}

/// What a reader should know of a calibration.
#[derive(Serialize)]
pub(crate) struct About {
    engine: EngineKey,
    curve: String,
    link: String,
    estimator: String,
    /// Elo = intercept + slope ad on the reference set.
    reference_line: [f64; 2],
    mileposts: [u16; 2],
    turns: usize,
}

impl About {
    pub(crate) fn new(calibration: &Calibration) -> About {
        let line = calibration.reference_line;
        About {
            engine: calibration.engine.clone(),
            curve: calibration.curve.to_string(),
            link: calibration.link.to_string(),
            estimator: calibration.estimator.to_string(),
            reference_line: [line.intercept, line.slope],
            mileposts: calibration.mileposts(),
            turns: calibration.classes.iter().map(|class| class.turns).sum(),
        }
    }
}
