//! The hunter as a player.
//!
//! In a lost position it does what its objective says; in a won one it wins as fast as it can expect; in
//! a drawn one it waits for the opponent to go wrong. If it is not told its opponent's competence it
//! watches, and [weighs](super::mixture) what is solved for a few competences by how likely each of them is.

use std::sync::Arc;

use errare_choice::{Grid, Kappa};
use errare_core::Watch;
use shakmaty::Position;

use super::{
    Aim, Goal, HuntError, Library, Prey, Scope, Solution, Task,
    mixture::{shares, unit},
    place::Place,
};
use crate::{Analyser, Choice, Oracle, TableView};

/// What a hunter wants in a lost position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Objective {
    /// That the win takes as long as possible; if value may be lost, that it is as unlikely as possible.
    #[default]
    Length,
    /// That a win within the moves of the 50-move rule is as unlikely as possible.
    Fifty,
    /// That it is as likely as possible that the opponent lets the win slip within some moves.
    Swindle,
}

impl Objective {
    /// Every objective.
    pub const ALL: [Objective; 3] = [Objective::Length, Objective::Fifty, Objective::Swindle];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Objective::Length => "length",
            Objective::Fifty => "fifty",
            Objective::Swindle => "swindle",
        }
    }
}

/// Moves of the winner that the 50-move rule leaves after a zeroing move.
const FIFTY: u32 = 50;

/// A hunter, by what it is told.
#[derive(Debug, Clone)]
pub struct Hunter {
    /// What it wants in a lost position.
    pub objective: Objective,
    /// The opponent's competence, if it is known.
    pub known: Option<f64>,
    /// κ of the opponent's preference.
    pub kappa: Kappa,
    /// Whether it reckons with an opponent who lets wins slip.
    pub risks_value: bool,
    /// Whether in a draw it may risk its own result.
    pub risks_own: bool,
    /// Within how many of the opponent's moves a swindle is to work.
    pub moves: u32,
    /// The competences that are solved for if the opponent's is not known.
    pub grid: Grid,
    /// What is solved.
    pub library: Library,
}

/// Hunters that are told the same are the same, whatever they have solved so far.
impl PartialEq for Hunter {
    fn eq(&self, other: &Hunter) -> bool {
        let told = |hunter: &Hunter| {
            (
                hunter.objective,
                hunter.known,
                hunter.kappa,
                hunter.risks_value,
                hunter.risks_own,
                hunter.moves,
                hunter.grid,
            )
        };
        told(self) == told(other)
    }
}

/// What a move of the hunter is worth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// The number of the move among the choices.
    pub number: usize,
    /// In what the hunter is after: an expected length or a chance; with several competences weighed.
    pub value: f64,
}

impl Hunter {
    /// As default, of an opponent of known competence.
    pub fn of(competence: f64) -> Hunter {
        Hunter {
            known: Some(competence),
            ..Hunter::default()
        }
    }

    /// The competences that are solved for if nothing else is said: 10(10)40.
    pub fn default_grid() -> Grid {
        "10(10)40".parse().expect("this is a grid")
    }

    /// What to solve in an endgame whose value for the hunter is known.
    fn task(&self, oracle: &Oracle, place: &Place, competence: f64) -> Task {
        let slip = Aim::Within(Goal::Slip, self.moves);
        let wins = match self.risks_value {
            true => Scope::WinsAtRisk,
            false => Scope::Wins,
        };
        let (scope, aim) = match (place.value, self.objective) {
            (1.., _) => (Scope::Losses, Aim::Length),
            (0, _) if self.risks_own => (Scope::DrawsAndWins, slip),
            (0, _) => (Scope::Draws, slip),
            (_, Objective::Length) if self.risks_value => (wins, Aim::Hold),
            (_, Objective::Length) => (wins, Aim::Length),
            (_, Objective::Fifty) => (wins, Aim::Within(Goal::Win, FIFTY)),
            (_, Objective::Swindle) if self.risks_own => (Scope::DrawsAndWins, slip),
            (_, Objective::Swindle) => (Scope::WinsAtRisk, slip),
        };
        Task {
            material: place.material,
            metric: oracle.metric(),
            side: place.prey,
            scope,
            aim,
            prey: Prey {
                competence,
                kappa: self.kappa,
            },
        }
    }

    /// The solutions that are weighed, with their competences. Those for which play takes too long to
    /// be solved are left out if there are others.
    pub(super) fn solutions(
        &self,
        oracle: &Oracle,
        place: &Place,
        watch: &dyn Watch,
    ) -> Result<Vec<Arc<Solution>>, HuntError> {
        let solve = |competence| {
            let task = self.task(oracle, place, competence);
            self.library.solution(oracle, &task, watch)
        };
        if let Some(competence) = self.known {
            return Ok(vec![solve(competence)?]);
        }
        let mut solutions = Vec::new();
        let mut too_long = None;
        for competence in self.grid.points() {
            match solve(competence) {
                Ok(solution) => solutions.push(solution),
                Err(error @ (HuntError::TooLong { .. } | HuntError::NotSettled { .. })) => {
                    too_long = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        match too_long {
            Some(error) if solutions.is_empty() => Err(error),
            _ => Ok(solutions),
        }
    }

    /// What each move that it may make is worth, best first, with so many plies on the clock of the
    /// 50-move rule, if it is certain of the opponent's competence or holds a belief of it. What this needs is
    /// solved or read first, if it is not at hand.
    pub fn worths(
        &self,
        view: TableView<'_>,
        clock: u32,
        belief: Option<&Analyser>,
        watch: &dyn Watch,
    ) -> Result<Vec<Worth>, HuntError> {
        let place = Place::of(view, view.position.turn());
        let solutions = self.solutions(view.oracle, &place, watch)?;
        Ok(self.weigh(&place, &solutions, view, clock, belief))
    }

    /// The same by solutions at hand.
    pub(super) fn weigh(
        &self,
        place: &Place,
        solutions: &[Arc<Solution>],
        view: TableView<'_>,
        clock: u32,
        belief: Option<&Analyser>,
    ) -> Vec<Worth> {
        let shares = shares(solutions, belief);
        let maximised = {
            let task = solutions[0].task();
            task.aim.is_maximised(task.scope)
        };
        let allowed = |choice: &Choice| self.risks_own || view.turn.preserves_value(choice);
        let numbers: Vec<usize> = (0..view.turn.choices().len())
            .filter(|&number| allowed(&view.turn.choices()[number]))
            .collect();
        let mut values = vec![0.0; numbers.len()];
        for (solution, share) in solutions.iter().zip(shares) {
            if share == 0.0 {
                continue;
            }
            let left = self.moves_left(solution.task(), clock);
            let each: Vec<f64> = numbers
                .iter()
                .map(|&number| place.worth(solution, view, number, left))
                .collect();
            let scale = match solution.task().aim {
                Aim::Length if solutions.len() > 1 => unit(&each, maximised),
                _ => 1.0,
            };
            for (value, each) in values.iter_mut().zip(each) {
                *value += share * each / scale;
            }
        }
        let mut worths: Vec<Worth> = numbers
            .into_iter()
            .zip(values)
            .map(|(number, value)| Worth { number, value })
            .collect();
        // Equal moves: the best in the metric first, then the first by name.
        worths.sort_by(|a, b| {
            let order = match maximised {
                true => b.value.total_cmp(&a.value),
                false => a.value.total_cmp(&b.value),
            };
            let rank = |worth: &Worth| view.turn.choices()[worth.number].state.rank();
            order
                .then(rank(a).cmp(&rank(b)))
                .then(a.number.cmp(&b.number))
        });
        worths
    }

    /// How many moves the opponent has left, with the hunter to move.
    fn moves_left(&self, task: &Task, clock: u32) -> u32 {
        match task.aim {
            Aim::Within(Goal::Win, moves) => (2 * moves).saturating_sub(clock) / 2,
            // When its time is over a swindle begins anew.
            Aim::Within(Goal::Slip, moves) => moves - clock.div_ceil(2) % moves,
            Aim::Length | Aim::Hold => 0,
        }
    }
}

impl Default for Hunter {
    fn default() -> Hunter {
        Hunter {
            objective: Objective::Length,
            known: None,
            kappa: Kappa::ONE,
            risks_value: false,
            risks_own: false,
            moves: FIFTY,
            grid: Hunter::default_grid(),
            library: Library::default(),
        }
    }
}
