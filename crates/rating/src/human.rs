//! Play like people of a rating: the calibrated agent chooses among an engine's evaluations.

use std::sync::{Arc, Mutex, PoisonError, atomic::AtomicBool};

use errare_choice::Agent;
use errare_engine::{Engine, EngineError, Settings};
use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use crate::{Calibration, costs, record::position_key};

/// Somebody of a rating, as far as a calibration knows such people.
#[derive(Debug)]
pub struct Human {
    agent: Agent,
    settings: Settings,
    /// Engines that wait for work; as many are started as are needed at the same time.
    idle: Mutex<Vec<Engine>>,
}

impl Human {
    /// Somebody of this rating. The engine is the calibration's.
    #[must_use]
    pub fn new(calibration: &Calibration, elo: f64, engine: Engine, settings: Settings) -> Human {
        Human {
            agent: calibration.agent(elo),
            settings,
            idle: Mutex::new(vec![engine]),
        }
    }

    /// How likely each legal move of a position is.
    ///
    /// An engine that fails is started again once.
    pub fn chances(&self, position: &Chess) -> Result<Vec<(Move, f64)>, EngineError> {
        let legal: Vec<_> = position.legal_moves().into_iter().collect();
        let names: Vec<_> = legal
            .iter()
            .map(|m| m.to_uci(CastlingMode::Standard))
            .collect();
        let key = position_key(position);
        let mut engine = self.engine()?;
        let evaluation = match engine.evaluate(&key, &names) {
            Ok(evaluation) => evaluation,
            Err(_) => {
                engine = self.start()?;
                engine.evaluate(&key, &names)?
            }
        };
        self.idle().push(engine);
        let ranked = &evaluation.deepest().ranking;
        let pawns: Vec<f64> = ranked.iter().map(|ranked| ranked.score.pawns()).collect();
        let chances = self.agent.probabilities(&costs(&pawns));
        // The deepest iteration ranks the moves in the order in which they are named.
        let likely = |m: &UciMove| {
            let rank = evaluation.moves().iter().position(|ranked| ranked == m);
            rank.map_or(0.0, |rank| chances[rank])
        };
        Ok(legal.into_iter().zip(names.iter().map(likely)).collect())
    }

    fn engine(&self) -> Result<Engine, EngineError> {
        let idle = self.idle().pop();
        idle.map_or_else(|| self.start(), Ok)
    }

    fn start(&self) -> Result<Engine, EngineError> {
        Engine::start(&self.settings, Arc::new(AtomicBool::new(false)))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Engine>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
