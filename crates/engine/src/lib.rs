//! The engine as oracle: every legal move of a position, evaluated at every depth.
//!
//! An [`Evaluation`] is what an engine says of a position when it must rank all legal moves: one
//! [`Iteration`] a depth, each with the moves in the engine's own order and their [`Score`]s from the
//! mover's view. It is a function of the position and of the [`EngineKey`], nothing else.
//!
//! An [`Engine`] is a process that is asked for evaluations over pipes; a [`Pool`] of them works on many
//! positions at once, and starts engines again that crash, hang or lie. [`Engines`] are for those who have one
//! question at a time.

mod collect;
mod engine;
mod engines;
mod error;
mod evaluation;
mod find;
mod guard;
mod key;
mod line;
mod pipe;
mod pool;
mod score;

pub use collect::Collector;
pub use engine::{Engine, Settings};
pub use engines::Engines;
pub use error::EngineError;
pub use evaluation::{BlobError, Evaluation, Iteration, Ranked};
pub use find::{NotFound, find};
pub use guard::kill_all;
pub use key::{EngineKey, position_key};
pub use line::{Exact, Line};
pub use pool::{Job, Next, Outcome, Pool, Source};
pub use score::{Score, ScoreError};
