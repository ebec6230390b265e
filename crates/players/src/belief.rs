//! A player's belief about its opponent.

use std::fmt;

use errare_choice::Estimate;

/// A belief, and the number of moves it is based on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Belief {
    /// A competence c, learnt from tables, or from an engine's list if no calibration is available.
    Competence {
        /// The estimate; `None` while the moves are consistent with arbitrarily great c.
        estimate: Option<Estimate>,
        /// Moves seen.
        moves: usize,
    },
    /// A rating, according to the model of human play.
    Elo {
        /// The mean.
        mean: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// Moves seen.
        moves: usize,
    },
    /// The competence was given, not learnt.
    Known(f64),
}

impl fmt::Display for Belief {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Belief::Competence {
                estimate: None,
                moves,
            } => write!(f, "no error in {moves} moves"),
            Belief::Competence {
                estimate: Some(Estimate {
                    mean, low, high, ..
                }),
                moves,
            } => write!(
                f,
                "c = {mean:.1} ({low:.0} to {high:.0}) after {moves} moves"
            ),
            Belief::Elo {
                mean,
                low,
                high,
                moves,
            } => write!(
                f,
                "Elo {mean:.0} ({low:.0} to {high:.0}) after {moves} moves"
            ),
            Belief::Known(competence) => write!(f, "c = {competence}, as given"),
        }
    }
}
