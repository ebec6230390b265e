//! Fits and projections: against recorded figures, a slow twin, and simulated players.

mod continuous;
mod honesty;
mod positions;
mod recovery;
mod reference;
mod twin;
mod world;
