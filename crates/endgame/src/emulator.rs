//! The Emulator E_c: plays so that it appears to have competence c (Haworth and Andrist 2004, section 3.4).
//!
//! A reference Analyser observes it, with a uniform prior over x = 0(1)2c before a game. Among the states that its
//! value-preserving moves lead to, the Emulator chooses the one after which that Analyser's mean is nearest to c,
//! and then any move to that state.
//!
//! The paper leaves some details open. If 2c is not an integer, we take the greatest step below 1 that divides it,
//! so that c stays in the middle. Equidistant states count as one: all moves to any of them are equally likely. So
//! E_0, whose Analyser knows no competence but 0, is the random player that keeps the value. A single state leaves
//! nothing to choose. Negative and infinite c are rejected, as no Analyser over 0(1)2c can see them.

use crate::TablePlayError;
use errare_choice::{Grid, Kappa, Posterior, PriorShape, Profile};
use rand::Rng;

use crate::{
    Turn, Weighting,
    agent::{TableAgent, TableView, draw},
};

/// The Emulator in one game.
///
/// ```
/// use errare_choice::Kappa;
/// use errare_core::{Metric, parse_position};
/// use errare_endgame::{Emulator, Oracle};
///
/// # use errare_tables::{Prober, Store, build};
/// # let store = Store::open(errare_testing::shared_tables(), 16 << 20);
/// # build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
/// # let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
/// let turn = oracle.turn(&parse_position("8/8/8/4k3/8/8/Q7/K7 w - - 0 1")?)?;
/// let mut emulator = Emulator::new(10.0, Kappa::ONE)?;
/// let chances = emulator.probabilities(&turn);
/// let chosen = (0..chances.len()).max_by(|&a, &b| chances[a].total_cmp(&chances[b])).unwrap();
/// emulator.observe(&turn, chosen);
/// assert!((emulator.apparent_competence() - 10.0).abs() < 5.0, "it appears to play with about c = 10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Emulator {
    competence: f64,
    kappa: Kappa,
    posterior: Posterior,
}

/// Returned for a c that no Emulator can have.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("an emulator's c is a number from 0 to {MOST}, not {0}")]
pub struct NoSuchEmulator(f64);

/// The greatest c: even an infallible player shows less in a game.
const MOST: f64 = 10_000.0;

/// Means that differ by less are equidistant.
const TIE: f64 = 1e-9;

impl Emulator {
    /// E_c at the beginning of a game.
    pub fn new(competence: f64, kappa: Kappa) -> Result<Emulator, NoSuchEmulator> {
        if !(0.0..=MOST).contains(&competence) {
            return Err(NoSuchEmulator(competence));
        }
        Ok(Emulator {
            competence,
            kappa,
            posterior: Posterior::new(reference_grid(competence), &PriorShape::Uniform),
        })
    }

    /// Its apparent competence so far, according to the reference Analyser.
    pub fn apparent_competence(&self) -> f64 {
        self.posterior
            .summary()
            .map_or(0.0, |estimate| estimate.mean)
    }

    /// Records a move of its own with the reference Analyser.
    pub fn observe(&mut self, turn: &Turn, chosen: usize) {
        let profile = Weighting::keeping_value().profile(turn, self.kappa);
        let state = turn.choices()[chosen].state;
        self.observe_among(&profile, turn.preference(self.kappa).aversion(state));
    }

    /// Records a choice of its own by its aversion, for options from any oracle.
    pub fn observe_among(&mut self, profile: &Profile, aversion: f64) {
        self.posterior.observe(profile, aversion);
    }

    /// The probability of each move.
    pub fn probabilities(&self, turn: &Turn) -> Vec<f64> {
        self.probabilities_among(&Weighting::keeping_value().options(turn, self.kappa))
    }

    /// The probability of each option, given as pairs of aversion and weight.
    pub fn probabilities_among(&self, options: &[(f64, f64)]) -> Vec<f64> {
        let profile = Profile::new(options.iter().copied());
        let distances: Vec<(f64, f64)> = profile
            .entries()
            .map(|(aversion, _)| {
                let mut posterior = self.posterior.clone();
                posterior.observe(&profile, aversion);
                // A state that no x would choose shows no competence at all.
                let mean = posterior.summary().map_or(f64::INFINITY, |seen| seen.mean);
                (aversion, (mean - self.competence).abs())
            })
            .collect();
        let nearest = distances.iter().map(|d| d.1).fold(f64::INFINITY, f64::min);
        let is_nearest = |aversion: f64| {
            let at = distances.iter().find(|d| d.0 == aversion);
            at.is_some_and(|d| d.1 <= nearest + TIE)
        };
        let chosen = |&(aversion, weight): &(f64, f64)| weight > 0.0 && is_nearest(aversion);
        let count = options.iter().filter(|option| chosen(option)).count();
        let chance = |option: &(f64, f64)| match chosen(option) {
            true => 1.0 / count as f64,
            false => 0.0,
        };
        options.iter().map(chance).collect()
    }
}

/// x = 0(1)2c, with c in the middle.
fn reference_grid(competence: f64) -> Grid {
    let most = 2.0 * competence;
    let step = if most > 0.0 { most / most.ceil() } else { 1.0 };
    let grid = format!("0({step}){most}").parse();
    grid.expect("the steps lead from 0 to 2c")
}

impl TableAgent for Emulator {
    fn choose(&mut self, view: TableView<'_>, rng: &mut dyn Rng) -> Result<usize, TablePlayError> {
        let chosen = draw(&self.probabilities(view.turn), rng);
        self.observe(view.turn, chosen);
        Ok(chosen)
    }
}
