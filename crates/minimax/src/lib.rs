//! Random minimaxing: minimax of a full-width game tree whose leaves have random scores.
//!
//! The automaton A^δ searches δ plies, gives every leaf an independent random score and plays the move with the best
//! backed-up score. Though it knows nothing about the game but its moves and ends, it prefers some moves to others:
//! those that leave the opponent few choices, and itself many. How strongly depends only on the shape of the tree,
//! and can be computed:
//!
//! - [`exact_probabilities`] counts, in rational numbers, for small trees of any shape;
//! - [`Shape`] and [`probabilities`] do real positions, by passes over the shape of the tree;
//! - [`MinimaxPlayer`] plays, by sampling, and [`MinimaxMatch`] lets two players meet in chess, Othello or Connect
//!   Four;
//! - [`domination`], [`Lookahead`] and [`mobility`] are the paper's theory of which moves are
//!   preferred, and of whether deeper search helps.
//!
//! The key decision is to keep only the shape of the tree, the numbers of children with equal positions merged: the
//! probabilities depend on nothing else, and building the shape takes about as long as counting the leaves.
//!
//! ```
//! use errare_minimax::{Alpha, Shape, Terminals, Ties, probabilities};
//! use shakmaty::Chess;
//!
//! let shape = Shape::of(&Chess::default(), 3.try_into()?, Terminals::Recognised);
//! assert_eq!(shape.leaves(), 8902);
//!
//! let moves = probabilities(&shape, Alpha::CONTINUOUS, Ties::Uniform, 1e-6);
//! assert!((moves.certificate() - 1.0).abs() < 1e-6);
//! # Ok::<(), std::num::TryFromIntError>(())
//! ```
//!
//! Reference: M. Levene and T. I. Fenner, *The effect of mobility on minimaxing of game trees with
//! random leaf values*.

mod alpha;
mod chess;
mod connect_four;
mod cost;
mod distribution;
mod domination;
mod exact;
mod fault;
mod game;
mod level_regular;
mod lookahead;
mod matches;
pub mod mobility;
mod othello;
mod panel;
mod perft;
mod player;
mod polynomial;
mod quadrature;
mod rate;
mod shape;
mod tree;
mod wilson;

pub use alpha::{Alpha, ParseAlphaError};
pub use connect_four::ConnectFour;
pub use cost::SearchCost;
pub use distribution::{LANES, ScorePoint, ScoreRow, Scores};
pub use domination::{compare_at, domination};
pub use exact::{ParseTiesError, Ties, at_most, exact_probabilities};
pub use game::{GameEnd, GamePosition, MOST_MOVES, MoveList, ParseTerminalsError, Terminals};
pub use level_regular::LevelRegular;
pub use lookahead::{Lookahead, Product, Threshold};
pub use matches::{EndedBy, MatchTally, MinimaxMatch, PlayedGame};
pub use othello::{Othello, OthelloMove};
pub use perft::perft;
pub use player::{Automaton, Leaves, MinimaxPlayer, ParseMinimaxPlayerError};
pub use quadrature::{ProbabilityEstimate, probabilities, probabilities_watched};
pub use rate::{DepthFit, DepthRater, RatedPlayer, rate};
pub use shakmaty;
pub use shape::Shape;
pub use tree::{ParseTreeError, Tree, TreeProblem};
pub use wilson::WilsonInterval;
