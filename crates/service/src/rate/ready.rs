//! Checks whether games can be rated here: an engine, and calibrations for it.

use errare_engine::EngineKey;
use serde::{Deserialize, Serialize};

use crate::{Error, calibration::AnyCalibration, engine::EngineChoice, evidence::DEPTH};

/// The engine, and the depths with a calibration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = ReadyToRate))]
pub struct Answer {
    /// The engine, at the default depth.
    pub engine: EngineKey,
    /// The depths for which a calibration of this engine is shipped.
    pub depths: Vec<u8>,
}

/// Starts the engine to learn its identity.
pub fn answer(choice: &EngineChoice) -> Result<Answer, Error> {
    let engine = choice.key(DEPTH)?;
    Ok(Answer {
        depths: AnyCalibration::shipped_depths(&engine),
        engine,
    })
}
