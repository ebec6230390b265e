//! Intrinsic ratings: what the moves played reveal about the players.
//!
//! Games are entered into a [`Study`], one SQLite file that keeps games, turns and engine evaluations. A calibration models how
//! players of each rating choose among evaluated moves; a rating is the level at which the player's own moves are likeliest,
//! with an interval.
//!
//! ```no_run
//! use std::path::Path;
//! use errare_rating::Study;
//!
//! let mut study = Study::open_or_create(Path::new("study.db"))?;
//! study.evaluate_file(Path::new("games.pgn"), 8, &())?;
//! let elo = study.rate("Timman")?.elo;
//! println!("{:.0}, between {:.0} and {:.0}", elo.mean, elo.low, elo.high);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The key decision is to keep games and evaluations together and to evaluate each position once: fits, ratings and screenings
//! then take seconds, and several processes can work on one study. Remote workers use [`Study::pending`], [`Study::claim`] and
//! [`Study::record`]. [`Study::visit`] returns the evaluated turns, each with its moves in the engine's order, and says why the
//! others are excluded.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, sections 3 and 5.

mod bootstrap;
mod calibrate;
mod calibration;
mod classes;
mod clock;
pub mod continuous;
mod estimator;
pub mod export;
mod fault;
mod fit;
mod game;
mod human;
mod line;
mod minimise;
mod model;
mod pace;
mod phase;
mod player;
mod projection;
mod rate;
mod record;
mod replicates;
mod sample;
mod scale;
mod screen;
mod screening;
mod shipped;
pub mod study;
mod turn;

pub use bootstrap::Bootstrap;
pub use calibrate::{AgentCalibrateError, AgentRecipe, RatedSample};
pub use calibration::{
    AgentCalibration, CalibratedClass, CalibrationError, CalibrationRow, Inflation,
};
pub use classes::{By, Class, Classing};
pub use clock::ClockRange;
pub use estimator::{Estimator, EstimatorError};
pub use fit::{AgentFitError, Fit};
pub use game::{Contestant, GameId, StudyGame};
pub use human::Human;
pub use line::{Point, StraightLine};
pub use minimise::Convergence;
pub use model::AgentModel;
pub use pace::Pace;
pub use phase::GamePhase;
pub use player::{PlayerError, PlayerTurns};
pub use projection::{Compared, Projection};
pub use rate::{AgentRateError, Rating};
pub use record::{BadGame, GameRecord, TurnRecord};
pub use replicates::Replicates;
pub use sample::{Observation, Sample};
pub use scale::{CAP, TIE, costs, scaled};
pub use screen::AgentScreenee;
pub use screening::{
    Adjusted, FEWEST_SCREENED_TURNS, FULL_TEST_CHANCE, Label, Screened, Screening, SmallestEffect,
    Thresholds, WATCH_CHANCE,
};
pub use shakmaty;
pub use study::{EvaluationView, Study, StudyError};
pub use turn::{
    DECIDED_PAWNS, EvaluatedMove, EvaluatedTurn, Exclusion, OPENING_MOVES, Place, TurnEntry,
};
