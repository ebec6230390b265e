//! The weights v_m of moves (Haworth and Andrist 2004, sections 2 and 3).

use std::{fmt, sync::Arc};

use errare_choice::{Kappa, Profile, State};

use crate::{Turn, Values, turn::Choice};

/// A user-defined weight for a move of a turn.
pub type MoveWeight = Arc<dyn Fn(&Turn, &Choice) -> f64 + Send + Sync>;

/// The moves a player considers, and their weights.
#[derive(Clone, Default)]
pub struct Weighting {
    /// Are moves that lose value included?
    pub risks_value: bool,
    /// H: the player sees wins and losses within this many moves; it takes the wins and avoids the
    /// losses.
    pub horizon: Option<u16>,
    /// User-defined weights, multiplied with the others.
    pub own: Option<MoveWeight>,
}

impl Weighting {
    /// Only moves that keep the value, as in the papers' experiments.
    pub fn keeping_value() -> Weighting {
        Weighting::default()
    }

    /// All moves.
    pub fn risking_value() -> Weighting {
        Weighting {
            risks_value: true,
            ..Weighting::default()
        }
    }

    /// The moves of a player who keeps the value, or may lose it.
    pub fn of(values: Values) -> Weighting {
        match values {
            Values::Kept => Weighting::keeping_value(),
            Values::Risked => Weighting::risking_value(),
        }
    }

    /// The weights of a turn's moves.
    pub fn weights(&self, turn: &Turn) -> Vec<f64> {
        let sight = self.horizon.map(|horizon| Sight::new(horizon, turn));
        let weight = |choice: &Choice| {
            let considered = (self.risks_value || turn.preserves_value(choice))
                && sight
                    .as_ref()
                    .is_none_or(|sight| sight.allows(choice.state));
            match &self.own {
                _ if !considered => 0.0,
                Some(own) => own(turn, choice),
                None => 1.0,
            }
        };
        turn.choices().iter().map(weight).collect()
    }

    /// A turn's moves as pairs of aversion and weight.
    pub fn options(&self, turn: &Turn, kappa: Kappa) -> Vec<(f64, f64)> {
        let preference = turn.preference(kappa);
        let states = turn.choices().iter().map(|choice| choice.state);
        let aversions = states.map(|state| preference.aversion(state));
        aversions.zip(self.weights(turn)).collect()
    }

    /// The turn as a profile of options.
    pub fn profile(&self, turn: &Turn, kappa: Kappa) -> Profile {
        Profile::new(self.options(turn, kappa))
    }
}

impl fmt::Debug for Weighting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Weighting")
            .field("risks_value", &self.risks_value)
            .field("horizon", &self.horizon)
            .field("own", &self.own.is_some())
            .finish()
    }
}

/// What a player with a horizon sees: a win that it completes within this many of its moves,
/// including this one, and a loss that the opponent completes within as many.
struct Sight {
    horizon: u16,
    sees_win: bool,
    sees_escape: bool,
}

impl Sight {
    fn new(horizon: u16, turn: &Turn) -> Sight {
        let states = || turn.choices().iter().map(|choice| choice.state);
        Sight {
            horizon,
            sees_win: states().any(|state| wins_within(state, horizon)),
            sees_escape: states().any(|state| !loses_within(state, horizon)),
        }
    }

    fn allows(&self, state: State) -> bool {
        if self.sees_win {
            wins_within(state, self.horizon)
        } else {
            !self.sees_escape || !loses_within(state, self.horizon)
        }
    }
}

fn wins_within(state: State, horizon: u16) -> bool {
    matches!(state, State::Win(depth) if depth < horizon)
}

fn loses_within(state: State, horizon: u16) -> bool {
    matches!(state, State::Loss(depth) if depth <= horizon)
}
