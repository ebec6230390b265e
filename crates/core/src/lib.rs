//! The shared vocabulary of Errare: endgames, metrics, depths, outcomes, marks, competences, ratings.
//!
//! The key decision is a type for every quantity. [`Plies`] and [`Moves`] never mix as bare integers: a depth of 61 plies
//! is a win in 31 moves, and off-by-one errors between the two are the most common ones in the literature. A
//! [`Competence`] is never NaN, an [`Elo`] never 0, a [`Colour`] has one form in text and JSON. Boards, moves and FEN come
//! from [`shakmaty`].
//!
//! Three more things live here because every crate above needs them: [`Watch`], which follows, stops and bounds long work;
//! [`Fault`], which gives every error a kind; and [`write_file`], the one way to write a file.
//!
//! ```
//! use errare_core::{Material, Metric, Outcome, Plies};
//!
//! let endgame: Material = "KRvKQ".parse()?;
//! assert_eq!(endgame.to_string(), "KQKR");
//!
//! let outcome = Outcome::Win(Plies(61));
//! assert_eq!(outcome.moves().unwrap().0, 31);
//! assert_eq!(Metric::Dtc.to_string(), "dtc");
//! # Ok::<(), errare_core::ParseMaterialError>(())
//! ```

mod colour;
mod competence;
mod count;
mod depth;
mod elo;
mod fault;
mod file;
mod mark;
mod material;
mod metric;
mod outcome;
mod position;
mod watch;

pub use colour::{Colour, ParseColourError};
pub use competence::{Competence, ParseCompetenceError};
pub use count::grouped;
pub use depth::{Moves, Plies};
pub use elo::{Elo, ParseEloError};
pub use fault::{Fault, FaultKind, with_causes};
pub use file::{NewFile, directory_of, write_file};
pub use mark::Mark;
pub use material::{Army, Material, ParseMaterialError, WrittenEndgame};
pub use metric::{Metric, ParseMetricError};
pub use outcome::Outcome;
pub use position::{ParsePositionError, parse_position};
pub use shakmaty;
pub use watch::{Aside, Cancel, Deadline, Stopped, Watch};
