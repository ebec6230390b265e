//! The vocabulary of Errare: what every other crate calls an endgame, a metric, a depth, an outcome, a mark, a competence,
//! a rating.
//!
//! The key decision is a type for every quantity. [`Plies`] and [`Moves`] never meet as bare integers, since a depth of 61
//! plies is a win in 31 moves and off-by-one errors between the two are the most common ones in the literature. A
//! [`Competence`] is never NaN, an [`Elo`] never 0, a [`Colour`] has one form in text and JSON. Board, moves and FEN are
//! those of [`shakmaty`].
//!
//! Three more things are here because every floor above needs them: [`Watch`], by which long work is followed, stopped
//! and bounded; [`Fault`], which says what kind of error occurred; and [`write_file`], the one way to write a file.
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
pub use fault::{Fault, FaultKind};
pub use file::{NewFile, write_file};
pub use mark::Mark;
pub use material::{Army, Material, ParseMaterialError};
pub use metric::{Metric, ParseMetricError};
pub use outcome::Outcome;
pub use position::{ParsePositionError, parse_position};
pub use shakmaty;
pub use watch::{Aside, Cancel, Deadline, Stopped, Watch};
