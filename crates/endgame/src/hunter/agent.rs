//! The hunter in one game.

use std::{sync::Arc, time::Duration};

use errare_choice::PriorShape;
use errare_core::{Fault, FaultKind, Watch};
use rand::Rng;
use shakmaty::{Chess, Color, Position};

use super::{Hunter, Solution, place::Place};
use crate::{
    Analyser, OpponentBelief, PlayerSpec, PredatorDepth, TableAgent, TablePlayError, TablePlayer,
    TableView, prospects,
};

/// One side of one game.
struct HunterAgent {
    hunter: Hunter,
    /// The belief from the opponent's moves so far, if the competence is not known.
    belief: Option<Analyser>,
    /// Plies since the last zeroing move, or since the game began.
    clock: u32,
    /// The solutions for the current phase of the game; `None` if there was no time to solve it
    /// yet.
    held: Option<(Place, Option<Vec<Arc<Solution>>>)>,
    /// How long the solving has taken so far, if it is not done.
    solving_for: Option<Duration>,
    /// The Predator's choice in a position, made before waiting for a solution.
    instead: Option<(Chess, usize)>,
}

impl HunterAgent {
    /// The place of a position. A draw that it has risked keeps its solution, which includes lost positions.
    fn place(&self, view: TableView<'_>, own: Color) -> Place {
        let place = Place::of(view, own);
        let drawn = Place { value: 0, ..place };
        match &self.held {
            Some((held, _)) if self.hunter.risks_own && place.value < 0 && *held == drawn => drawn,
            _ => place,
        }
    }

    fn moved(&mut self, view: TableView<'_>, number: usize) {
        self.clock = match view.turn.choices()[number].r#move.is_zeroing() {
            true => 0,
            false => self.clock.saturating_add(1),
        };
    }

    /// The Predator's choice, used until a solution is available.
    fn stand_in(&self, view: TableView<'_>) -> Result<usize, TablePlayError> {
        let learned = self.belief.as_ref();
        let belief = match self.hunter.known {
            Some(competence) => Some(OpponentBelief::certain(competence)),
            None => learned.and_then(|analyser| OpponentBelief::learned(analyser.posterior())),
        };
        let belief = belief.unwrap_or_else(|| OpponentBelief::certain(0.0));
        let ranked = prospects(view, &belief, self.hunter.kappa, PredatorDepth::TWO, &())?;
        Ok(ranked.first().map_or(0, |best| best.number))
    }
}

impl TableAgent for HunterAgent {
    fn begin(&mut self, clock: u32) {
        self.clock = clock;
    }

    fn prepare(
        &mut self,
        view: TableView<'_>,
        own: Color,
        watch: &dyn Watch,
    ) -> Result<(), TablePlayError> {
        let place = self.place(view, own);
        if matches!(&self.held, Some((held, Some(_))) if *held == place) {
            return Ok(());
        }
        // The last phase's solutions need not stay in memory.
        self.held = None;
        // When the time to wait is over, there is none left to look for a move.
        if watch.remaining().is_some() && view.position.turn() == own {
            self.instead = Some((view.position.clone(), self.stand_in(view)?));
        }
        let solutions = match self.hunter.solutions(view.oracle, &place, watch) {
            Ok(solutions) => Some(solutions),
            Err(error) if error.kind() == FaultKind::Stopped => {
                self.solving_for = self.hunter.solving_for(view.oracle, &place);
                None
            }
            Err(error) => return Err(error.into()),
        };
        self.held = Some((place, solutions));
        Ok(())
    }

    fn choose(&mut self, view: TableView<'_>, _rng: &mut dyn Rng) -> Result<usize, TablePlayError> {
        let own = view.position.turn();
        let place = self.place(view, own);
        if self.held.as_ref().is_none_or(|(held, _)| *held != place) {
            // It was not prepared for this phase.
            (self.held, self.solving_for) = (Some((place, None)), None);
        }
        // In a match positions have no clock of their own.
        let clock = match view.position.halfmoves() {
            0 => self.clock,
            halfmoves => halfmoves,
        };
        let chosen = match &self.held {
            Some((place, Some(solutions))) => {
                let belief = self.belief.as_ref();
                let worths = self.hunter.weigh(place, solutions, view, clock, belief);
                worths.first().map_or(0, |best| best.number)
            }
            _ => match self.instead.take() {
                Some((position, number)) if position == *view.position => number,
                _ => self.stand_in(view)?,
            },
        };
        self.moved(view, chosen);
        Ok(chosen)
    }

    fn remark(&self) -> Option<String> {
        match &self.held {
            Some((place, None)) => {
                let since = self
                    .solving_for
                    .map_or(String::new(), |time| format!(" after {} s", time.as_secs()));
                Some(format!(
                    "the hunt in {} is not solved yet{since}: the Predator's move",
                    place.material
                ))
            }
            _ => None,
        }
    }

    fn watch(&mut self, view: TableView<'_>, chosen: usize) {
        self.moved(view, chosen);
        if let Some(belief) = &mut self.belief {
            belief.observe(view.turn, &view.turn.choices()[chosen]);
        }
    }
}

impl Hunter {
    /// Starts one side of a new game.
    pub fn sit(&self) -> Box<dyn TableAgent> {
        let learning =
            || Analyser::new(self.kappa, PlayerSpec::default_grid(), &PriorShape::Uniform);
        Box::new(HunterAgent {
            hunter: self.clone(),
            belief: self.known.is_none().then(learning),
            clock: 0,
            held: None,
            solving_for: None,
            instead: None,
        })
    }
}

impl TablePlayer for Hunter {
    fn agent(&self) -> Box<dyn TableAgent + '_> {
        self.sit()
    }
}
