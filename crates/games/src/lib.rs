//! Reads games from PGN, plain or compressed, as databases, Lichess and chess.com export it.
//!
//! The key decision is to read on. A game is played through as far as possible; problems are kept with it
//! ([`Problem`]), and the next game is read. Text may be UTF-8 or, as in older databases, Windows-1252.
//!
//! Games are read one by one: however long a file is, memory holds one game, and its size is bounded too.
//!
//! ```
//! let text = "[White \"Smith\"]\n\n1. e4 {best by test} e5 2. Ke3 *\n";
//! let game = errare_games::games(text.as_bytes()).next().unwrap()?;
//! assert_eq!(game.tags["White"], "Smith");
//! assert_eq!(game.moves.len(), 2);
//! let flaw = game.flaw().unwrap();
//! assert_eq!(flaw.to_string(), "Ke3 is not a legal move at 2.");
//! # Ok::<(), std::io::Error>(())
//! ```

mod clock;
mod game;
mod legible;
mod reader;
mod score;
mod source;
mod text;

pub use game::{Game, MOST_BYTES, MOST_PLIES, Problem, listed_names, name_key, names_somebody};
pub use reader::games;
pub use score::{GameScore, Token, scores};
pub use shakmaty;
pub use source::{SourceError, decompressed, open};
