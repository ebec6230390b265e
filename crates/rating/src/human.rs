//! Plays like people of a rating: with the probabilities that a calibration gives the moves an engine
//! evaluated.

use errare_engine::{EngineError, Engines};
use shakmaty::{Chess, Position, uci::UciMove};

use crate::continuous::{Calibration, Seen};

/// A player of a given rating, as modelled by a calibration.
#[derive(Debug)]
pub struct Human {
    calibration: Calibration,
    elo: f64,
    engines: Engines,
}

impl Human {
    /// A player of this rating. The engines must be the calibration's.
    #[must_use]
    pub fn new(calibration: &Calibration, elo: f64, engines: Engines) -> Human {
        Human {
            calibration: calibration.clone(),
            elo,
            engines,
        }
    }

    /// The probability of each legal move of a position.
    pub fn chances(&self, position: &Chess) -> Result<Vec<(UciMove, f64)>, EngineError> {
        let evaluation = self.engines.evaluate(position)?;
        let seen = Seen::of_evaluation(&evaluation, position.fullmoves().get());
        let chances = self.calibration.chances(&seen, self.elo);
        // The deepest iteration ranks the moves in the order of the evaluation.
        Ok(evaluation.moves().iter().copied().zip(chances).collect())
    }
}
