//! A request, an answer and a function for everything Errare can do.
//!
//! Every interface (command line, UCI, web, workers) translates its input into a request of one of these modules, calls its
//! function with a [`Service`] and a [`Watch`](errare_core::Watch), and shows the answer. A module is named after the verb
//! and holds its `Request`, its `Answer` and `answer(&Service, &Request, &dyn Watch)`. There is no printing here, no command
//! line and no HTTP.
//!
//! The key decision is that requests and answers are plain data that round-trip through JSON, so that an interface, a script
//! and a remote worker see the same thing. Every error is an [`Error`] with a kind, which each interface maps once, to exit
//! codes or HTTP status.
//!
//! ```
//! use errare_service::{Service, Supply, probe};
//! use errare_tables::Store;
//!
//! # let directory = errare_testing::scratch_directory();
//! // Tables that are missing are built, once however many ask at the same time.
//! let service = Service { tables: Supply::new(Store::open(directory, 16 << 20)) };
//! let request = probe::Request::new("8/8/8/4k3/8/8/Q7/K7 w - - 0 1");
//! let answer = probe::answer(&service, &request, &())?;
//! assert!(answer.position.dtm > Some(0), "the queen wins");
//! # Ok::<(), errare_service::Error>(())
//! ```

mod calibration;
mod engine;
mod error;
mod evidence;
mod request;
mod study;
mod supply;
mod text;
mod texts;
mod workers;

pub mod anchor;
pub mod model;
pub mod names;
pub mod spread;

pub mod advise;
pub mod analyse;
pub mod calibrate;
pub mod check;
pub mod choices;
pub mod compare;
pub mod difficulty;
pub mod doctor;
pub mod evaluate;
pub mod export;
pub mod fit;
pub mod fleet;
pub mod library;
pub mod line;
pub mod markov;
pub mod matches;
pub mod minimax;
pub mod practice;
pub mod predict;
pub mod probe;
pub mod rate;
pub mod reproduce;
pub mod screen;
pub mod seat;
pub mod tables;

pub use calibration::{AboutCalibration, AnyCalibration, CalibrationChoice, Fitting};
pub use engine::EngineChoice;
pub use error::Error;
pub use evidence::{Evidence, EvidenceChoice};
pub use request::RequestError;
pub use study::{Entered, Fingerprint, SkippedGame, StudyView};
pub use supply::Supply;

/// The state that all requests share: the supply of tables.
#[derive(Debug, Clone)]
pub struct Service {
    /// The supply of tables.
    pub tables: Supply,
}
