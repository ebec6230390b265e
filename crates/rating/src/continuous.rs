//! The continuous family: one model for players of all ratings.
//!
//! An option's utility is a weighted sum of [`Feature`]s, and people choose by the softmax of the utilities.
//! The weights are lines in Elo, fitted to all turns of all rated players at once ([`Lines`]). With
//! the standard features this predicts moves far better than costs alone do, and because cost and first
//! move are among the features, projections of mm and ad are unbiased.
//!
//! Turns of a game and games of a player are not independent: [`Effects`] measures how much the quality of
//! play differs from the rating, in a single game and permanently. A [`Calibration`] holds all of this for
//! one engine at one depth:
//!
//! - [`Calibration::rate`] measures how well moves were played, and what that implies for the player's Elo;
//! - [`Calibration::screen`] compares players with honest players of their own rating;
//! - [`Calibration::chances`] gives the probability of each move for a player of a given rating;
//! - [`Calibration::quality`] reports its accuracy, by cross-validation;
//! - [`Calibration::held_against`] reports its accuracy on other games.
//!
//! The equations are in `docs/intrinsic-ratings.md`.

mod calibrate;
mod calibration;
mod check;
mod choices;
mod effects;
mod feature;
mod fit;
mod honest;
mod lines;
mod measure;
mod quality;
mod rate;
mod sandwich;
mod screen;

pub use calibrate::{CalibrateError, Recipe};
pub use calibration::{Calibration, Origin, VERSION};
pub use check::{CalibrationCheck, FEWEST_CHECKED_TURNS, Offset};
pub use choices::{Choices, ObservedChoice, ReadError, Stretch};
pub use effects::{Effect, Effects};
pub use feature::{
    Cost, CostAhead, CostEarly, Feature, FeatureError, First, Ranks, Seen, list, parse, standard,
};
pub use fit::{ContinuousFit, FitError, RIDGE};
pub use honest::{Honest, Tail};
pub use lines::{Lines, Weight};
pub use measure::{Measure, Measures};
pub use quality::{ClassQuality, Coverage, LogLoss, Quality, QualityPoint, Reliability, Situation};
pub use rate::{FEWEST_RATED_TURNS, Interval, RateError, Rated};
pub use screen::{EvidenceSum, Screenee, Weighed};
