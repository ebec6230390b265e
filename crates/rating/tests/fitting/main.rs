//! Fits and projections: against recorded figures, slow twins, and simulated players.

mod continuous;
mod document;
mod honesty;
mod plain;
mod positions;
mod recovery;
mod reference;
mod twin;
mod world;
