//! An engine as a player: it plays its first choice.

use errare_core::Watch;
use rand::Rng;
use shakmaty::{Chess, Position};

use crate::{Chooser, Chosen, MoveValues, PlayError, Sight};

/// Plays the engine's first choice.
pub(crate) struct EnginePlayer {
    /// What it sees, including an engine.
    pub(crate) sight: Sight,
}

impl Chooser for EnginePlayer {
    fn choose_within(
        &mut self,
        position: &Chess,
        _rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Chosen, PlayError> {
        if position.legal_moves().is_empty() {
            return Err(PlayError::GameOver);
        }
        let list = self.sight.list(position, watch)?;
        let list = list.expect("it was hired with an engine");
        Ok(MoveValues::Engine(list).certain(0))
    }
}
