//! Named players that choose moves on an ordinary board, and matches between them.
//!
//! A [`PlayerName`] is a text such as `rep:c=20`, `human:elo=1800` or `minimax:depth=3`. Given its [`Means`] (tables, engines,
//! a calibration) it is *hired*, which fails with a reason if something is missing. A [`Hired`] player sits down to any number
//! of games; for each it creates a new [`Chooser`], which sees ordinary positions and makes ordinary moves, from move 1.
//!
//! The key decision: agents that the papers define on endgame tables also play where there is no table, if their name includes
//! an engine, as in `rep:c=20,engine=stockfish`. Haworth & Andrist (2004, section 8) suggest it: anything that evaluates all
//! moves on one scale can replace the table. [`EngineList`] explains how evaluations become preferences. Without an engine,
//! these agents report what they need.
//!
//! ```
//! use errare_players::{Chooser, Means, PlayerName};
//! use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};
//! use shakmaty::{Chess, Position};
//!
//! let name: PlayerName = "minimax:depth=2".parse()?;
//! let player = name.hire(&Means::default())?;
//! let mut chooser = player.sit();
//! let position = Chess::default();
//! let chosen = chooser.choose(&position, &mut ChaCha8Rng::seed_from_u64(1))?;
//! assert!(position.is_legal(chosen.r#move));
//!
//! let mut best = "best".parse::<PlayerName>()?.hire(&Means::default())?.sit();
//! let refusal = best.choose(&position, &mut ChaCha8Rng::seed_from_u64(1)).unwrap_err();
//! assert!(refusal.to_string().contains("engine=stockfish"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod arena;
mod automaton;
mod belief;
mod chooser;
mod drawn;
mod engine;
mod hire;
mod human;
mod list;
mod matches;
mod name;
mod openings;
mod predator;
mod room;
mod sight;
mod values;

pub use belief::Belief;
pub use chooser::{Basis, Ceded, Chooser, Chosen, PlayError};
pub use errare_endgame::{Finish, MatchGame};
pub use hire::{HireError, Hired, Means};
pub use list::EngineList;
pub use matches::{Board, Match, Seats};
pub use name::{EngineName, ParseNameError, PlayerName};
pub use openings::{OpeningsError, openings};
pub use room::EngineRoom;
pub use shakmaty;
pub use sight::Sight;
pub use values::MoveValues;
