//! Automata that know only the rules: random minimaxing, in any game.

use errare_core::Watch;
use errare_minimax::GamePosition;
use rand::Rng;

use crate::{Chooser, Chosen, PlayError, Seats};

/// An automaton in one game.
struct Automaton(errare_minimax::MinimaxPlayer);

impl<G: GamePosition> Chooser<G> for Automaton {
    fn choose_within(
        &mut self,
        position: &G,
        mut rng: &mut dyn Rng,
        watch: &dyn Watch,
    ) -> Result<Chosen<G::Move>, PlayError> {
        if position.moves().is_empty() {
            return Err(PlayError::GameOver);
        }
        let chosen = self.0.choose_watched(position, &mut rng, watch)?;
        Ok(Chosen::by_rules(chosen))
    }
}

impl<G: GamePosition> Seats<G> for errare_minimax::MinimaxPlayer {
    fn sit(&self) -> Box<dyn Chooser<G>> {
        Box::new(Automaton(*self))
    }
}
