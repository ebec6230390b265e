//! Helpers shared by the tests of several crates.

mod answer;
mod nats;
mod scratch;
mod skip;
mod tables;
mod turns;

pub use answer::assert_round_trip;
pub use nats::NatsServer;
pub use scratch::scratch_directory;
pub use skip::{SKIPPED, skip};
pub use tables::{TABLES, shared_tables};
pub use turns::TURNS;
