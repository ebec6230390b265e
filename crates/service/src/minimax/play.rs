//! One sampled move of A^depth.

use std::num::NonZeroU32;

use errare_minimax::{Alpha, Automaton, Leaves, MinimaxPlayer, Terminals};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;

use super::search;
use crate::Error;

/// Where a move is wanted, and of whom.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Request {
    /// The position, as FEN or `start`.
    pub fen: String,
    /// How many plies to search.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1))]
    pub depth: NonZeroU32,
    /// How many scores a leaf can have; null for continuous ones.
    pub alpha: Alpha,
    /// What ends of the game are worth.
    pub terminals: Terminals,
    /// The seed of the random numbers; random if none is given.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Whether to start even if it may take more than an hour.
    #[serde(default)]
    pub long: bool,
}

/// The move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Answer {
    /// Who plays, by name.
    pub player: String,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The move in UCI's notation.
    pub uci: String,
    /// The move in people's notation.
    pub san: String,
}

/// Plays.
pub fn answer(request: &Request) -> Result<Answer, Error> {
    let position = search::position(&request.fen)?;
    search::check_cost(&position, request.depth, request.alpha, 1, request.long)?;
    let player = MinimaxPlayer::Minimax(Automaton {
        depth: request.depth,
        leaves: Leaves::Random(request.alpha),
        terminals: request.terminals,
    });
    let seed = request.seed.unwrap_or_else(rand::random);
    let chosen = player.choose(&position, &mut ChaCha8Rng::seed_from_u64(seed));
    Ok(Answer {
        player: player.to_string(),
        seed,
        uci: search::uci(chosen),
        san: SanPlus::from_move(position, chosen).to_string(),
    })
}
