//! The hunter as a player.
//!
//! In a lost position it pursues its objective; in a won one it minimises the expected length; in a drawn one
//! it waits for the opponent to err. If its opponent's competence is not given, it observes the opponent and
//! [weighs](super::mixture) the solutions for a few competences by their probabilities.

use std::{sync::Arc, time::Duration};

use errare_choice::{Grid, Kappa};
use errare_core::Watch;
use shakmaty::{Color, Position};

use super::{
    Aim, Goal, HuntError, HuntTask, Library, Prey, Scope, Solution,
    mixture::{shares, unit},
    place::Place,
};
use crate::{Analyser, Choice, Oracle, TableView};

/// A hunter's objective in a lost position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Objective {
    /// The win takes as long as possible; if value may be lost, it is as unlikely as possible.
    #[default]
    Length,
    /// A win within the 50-move rule is as unlikely as possible.
    Fifty,
    /// The opponent lets the win slip within some moves as likely as possible.
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

/// The winner's moves that the 50-move rule allows after a zeroing move.
const FIFTY: u32 = 50;

/// The settings of a hunter.
#[derive(Debug, Clone)]
pub struct Hunter {
    /// Its objective in a lost position.
    pub objective: Objective,
    /// The opponent's competence, if it is known.
    pub known: Option<f64>,
    /// κ of the opponent's preference.
    pub kappa: Kappa,
    /// May the opponent let wins slip?
    pub risks_value: bool,
    /// May the hunter risk its own result in a draw?
    pub risks_own: bool,
    /// The number of the opponent's moves within which a swindle must work.
    pub moves: u32,
    /// The competences to solve for if the opponent's is not known.
    pub grid: Grid,
    /// The solutions.
    pub library: Library,
}

/// Hunters with equal settings are equal, whatever they have solved so far.
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

/// The value of a hunter's move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Worth {
    /// The index of the move among the choices.
    pub number: usize,
    /// The expected length or probability that the hunter optimises; averaged if several competences are
    /// weighed.
    pub value: f64,
}

impl Hunter {
    /// Default settings, against an opponent of known competence.
    pub fn of(competence: f64) -> Hunter {
        Hunter {
            known: Some(competence),
            ..Hunter::default()
        }
    }

    /// The default competences to solve for: 10(10)40.
    pub fn default_grid() -> Grid {
        "10(10)40".parse().expect("this is a grid")
    }

    /// The positions to solve and what to optimise where the value for the hunter is this.
    fn aim(&self, value: i32) -> (Scope, Aim) {
        let slip = Aim::Within(Goal::Slip, self.moves);
        let wins = match self.risks_value {
            true => Scope::WinsAtRisk,
            false => Scope::Wins,
        };
        match (value, self.objective) {
            (1.., _) => (Scope::Losses, Aim::Length),
            (0, _) if self.risks_own => (Scope::DrawsAndWins, slip),
            (0, _) => (Scope::Draws, slip),
            (_, Objective::Length) if self.risks_value => (wins, Aim::Hold),
            (_, Objective::Length) => (wins, Aim::Length),
            (_, Objective::Fifty) => (wins, Aim::Within(Goal::Win, FIFTY)),
            (_, Objective::Swindle) => (Scope::WinsAtRisk, slip),
        }
    }

    /// The task for an endgame.
    fn task(&self, oracle: &Oracle, place: &Place, competence: f64) -> HuntTask {
        let (scope, aim) = self.aim(place.value);
        HuntTask {
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

    /// The solutions to weigh, with their competences. Those for which play takes too long to be solved are
    /// left out if there are others.
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

    /// The tasks of a place: for the known competence, or for all to weigh.
    fn tasks(&self, oracle: &Oracle, place: &Place) -> impl Iterator<Item = HuntTask> {
        let competences = match self.known {
            Some(competence) => vec![competence],
            None => self.grid.points().collect(),
        };
        competences.into_iter().map(|c| self.task(oracle, place, c))
    }

    /// Is everything solved that it needs to play this colour in positions like this one? Refuses what it would not have the
    /// memory to solve.
    pub fn is_ready(
        &self,
        view: TableView<'_>,
        own: Color,
        watch: &dyn Watch,
    ) -> Result<bool, HuntError> {
        for task in self.tasks(view.oracle, &Place::of(view, own)) {
            if !self.library.is_solved(view.oracle, &task, watch)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How long the solutions of a place have been in progress.
    pub(super) fn solving_for(&self, oracle: &Oracle, place: &Place) -> Option<Duration> {
        let tasks = self.tasks(oracle, place);
        let each = tasks.filter_map(|task| self.library.solving_for(oracle, &task));
        each.max()
    }

    /// The values of the moves it may make, best first, with this many plies on the clock of the 50-move rule, if it has seen
    /// nothing of its opponent so far. Solves or reads whatever is missing first.
    pub fn worths(
        &self,
        view: TableView<'_>,
        clock: u32,
        watch: &dyn Watch,
    ) -> Result<Vec<Worth>, HuntError> {
        let place = Place::of(view, view.position.turn());
        let solutions = self.solutions(view.oracle, &place, watch)?;
        Ok(self.weigh(&place, &solutions, view, clock, None))
    }

    /// The same with a belief about the opponent's competence, using the given solutions.
    pub(super) fn weigh(
        &self,
        place: &Place,
        solutions: &[Arc<Solution>],
        view: TableView<'_>,
        clock: u32,
        belief: Option<&Analyser>,
    ) -> Vec<Worth> {
        let solved = solutions.iter().map(|solution| solution.task().prey);
        let solved: Vec<f64> = solved.map(|prey| prey.competence).collect();
        let shares = shares(&solved, belief);
        let (scope, aim) = self.aim(place.value);
        let risks = self.risks_own && place.value == 0;
        let allowed = |choice: &Choice| risks || view.turn.preserves_value(choice);
        let numbers: Vec<usize> = (0..view.turn.choices().len())
            .filter(|&number| allowed(&view.turn.choices()[number]))
            .collect();
        let mut values = vec![0.0; numbers.len()];
        for (solution, share) in solutions.iter().zip(shares) {
            if share == 0.0 {
                continue;
            }
            let left = self.moves_left(aim, clock).unwrap_or_default();
            let each: Vec<f64> = numbers
                .iter()
                .map(|&number| place.worth(solution, view, number, left))
                .collect();
            let scale = match aim {
                Aim::Length if solutions.len() > 1 => unit(&each, aim.is_maximised(scope)),
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
        sort(view, &mut worths, aim.is_maximised(scope));
        worths
    }

    /// Sorts the values of its moves in a position, best first. Among equal moves: best in the metric, then first by name.
    pub fn rank(&self, view: TableView<'_>, worths: &mut [Worth]) {
        let (scope, aim) = self.aim(Place::of(view, view.position.turn()).value);
        sort(view, worths, aim.is_maximised(scope));
    }

    /// The number of the opponent's moves within which its chance counts, in a position of this value for the hunter, who is to
    /// move; `None` if any number will do.
    pub fn moves_left_at(&self, value: i32, clock: u32) -> Option<u32> {
        let (_, aim) = self.aim(value);
        self.moves_left(aim, clock)
    }

    fn moves_left(&self, aim: Aim, clock: u32) -> Option<u32> {
        match aim {
            Aim::Within(Goal::Win, moves) => Some((2 * moves).saturating_sub(clock) / 2),
            // When its time is over, a swindle starts again.
            Aim::Within(Goal::Slip, moves) => Some(moves - clock.div_ceil(2) % moves),
            Aim::Length | Aim::Hold => None,
        }
    }
}

fn sort(view: TableView<'_>, worths: &mut [Worth], maximised: bool) {
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
