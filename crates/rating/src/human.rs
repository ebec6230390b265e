//! Play like people of a rating: the calibrated agent chooses among an engine's evaluations.

use errare_choice::Agent;
use errare_engine::{EngineError, Engines};
use shakmaty::{Chess, uci::UciMove};

use crate::{Calibration, costs};

/// Somebody of a rating, as far as a calibration knows such people.
#[derive(Debug)]
pub struct Human {
    agent: Agent,
    engines: Engines,
}

impl Human {
    /// Somebody of this rating. The engines are the calibration's.
    #[must_use]
    pub fn new(calibration: &Calibration, elo: f64, engines: Engines) -> Human {
        Human {
            agent: calibration.agent(elo),
            engines,
        }
    }

    /// How likely each legal move of a position is.
    pub fn chances(&self, position: &Chess) -> Result<Vec<(UciMove, f64)>, EngineError> {
        let evaluation = self.engines.evaluate(position)?;
        let ranked = &evaluation.deepest().ranking;
        let pawns: Vec<f64> = ranked.iter().map(|ranked| ranked.score.pawns()).collect();
        let chances = self.agent.probabilities(&costs(&pawns));
        // The deepest iteration ranks the moves in the order in which they are named.
        Ok(evaluation.moves().iter().copied().zip(chances).collect())
    }
}
