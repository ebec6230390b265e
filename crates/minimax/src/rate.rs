//! Which automaton explains the moves of a game best? The log-likelihood of a player's moves under
//! A^δ, depth by depth.
//!
//! People are not automata: some moves have a probability of 0, or one too small to be computed. A
//! *lapse* says how often a player moves at random instead: the likelihood of a move is
//! (1 - lapse) prob(move) + lapse / moves.

use std::io::Read;
use std::num::NonZeroU32;

use pgn_reader::Reader;
use serde::Serialize;
use shakmaty::{Chess, Color, Move, Position};

use crate::pgn::{PgnError, Recorder};
use crate::{Alpha, Scores, Shape, Terminals, Ties, probabilities};

/// How to rate.
#[derive(Debug, Clone, PartialEq)]
pub struct Rating {
    /// The depths to try.
    pub depths: Vec<NonZeroU32>,
    /// The scores of the leaves.
    pub alpha: Alpha,
    /// What ends of the game are worth.
    pub terminals: Terminals,
    /// How often a player moves at random.
    pub lapse: f64,
    /// The error allowed in the probabilities.
    pub tolerance: f64,
}

/// The moves of one player of one game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RatedPlayer {
    /// The number of the game, from 1.
    pub game: usize,
    /// White or Black.
    pub color: &'static str,
    /// The name in the game's tags.
    pub name: String,
    /// How many moves the player made.
    pub moves: usize,
    /// The depths, in the order asked for.
    pub depths: Vec<DepthFit>,
}

/// How well one depth explains a player's moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct DepthFit {
    /// δ.
    pub depth: NonZeroU32,
    /// The natural logarithm of the probability of all moves; `None` if it is 0.
    pub log_likelihood: Option<f64>,
}

impl RatedPlayer {
    /// The depth that explains the moves best, the first of equals.
    pub fn best(&self) -> Option<DepthFit> {
        let possible = self
            .depths
            .iter()
            .rev()
            .filter(|fit| fit.log_likelihood.is_some());
        possible.copied().max_by(|a, b| {
            a.log_likelihood
                .partial_cmp(&b.log_likelihood)
                .expect("no NaN")
        })
    }
}

/// Rates both players of every game in PGN text, calling `done` after each position.
pub fn rate(
    games: impl Read,
    rating: &Rating,
    done: impl Fn(),
) -> Result<Vec<RatedPlayer>, PgnError> {
    let mut reader = Reader::new(games);
    let mut rated = Vec::new();
    for game in 1.. {
        let Some(record) = reader.read_game(&mut Recorder { game })? else {
            break;
        };
        let record = record?;
        let mut sums = [0, 1].map(|_| vec![0.0; rating.depths.len()]);
        for (position, played) in &record.turns {
            let sums = &mut sums[usize::from(position.turn().is_black())];
            for (sum, depth) in sums.iter_mut().zip(&rating.depths) {
                *sum += rating.likelihood(position, *played, *depth).ln();
            }
            done();
        }
        for (side, color) in [Color::White, Color::Black].into_iter().enumerate() {
            let fits = rating.depths.iter().zip(&sums[side]);
            rated.push(RatedPlayer {
                game,
                color: if color.is_white() { "white" } else { "black" },
                name: record.names[side].clone(),
                moves: record
                    .turns
                    .iter()
                    .filter(|(position, _)| position.turn() == color)
                    .count(),
                depths: fits
                    .map(|(&depth, &sum)| DepthFit {
                        depth,
                        log_likelihood: sum.is_finite().then_some(sum),
                    })
                    .collect(),
            });
        }
    }
    Ok(rated)
}

impl Rating {
    /// The probability that A^depth, with lapses, plays this move.
    fn likelihood(&self, position: &Chess, played: Move, depth: NonZeroU32) -> f64 {
        let shape = Shape::of(position, depth, self.terminals);
        let estimate = probabilities(&shape, self.alpha, Ties::Uniform, self.tolerance);
        let index = position
            .legal_moves()
            .iter()
            .position(|&legal| legal == played);
        let probability = estimate.probabilities[index.expect("the move was found legal")];
        // Below its error a probability is not known to differ from 0.
        let resolved = if probability > estimate.error {
            probability
        } else {
            0.0
        };
        (1.0 - self.lapse) * resolved + self.lapse / shape.moves() as f64
    }
}
