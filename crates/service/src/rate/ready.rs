//! Can games be rated here: is there an engine, and are there calibrations for it?

use errare_engine::EngineKey;
use serde::{Deserialize, Serialize};

use crate::{Error, calibration::AnyCalibration, engine::EngineChoice, evidence::DEPTH};

/// The engine that rates, and how deep it may search.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReadyToRate))]
pub struct Answer {
    /// The engine, at the usual depth.
    pub engine: EngineKey,
    /// The depths for which a calibration of this engine comes with Errare.
    pub depths: Vec<u8>,
}

/// Starts the engine to see who it is.
pub fn answer(choice: &EngineChoice) -> Result<Answer, Error> {
    let engine = choice.key(DEPTH)?;
    Ok(Answer {
        depths: AnyCalibration::shipped_depths(&engine),
        engine,
    })
}
