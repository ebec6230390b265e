//! Intrinsic ratings: what the moves that were played say of those who played them.
//!
//! Games are entered into a [`Study`], one SQLite file that keeps games, turns and what
//! engines said of them. [`Study::visit`] gives the evaluated turns back, each with its moves in the
//! engine's order, and says why the others are not used.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, sections 3 and 5.

mod bootstrap;
mod calibrate;
mod calibration;
mod classes;
mod estimator;
pub mod export;
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
mod sample;
mod scale;
mod screen;
mod shipped;
pub mod study;
mod turn;

pub use bootstrap::Bootstrap;
pub use calibrate::{CalibrateError, FEWEST_TURNS, RatedSample, Recipe};
pub use calibration::{CalibratedClass, Calibration, CalibrationError, Inflation, Row};
pub use classes::{By, Class, Classing};
pub use estimator::{Estimator, EstimatorError};
pub use fit::{Fit, FitError};
pub use game::{Game, GameId, Player};
pub use human::Human;
pub use line::{Line, Point};
pub use minimise::Convergence;
pub use model::Model;
pub use pace::Pace;
pub use phase::Phase;
pub use player::{PlayerError, PlayerTurns};
pub use projection::{Compared, Projection};
pub use rate::{RateError, Rating};
pub use record::{BadGame, GameRecord, TurnRecord};
pub use sample::{Observation, Sample};
pub use scale::{CAP, TIE, costs, scaled, shallow_costs};
pub use screen::{
    Adjusted, FEWEST_SCREENED_TURNS, FULL_TEST_CHANCE, Label, Screened, Screenee, Screening,
    Thresholds, WATCH_CHANCE,
};
pub use study::{Study, StudyError, View};
pub use turn::{DECIDED_PAWNS, Entry, EvaluatedMove, Exclusion, OPENING_MOVES, Place, Turn};
