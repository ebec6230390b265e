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
    ///
    /// ```no_run
    /// use std::time::Duration;
    /// use errare_engine::{EngineSettings, Engines, find};
    /// use errare_rating::{Human, continuous::Calibration, shakmaty::Chess};
    ///
    /// let settings = EngineSettings { path: find(None)?, depth: 8, silence: Duration::from_secs(60) };
    /// let engines = Engines::start(settings)?;
    /// let calibration = Calibration::shipped(engines.key()).ok_or("none is shipped for this engine")?;
    /// let human = Human::new(&calibration, 1800.0, engines);
    /// for (played, chance) in human.chances(&Chess::default())? {
    ///     println!("{played} {chance:.3}");
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
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
