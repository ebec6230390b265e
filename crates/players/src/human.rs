//! A player that imitates people of a given rating, using a calibration of the continuous family.

use std::sync::Arc;

use errare_core::Watch;
use errare_endgame::draw;
use errare_rating::continuous::Calibration;
use rand::Rng;
use shakmaty::{Chess, Position};

use crate::{Chooser, Chosen, EngineList, MoveValues, PlayError, Sight};

/// Imitates people of some rating, as far as the calibration describes them.
#[derive(Debug, Clone)]
pub(crate) struct Human {
    /// The model of how people choose.
    pub(crate) calibration: Arc<Calibration>,
    /// The rating.
    pub(crate) elo: f64,
    /// What it sees, with the calibration's engine.
    pub(crate) sight: Sight,
}

impl Human {
    /// All moves of a position with their probabilities.
    pub(crate) fn consider(
        &self,
        position: &Chess,
        watch: &dyn Watch,
    ) -> Result<(EngineList, Vec<f64>), PlayError> {
        if position.legal_moves().is_empty() {
            return Err(PlayError::GameOver);
        }
        let list = self.sight.list(position, watch)?;
        let list = list.expect("it was hired with an engine");
        let chances = self.calibration.chances(list.seen(), self.elo);
        Ok((list, chances))
    }
}

impl Chooser for Human {
    fn choose_within(
        &mut self,
        position: &Chess,
        rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Chosen, PlayError> {
        let (list, chances) = self.consider(position, watch)?;
        Ok(MoveValues::Engine(list).chosen(draw(&chances, rng), &chances))
    }
}
