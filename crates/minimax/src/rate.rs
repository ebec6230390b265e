//! Finds the automaton that best explains a player's moves: their log-likelihood under A^δ, depth
//! by depth.
//!
//! People are not automata: some of their moves have a probability of 0, or one too small to be
//! computed. The *lapse* is the rate at which a player moves at random instead: the likelihood of a
//! move is (1 - lapse) prob(move) + lapse / moves.

use std::num::NonZeroU32;

use errare_core::{Colour, Stopped, Watch};
use errare_games::Game;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Move, Position};

use crate::game::GamePosition as _;
use crate::{Alpha, Scores, Shape, Terminals, Ties, probabilities};

/// Settings of the rating.
#[derive(Debug, Clone, PartialEq)]
pub struct DepthRater {
    /// The depths to try.
    pub depths: Vec<NonZeroU32>,
    /// The scores of the leaves.
    pub alpha: Alpha,
    /// What ends of the game are worth.
    pub terminals: Terminals,
    /// The rate at which a player moves at random.
    pub lapse: f64,
    /// The error allowed in the probabilities.
    pub tolerance: f64,
}

/// The moves of one player of one game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RatedPlayer {
    /// The number of the game, from 1.
    pub game: usize,
    /// White or Black.
    pub color: Colour,
    /// The name in the game's tags.
    pub name: String,
    /// How many moves the player made.
    pub moves: usize,
    /// The depths, in the order asked for.
    pub depths: Vec<DepthFit>,
}

/// How well one depth explains a player's moves.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DepthFit {
    /// δ.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1))]
    pub depth: NonZeroU32,
    /// The natural logarithm of the probability of all moves; `None` if it is 0.
    pub log_likelihood: Option<f64>,
}

impl RatedPlayer {
    /// The depth that explains the moves best; the first if several do.
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

/// Rates both players of a game; one step of progress is a position.
///
/// ```
/// use errare_minimax::{Alpha, DepthRater, Terminals, rate};
///
/// let pgn = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0";
/// let game = errare_games::games(pgn.as_bytes()).next().ok_or("there is a game")??;
/// let rater = DepthRater {
///     depths: vec![1.try_into()?, 2.try_into()?],
///     alpha: Alpha::CONTINUOUS,
///     terminals: Terminals::Recognised,
///     lapse: 0.01,
///     tolerance: 1e-6,
/// };
/// let [white, black] = rate(&game, &rater, &())?;
/// assert_eq!((white.moves, black.moves), (4, 3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rate(
    game: &Game,
    rating: &DepthRater,
    watch: &dyn Watch,
) -> Result<[RatedPlayer; 2], Stopped> {
    let mut players = [Color::White, Color::Black].map(|color| RatedPlayer {
        game: game.number,
        color: color.into(),
        name: game.name(color).to_owned(),
        moves: 0,
        depths: Vec::new(),
    });
    let mut sums = [0, 1].map(|_| vec![0.0; rating.depths.len()]);
    for (position, played) in game.plies() {
        // Moves made in a dead position say nothing.
        if position.moves().is_empty() {
            break;
        }
        let side = position.turn().fold_wb(0, 1);
        players[side].moves += 1;
        for (sum, depth) in sums[side].iter_mut().zip(&rating.depths) {
            watch.check()?;
            *sum += rating.likelihood(&position, played, *depth).ln();
        }
        watch.advance(1);
    }
    for (player, sums) in players.iter_mut().zip(sums) {
        let fits = rating
            .depths
            .iter()
            .zip(sums)
            .map(|(&depth, sum)| DepthFit {
                depth,
                log_likelihood: sum.is_finite().then_some(sum),
            });
        player.depths = fits.collect();
    }
    Ok(players)
}

impl DepthRater {
    /// The probability that A^depth, with lapses, plays this move.
    fn likelihood(&self, position: &Chess, played: Move, depth: NonZeroU32) -> f64 {
        let shape = Shape::of(position, depth, self.terminals);
        let estimate = probabilities(&shape, self.alpha, Ties::Uniform, self.tolerance);
        let index = position.moves().iter().position(|&legal| legal == played);
        let probability = estimate.probabilities[index.expect("the move was found legal")];
        // A probability below its error cannot be told from 0.
        let resolved = if probability > estimate.error {
            probability
        } else {
            0.0
        };
        (1.0 - self.lapse) * resolved + self.lapse / shape.moves() as f64
    }
}
