//! The vocabulary of Errare: what every other crate calls an endgame, a metric, a depth, an
//! outcome, a mark.
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

mod depth;
mod mark;
mod material;
mod metric;
mod outcome;

pub use depth::{Moves, Plies};
pub use mark::Mark;
pub use material::{Army, Material, ParseMaterialError};
pub use metric::{Metric, ParseMetricError};
pub use outcome::Outcome;
