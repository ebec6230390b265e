//! Reference endgame players (Haworth 2002; Haworth and Andrist 2004): an [`Oracle`] on endgame
//! tables, and the agents built on it.

mod agent;
mod analyser;
mod difficulty;
mod exact;
mod oracle;
mod player;
mod predictor;
mod state;
mod turn;
mod weighting;

pub use agent::{Agent, View};
pub use analyser::Analyser;
pub use difficulty::{CurvePoint, Difficulty, Progress};
pub use exact::{Bounded, ExactError, ExactPredictor};
pub use oracle::{Oracle, OracleError};
pub use player::{Infallible, ParseTieBreakError, RandomPlayer, ReferencePlayer, TieBreak};
pub use predictor::{Chain, ChainState, Elimination, Matrix, Predictor, Results, States, Values};
pub use state::{destination, exits};
pub use turn::{Choice, Turn};
pub use weighting::{MoveWeight, Weighting};
