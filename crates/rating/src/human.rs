//! Play like people of a rating: by the chances that a calibration gives the moves an engine evaluated.

use errare_engine::{EngineError, Engines};
use shakmaty::{Chess, Position, uci::UciMove};

use crate::continuous::{Calibration, Seen};

/// Somebody of a rating, as far as a calibration knows such people.
#[derive(Debug)]
pub struct Human {
    calibration: Calibration,
    elo: f64,
    engines: Engines,
}

impl Human {
    /// Somebody of this rating. The engines are the calibration's.
    #[must_use]
    pub fn new(calibration: &Calibration, elo: f64, engines: Engines) -> Human {
        Human {
            calibration: calibration.clone(),
            elo,
            engines,
        }
    }

    /// How likely each legal move of a position is.
    pub fn chances(&self, position: &Chess) -> Result<Vec<(UciMove, f64)>, EngineError> {
        let evaluation = self.engines.evaluate(position)?;
        let seen = Seen::of_evaluation(&evaluation, position.fullmoves().get());
        let chances = self.calibration.chances(&seen, self.elo);
        // The deepest iteration ranks the moves in the order in which they are named.
        Ok(evaluation.moves().iter().copied().zip(chances).collect())
    }
}
