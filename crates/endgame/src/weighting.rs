//! The weights v_m of moves (Haworth and Andrist 2004, sections 2 and 3).

use std::{fmt, sync::Arc};

use errare_choice::{Kappa, Profile, State};

use crate::{Turn, turn::Choice};

/// A weight for a move of a turn, from outside the model.
pub type MoveWeight = Arc<dyn Fn(&Turn, &Choice) -> f64 + Send + Sync>;

/// Which moves a player considers, and with what weight.
#[derive(Clone, Default)]
pub struct Weighting {
    /// Whether moves that lose value are among them.
    pub risks_value: bool,
    /// H: within this many moves the player wins if it can, and avoids losing if it can.
    pub horizon: Option<u16>,
    /// Weights of the user's own, times those.
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

    /// What there is to choose from.
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

/// What a player with a horizon sees. It sees a win that it completes within so many of its moves,
/// this one included, and a loss that the opponent completes within as many of his.
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
