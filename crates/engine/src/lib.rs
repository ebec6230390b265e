//! The engine as oracle: every legal move of a position, evaluated at every depth.
//!
//! An [`Evaluation`] is what an engine says of a position when it must rank all legal moves: one
//! [`Iteration`] a depth, each with the moves in the engine's own order and their [`Score`]s from the
//! mover's view. It is a function of the position and of the [`EngineKey`], nothing else.

mod evaluation;
mod key;
mod score;

pub use evaluation::{BlobError, Evaluation, Iteration, Ranked};
pub use key::EngineKey;
pub use score::{Score, ScoreError};
