//! Intrinsic ratings: what the moves that were played say of those who played them.
//!
//! Games are read from PGN ([`pgn`]) into a [`Study`], one SQLite file that keeps games, turns and what
//! engines said of them. [`Study::visit`] gives the evaluated turns back, each with its moves in the
//! engine's order, and says why the others are not used.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, sections 3 and 5.

mod game;
pub mod pgn;
pub mod study;
mod turn;

pub use game::{Game, GameId, Player};
pub use study::{Study, StudyError, View};
pub use turn::{DECIDED_PAWNS, Entry, EvaluatedMove, Exclusion, OPENING_MOVES, Place, Turn};
