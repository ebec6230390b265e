//! Players in matches on tables, where the arena of `errare-endgame` is the fast path: it asks for probabilities once per
//! position.

use errare_core::Watch;
use errare_endgame::{TableAgent, TablePlayError, TablePlayer, TableView, draw};
use rand::Rng;
use shakmaty::Move;

use crate::{Hired, Sight, hire::Body, human::Human};

impl TablePlayer for Hired {
    fn agent(&self) -> Box<dyn TableAgent + '_> {
        match &self.body {
            Body::Agent { spec, .. } => spec.agent(),
            Body::Automaton(player) => Box::new(Automaton(*player)),
            Body::Human(_) | Body::Engine(_) => Box::new(Thinker(self)),
        }
    }

    fn chances(&self, view: TableView<'_>) -> Result<Option<Vec<f64>>, TablePlayError> {
        match &self.body {
            Body::Agent { spec, .. } => spec.chances(view),
            // It draws scores, not moves.
            Body::Automaton(_) => Ok(None),
            Body::Human(human) => human_chances(human, view).map(Some),
            Body::Engine(sight) => engine_chances(sight, view).map(Some),
        }
    }
}

/// Random minimaxing in an endgame.
struct Automaton(errare_minimax::MinimaxPlayer);

impl TableAgent for Automaton {
    fn choose(
        &mut self,
        view: TableView<'_>,
        mut rng: &mut dyn Rng,
    ) -> Result<usize, TablePlayError> {
        let chosen = self.0.choose(view.position, &mut rng);
        Ok(view.turn.find(chosen).expect("it makes legal moves"))
    }
}

/// A player with an engine.
struct Thinker<'a>(&'a Hired);

impl TableAgent for Thinker<'_> {
    fn choose(&mut self, view: TableView<'_>, rng: &mut dyn Rng) -> Result<usize, TablePlayError> {
        let chances = self.0.chances(view)?.expect("it has chances");
        Ok(draw(&chances, rng))
    }
}

fn human_chances(human: &Human, view: TableView<'_>) -> Result<Vec<f64>, TablePlayError> {
    let (list, chances) = human.consider(view.position, &()).map_err(other)?;
    let moves = list.moves().iter().map(|(m, _)| *m);
    Ok(in_order(view, moves.zip(chances)))
}

fn engine_chances(sight: &Sight, view: TableView<'_>) -> Result<Vec<f64>, TablePlayError> {
    let nobody: &dyn Watch = &();
    let list = sight.list(view.position, nobody).map_err(other)?;
    let first = list.and_then(|list| list.moves().first().copied());
    Ok(in_order(view, first.map(|(m, _)| (m, 1.0))))
}

/// Probabilities in the order of a turn's moves.
fn in_order(view: TableView<'_>, likely: impl IntoIterator<Item = (Move, f64)>) -> Vec<f64> {
    let mut chances = vec![0.0; view.turn.choices().len()];
    for (m, chance) in likely {
        chances[view.turn.find(m).expect("tables know all moves")] = chance;
    }
    chances
}

fn other(error: crate::PlayError) -> TablePlayError {
    TablePlayError::Other(Box::new(error))
}
