//! The exact hunter against plain value iteration over all positions of the full board, against
//! every other way to resist, and against games.

mod games;
mod library;
mod resistance;
mod risk;
mod solutions;
mod twin;

use errare_endgame::{PredatorDepth, Resistance};

const MEMORY: u64 = 1 << 30;

fn predator(plies: u32) -> Resistance {
    Resistance::Predator(PredatorDepth::new(plies).unwrap())
}
