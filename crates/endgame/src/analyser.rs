//! The Analyser: infers the apparent competence of a side from its moves (Haworth and Andrist 2004,
//! section 3.2).

use errare_choice::{Estimate, Grid, Kappa, Posterior, PriorShape, Profile};

use crate::{Turn, Values, Weighting, turn::Choice};

/// Observes the moves of one side. Moves that lose value are counted; by default they say nothing about the
/// competence, since the model player always keeps the value. If the model player may lose it
/// ([`Analyser::with_values`]), they are the greatest errors of all.
#[derive(Debug, Clone)]
pub struct Analyser {
    kappa: Kappa,
    values: Values,
    posterior: Posterior,
    moves: usize,
    ceded: u32,
    value_losses: usize,
    /// Was there an error that counts, in earlier games or in this one?
    erred: bool,
}

impl Analyser {
    /// The state before any move.
    pub fn new(kappa: Kappa, grid: Grid, prior: &PriorShape) -> Analyser {
        Analyser {
            kappa,
            values: Values::Kept,
            posterior: Posterior::new(grid, prior),
            moves: 0,
            ceded: 0,
            value_losses: 0,
            erred: false,
        }
    }

    /// The same with a model player who keeps the value or may lose it.
    pub fn with_values(self, values: Values) -> Analyser {
        Analyser { values, ..self }
    }

    /// The state at the start of the next game, with this one's posterior as prior.
    pub(crate) fn for_next_game(&self) -> Analyser {
        Analyser {
            kappa: self.kappa,
            values: self.values,
            posterior: self.posterior.as_prior(),
            moves: 0,
            ceded: 0,
            value_losses: 0,
            erred: self.erred,
        }
    }

    /// Adds a move.
    pub fn observe(&mut self, turn: &Turn, chosen: &Choice) {
        let profile = Weighting::of(self.values).profile(turn, self.kappa);
        self.observe_profile(turn, &profile, chosen);
    }

    /// Like [`Analyser::observe`], with the profile of the moves that the model player considers.
    pub(crate) fn observe_profile(&mut self, turn: &Turn, profile: &Profile, chosen: &Choice) {
        self.moves += 1;
        let ceded = turn.ceded(chosen);
        self.ceded += u32::from(ceded.unwrap_or(0));
        self.value_losses += usize::from(ceded.is_none());
        if ceded.is_none() && self.values == Values::Kept {
            return;
        }
        self.erred |= ceded != Some(0);
        let aversion = turn.preference(self.kappa).aversion(chosen.state);
        self.posterior.observe(profile, aversion);
    }

    /// The number of moves observed.
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// The total number of the winner's moves ceded.
    pub fn ceded(&self) -> u32 {
        self.ceded
    }

    /// The number of moves that lost value.
    pub fn value_losses(&self) -> usize {
        self.value_losses
    }

    /// Was this game free of errors?
    pub(crate) fn is_faultless(&self) -> bool {
        self.ceded == 0 && self.value_losses == 0
    }

    /// The apparent competence; `None` if no error counts, since arbitrarily great c explain that.
    pub fn competence(&self) -> Option<Estimate> {
        self.erred.then(|| self.posterior.summary()).flatten()
    }

    /// The distribution over the grid.
    pub fn posterior(&self) -> &Posterior {
        &self.posterior
    }
}
