//! Errors of engines.

use std::{io, path::PathBuf};

use errare_core::{Fault, FaultKind};

/// Why an engine did not evaluate a position.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It cannot be started.
    #[error("cannot start the engine {}", path.display())]
    Start {
        /// The program.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It ended, or closed its input or output.
    #[error("the engine ended{}", last_words(.0))]
    Ended(String),
    /// It did not complete the UCI greeting.
    #[error(
        "the engine did not greet within {seconds} seconds; is it a UCI engine?{}",
        last_words(last)
    )]
    NoGreeting {
        /// The time limit.
        seconds: u64,
        /// The last thing it said.
        last: String,
    },
    /// It said nothing for too long.
    #[error("the engine said nothing for {seconds} seconds{}", last_words(last))]
    Silent {
        /// How long.
        seconds: u64,
        /// The last thing it said.
        last: String,
    },
    /// It sent a line that does not end.
    #[error("the engine sent a line that does not end")]
    EndlessLine,
    /// It did not give its name.
    #[error("the engine did not give its name")]
    Nameless,
    /// Its identity differs from before.
    #[error("the engine is now {now}, but was {before} before")]
    Changed {
        /// The earlier identity.
        before: String,
        /// The new identity.
        now: String,
    },
    /// Its MultiPV limit is too low to show all moves.
    #[error("the engine shows {most} lines at most, but the position has {legal} legal moves")]
    TooFewLines {
        /// The most lines.
        most: usize,
        /// The legal moves.
        legal: usize,
    },
    /// It named a move that is not legal.
    #[error("the engine named {0}, which is not a legal move")]
    IllegalMove(String),
    /// It named no best move.
    #[error("the engine found no best move")]
    NoBestMove,
    /// It did not evaluate all moves.
    #[error(
        "the engine evaluated {heard} of {legal} moves at depth {limit}; all of them only at depth {complete}"
    )]
    MissingLines {
        /// The depth asked for.
        limit: u8,
        /// The moves with an exact score at that depth.
        heard: usize,
        /// The legal moves.
        legal: usize,
        /// The greatest depth at which all moves have scores; 0 if there is none.
        complete: usize,
    },
    /// It was cancelled.
    #[error("the engine was stopped")]
    Stopped,
}

impl EngineError {
    /// Might another attempt succeed?
    pub(crate) fn may_pass(&self) -> bool {
        !matches!(self, EngineError::TooFewLines { .. } | EngineError::Stopped)
    }
}

impl Fault for EngineError {
    fn kind(&self) -> FaultKind {
        match self {
            EngineError::Start { .. } => FaultKind::Missing,
            EngineError::TooFewLines { .. } => FaultKind::BadRequest,
            EngineError::Stopped => FaultKind::Stopped,
            _ => FaultKind::Internal,
        }
    }
}

fn last_words(last: &str) -> String {
    match last.trim() {
        "" => String::new(),
        last => format!("; its last line was: {last}"),
    }
}
