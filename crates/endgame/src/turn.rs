//! A turn: the moves to choose from, and the state each leads to.

use errare_choice::{Kappa, Preference, State};
use errare_core::Mark;
use shakmaty::Move;

/// A move and the state it leads to, for the side that makes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The move.
    pub r#move: Move,
    /// The state it leads to.
    pub state: State,
}

/// The greatest depths of wins and losses of the side to move in the endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeepestStates {
    pub(crate) win: u16,
    pub(crate) loss: u16,
}

/// The legal moves of a position, sorted by name.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    choices: Vec<Choice>,
    best: Option<State>,
    deepest: DeepestStates,
}

impl Turn {
    /// Builds a turn from another oracle, given the depths of its deepest win and deepest loss.
    pub fn of(choices: Vec<Choice>, deepest_win: u16, deepest_loss: u16) -> Turn {
        let (win, loss) = (deepest_win, deepest_loss);
        Turn::new(choices, DeepestStates { win, loss })
    }

    pub(crate) fn new(choices: Vec<Choice>, deepest: DeepestStates) -> Turn {
        let states = choices.iter().map(|choice| choice.state);
        Turn {
            best: states.min_by_key(|state| state.rank()),
            choices,
            deepest,
        }
    }

    /// The moves.
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The same turn with only some of its choices.
    #[must_use]
    pub fn retaining(&self, keep: impl Fn(&Choice) -> bool) -> Turn {
        let choices = self.choices.iter().filter(|choice| keep(choice));
        Turn::new(choices.copied().collect(), self.deepest)
    }

    /// The index of a move among the choices.
    pub fn find(&self, m: Move) -> Option<usize> {
        self.choices.iter().position(|choice| choice.r#move == m)
    }

    /// The best state that a move leads to; `None` if the game is over.
    pub fn best(&self) -> Option<State> {
        self.best
    }

    /// Is a move one of the best in the metric?
    pub fn is_optimal(&self, choice: &Choice) -> bool {
        self.best() == Some(choice.state)
    }

    /// Does a move keep the value: win, draw or loss?
    pub fn preserves_value(&self, choice: &Choice) -> bool {
        self.best()
            .is_some_and(|best| best.value() == choice.state.value())
    }

    /// The number of the winner's moves that a move cedes compared with the best one; `None` if it changes the
    /// value.
    pub fn ceded(&self, choice: &Choice) -> Option<u16> {
        let best = self
            .best()
            .filter(|best| best.value() == choice.state.value())?;
        let depth = |state: State| state.depth().unwrap_or(0);
        Some(depth(choice.state).abs_diff(depth(best)))
    }

    /// How forced a move was, if it is the only one of its kind.
    pub fn mark(&self, choice: &Choice) -> Option<Mark> {
        let only = |test: &dyn Fn(&Choice) -> bool| {
            test(choice) && self.choices.iter().filter(|other| test(other)).count() == 1
        };
        if only(&|_| true) {
            Some(Mark::OnlyLegal)
        } else if only(&|other| self.preserves_value(other)) {
            Some(Mark::OnlyPreserving)
        } else if only(&|other| self.is_optimal(other)) {
            Some(Mark::OnlyOptimal)
        } else {
            None
        }
    }

    /// The preference function of the side to move.
    pub fn preference(&self, kappa: Kappa) -> Preference {
        Preference::for_depths(kappa, self.deepest.win, self.deepest.loss)
    }
}
