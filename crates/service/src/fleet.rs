//! Distributes work over machines: splits it into jobs for a queue, runs them, and merges the answers.
//!
//! A submitter splits its work into [`Work`], puts it into a queue (`errare-jobs`) as a batch, and merges the answers:
//! positions to evaluate (`evaluations`), games of a match (`games`), replicates of a bootstrap (`replicates`), tables
//! (`tables`). [`worker`] is the other side. The result of each job is a function of its content, so the outcome does not
//! depend on who did what, how often, or in which order.
//!
//! A worker trusts nothing in a job until it is checked, and takes no path and no command from it: engine, tables and memory
//! are its own.

mod address;
mod audit;
mod batch;
mod evaluations;
mod frame;
mod games;
mod piece;
mod replicates;
mod tables;

pub mod shard;
pub mod status;
pub mod worker;

pub use address::QueueChoice;
pub use games::{collect as collect_games, play};
pub use piece::{PieceError, Work};
pub use replicates::{Drawn, bootstrap};
pub use tables::build;

pub(crate) use batch::Batch;
pub(crate) use evaluations::Evaluations;

/// Workers' answers, public for fuzzing their parsers.
pub mod answers {
    pub use super::{evaluations::Evaluated, games::Games};
}
