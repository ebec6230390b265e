//! Invalid requests about ratings, for which each interface has its own remedy.

use errare_core::{Colour, Competence, Fault, FaultKind};
use errare_engine::EngineKey;

/// Why a request cannot be answered.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RequestError {
    /// There is no calibration for this engine and depth.
    #[error("no calibration for {engine} comes with Errare; {known}")]
    NoCalibration {
        /// The engine.
        engine: Box<EngineKey>,
        /// The existing ones, in words.
        known: String,
    },
    /// A store was named for a study, which needs none.
    #[error("a study holds its own evaluations and needs no other")]
    StoreOfStudy,
    /// Games from standard input have no name to derive the study's name from.
    #[error("games from standard input need a study to keep their evaluations in")]
    StoreNeeded,
    /// The share of `norm` was given for a link that does not blend.
    #[error("lambda belongs to the link blend")]
    LambdaWithoutBlend,
    /// The calibration is continuous where agents by rating are needed.
    #[error("classes are rated by agents, and this is a continuous calibration")]
    AgentsNeeded,
    /// A match of chess has no position to start from.
    #[error("a match needs a position to start from")]
    NoStart,
    /// A fleet has nothing to do.
    #[error("a fleet fits the replicates of a bootstrap, and none are asked for")]
    NoReplicates,
    /// No turn belongs to any class.
    #[error("no turn of the study is in a class")]
    NoClass,
    /// The files contain no usable game.
    #[error("there are no games to evaluate")]
    NoGames,
    /// The player has no used turn.
    #[error("{0} has no turn that is used")]
    NoTurns(String),
    /// The side never wins the endgame.
    #[error("this side has no win to predict")]
    NoWin,
    /// No player can be screened.
    #[error("there is nobody to screen: no player has both a rating and a turn that is used")]
    Nobody,
    /// The position to predict is not won for its side to move.
    #[error(
        "{}, to move, {} here; give a position that the side to move wins",
        if *side == Colour::White { "White" } else { "Black" },
        if *lost { "loses" } else { "draws" }
    )]
    NotWon {
        /// The position.
        fen: String,
        /// The side to move.
        side: Colour,
        /// Is it lost, rather than drawn?
        lost: bool,
        /// The player's competence.
        skill: Competence,
    },
    /// Fewer than two mileposts have turns.
    #[error("a line of c needs two mileposts with turns")]
    NoLine,
}

impl Fault for RequestError {
    fn kind(&self) -> FaultKind {
        match self {
            RequestError::NoCalibration { .. } => FaultKind::Missing,
            error if error.is_no() => FaultKind::Missing,
            _ => FaultKind::BadRequest,
        }
    }
}

impl RequestError {
    /// Was the request valid, with the answer that there is nothing?
    #[must_use]
    pub fn is_no(&self) -> bool {
        matches!(
            self,
            RequestError::NoClass
                | RequestError::NoGames
                | RequestError::NoTurns(_)
                | RequestError::NoWin
                | RequestError::Nobody
        )
    }
}
