//! Reading games: PGN, plain or compressed, as databases, Lichess and chess.com export it.

mod clock;
mod record;
mod source;

pub use record::{BadGame, GameRecord, TurnRecord, games};
pub(crate) use record::{exclusion, position_key};
pub use source::{SourceError, open};
