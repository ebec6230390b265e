//! What a player believes about its opponent.

use std::fmt;

use errare_choice::Estimate;

/// A belief, and how many moves it comes from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Belief {
    /// A competence c: learnt in tables, or by an engine's list where no calibration is at hand.
    Competence {
        /// The belief; none while any great c explains what was seen.
        estimate: Option<Estimate>,
        /// Moves seen.
        moves: usize,
    },
    /// A rating, by the model of human play.
    Elo {
        /// Mean, and the ends of the central 95 %.
        mean: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
        /// Moves seen.
        moves: usize,
    },
    /// The competence is known, not learnt.
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
            Belief::Known(competence) => write!(f, "c = {competence}, as told"),
        }
    }
}
