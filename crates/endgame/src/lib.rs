//! Reference endgame players (Haworth 2002; Haworth and Andrist 2004): fallible players of a chosen competence, and
//! applications of the idea.
//!
//! An [`Oracle`] on endgame tables knows what every move of a position leads to, and returns a [`Turn`]. A
//! [`ReferencePlayer`] R_c chooses among the moves at random: the greater c, the more it prefers those that keep the win
//! short or the loss long. Everything else inverts this or builds on it. The [`Analyser`] infers c from moves that were
//! played; the [`Predator`] chooses the moves that such an opponent handles worst; the [`Emulator`] makes an observer infer
//! a given c; the [`Predictor`] and the [`ExactPredictor`] compute how long a win takes and how likely it is; the [`Hunter`]
//! is the best possible opponent of R_c.
//!
//! The key decision is that players see a turn and not a board: anything that ranks all moves of a position on one scale can
//! replace the tables, as `errare-players` does with an engine.
//!
//! ```
//! use errare_choice::Kappa;
//! use errare_core::{Metric, parse_position};
//! use errare_endgame::{Oracle, ReferencePlayer, Weighting};
//! use errare_tables::{Prober, Store, build};
//!
//! # let directory = errare_testing::scratch_directory();
//! let store = Store::open(directory, 16 << 20);
//! build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
//! let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
//! let turn = oracle.turn(&parse_position("8/8/8/4k3/8/8/Q7/K7 w - - 0 1")?)?;
//!
//! let optimal = |competence| -> f64 {
//!     let weighting = Weighting::keeping_value();
//!     let player = ReferencePlayer { competence, kappa: Kappa::ONE, weighting };
//!     let chances = player.probabilities(&turn);
//!     let choices = turn.choices().iter().zip(chances);
//!     choices.filter(|(choice, _)| turn.is_optimal(choice)).map(|(_, chance)| chance).sum()
//! };
//! assert!(optimal(20.0) > optimal(5.0), "a stronger player finds the best move more often");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod agent;
mod analyser;
mod analysis;
mod arena;
mod difficulty;
mod emulator;
mod exact;
mod fault;
mod hunter;
mod matches;
mod oracle;
mod played;
mod player;
mod predator;
mod predictor;
mod spec;
mod state;
mod turn;
mod weighting;

pub use agent::{TableAgent, TablePlayError, TablePlayer, TableView, draw};
pub use analyser::Analyser;
pub use analysis::{
    AnalyserSettings, GameAnalysis, MoveReport, Phase, PlayerReport, Record, analyse,
    analyse_after, analyse_observed, endgames,
};
pub use difficulty::{CurvePoint, Difficulty, ProgressThreshold};
pub use emulator::{Emulator, NoSuchEmulator};
pub use exact::{Bounded, ExactError, ExactPredictor, Lengths, Simulator};
pub use hunter::{
    Aim, Goal, Hunt, HuntError, HuntTask, Hunter, Library, Objective, ParseResistanceError, Prey,
    Resistance, Scope, Solution, Solved, Worth,
};
pub use matches::{MatchAnalysis, Rules, TableMatch};
pub use oracle::Oracle;
pub use played::{Finish, MatchGame, play_numbered};
pub use player::{Infallible, ParseTieBreakError, RandomPlayer, ReferencePlayer, TieBreak};
pub use predator::{
    Chances, Opponent, OpponentBelief, Predator, PredatorDepth, Prospect, prospects,
};
pub use predictor::{Chain, ChainState, Matrix, Predictor, ResultChances, States, Values};
pub use shakmaty;
pub use spec::{ParseTablePlayerError, PlayerSpec};
pub use state::{destination, exits};
pub use turn::{Choice, Turn};
pub use weighting::{MoveWeight, Weighting};
