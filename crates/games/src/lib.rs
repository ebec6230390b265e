//! Games from PGN, plain or compressed, as databases, Lichess and chess.com export it.
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
mod reader;
mod source;

pub use game::{Game, Problem};
pub use reader::games;
pub use source::{SourceError, decompressed, open};
