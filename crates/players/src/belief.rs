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
        let counted = |moves: &usize| match moves {
            1 => "1 move".to_owned(),
            moves => format!("{moves} moves"),
        };
        match self {
            Belief::Competence {
                estimate: None,
                moves,
            } => write!(f, "no error in {}", counted(moves)),
            Belief::Competence {
                estimate: Some(Estimate {
                    mean, low, high, ..
                }),
                moves,
            } => {
                let after = counted(moves);
                write!(f, "c = {mean:.1} ({low:.0} to {high:.0}) after {after}")
            }
            Belief::Elo {
                mean,
                low,
                high,
                moves,
            } => {
                let after = counted(moves);
                write!(f, "Elo {mean:.0} ({low:.0} to {high:.0}) after {after}")
            }
            Belief::Known(competence) => write!(f, "c = {competence}, as given"),
        }
    }
}
