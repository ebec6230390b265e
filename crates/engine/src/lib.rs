//! The engine as oracle: every legal move of a position, evaluated at every depth.
//!
//! An [`Evaluation`] is an engine's ranking of all legal moves of a position: one [`Iteration`] per depth, each with the moves
//! in the engine's order and their [`Score`]s from the mover's view.
//!
//! The key decision is that an evaluation depends on the position and the [`EngineKey`] (engine, version, net, depth) and on
//! nothing else: one thread, a hash table that is cleared before each position, no game history. It can be computed
//! anywhere, once, and kept forever. The price is speed: a search from scratch shares nothing with the last one.
//!
//! An [`Engine`] is one process, driven over pipes. A [`Pool`] works on many positions at once and restarts engines that
//! crash, hang or lie. [`Engines`] serve players, who ask about one position at a time.
//!
//! ```no_run
//! use std::time::Duration;
//! use errare_engine::{EngineSettings, Engines, find};
//! use shakmaty::Chess;
//!
//! let settings = EngineSettings { path: find(None)?, depth: 8, silence: Duration::from_secs(60) };
//! let engines = Engines::start(settings)?;
//! let evaluation = engines.evaluate(&Chess::default())?;
//! assert_eq!(evaluation.moves().len(), 20);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
pub use engine::{Engine, EngineSettings};
pub use engines::Engines;
pub use error::EngineError;
pub use evaluation::{BlobError, Evaluation, Iteration, Ranked};
pub use find::{NotFound, find};
pub use guard::kill_all;
pub use key::{EngineKey, position_key};
pub use line::{EngineOutput, Exact};
pub use pool::{Next, Pool, PositionJob, PositionOutcome, PositionSource};
pub use score::{Score, ScoreError};
pub use shakmaty;
