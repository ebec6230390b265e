//! Reference endgame players (Haworth 2002; Haworth and Andrist 2004): an [`Oracle`] on endgame
//! tables, and the agents built on it.

mod agent;
mod analyser;
mod analysis;
mod arena;
mod difficulty;
mod emulator;
mod exact;
mod matches;
mod oracle;
mod player;
mod predator;
mod predictor;
mod spec;
mod state;
mod turn;
mod weighting;

pub use agent::{Agent, PlayError, Player, View, draw};
pub use analyser::Analyser;
pub use analysis::{
    GameAnalysis, MoveReport, Phase, PlayerReport, Record, Settings, analyse, analyse_after,
    endgames,
};
pub use difficulty::{CurvePoint, Difficulty, Progress};
pub use emulator::{Emulator, NoSuchEmulator};
pub use exact::{Bounded, ExactError, ExactPredictor, Lengths, Simulator};
pub use matches::{Finish, Match, MatchAnalysis, Played, Rules};
pub use oracle::Oracle;
pub use player::{Infallible, ParseTieBreakError, RandomPlayer, ReferencePlayer, TieBreak};
pub use predator::{Belief, Chances, Opponent, Plies, Predator, Prospect, prospects};
pub use predictor::{Chain, ChainState, Elimination, Matrix, Predictor, Results, States, Values};
pub use spec::{ParsePlayerError, PlayerSpec};
pub use state::{destination, exits};
pub use turn::{Choice, Turn};
pub use weighting::{MoveWeight, Weighting};
