//! One sampled move of A^depth.

use std::num::NonZeroU32;

use errare_core::Watch;
use errare_minimax::{Alpha, Automaton, Leaves, MinimaxPlayer, Terminals};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;

use super::search;
use crate::Error;

/// The position and the player's settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxPlayRequest))]
pub struct Request {
    /// The position, as FEN or `start`.
    pub fen: String,
    /// The search depth in plies.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1))]
    pub depth: NonZeroU32,
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// The value of terminal positions.
    pub terminals: Terminals,
    /// The seed of the random numbers; random if missing.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Start even if it may take more than an hour?
    #[serde(default)]
    pub long: bool,
}

/// The move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxPlayAnswer))]
pub struct Answer {
    /// The player's name.
    pub player: String,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
}

/// Chooses a move.
pub fn answer(request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    let position = search::position(&request.fen)?;
    search::check_cost(&position, request.depth, request.alpha, 1, request.long)?;
    let player = MinimaxPlayer::Minimax(Automaton {
        depth: request.depth,
        leaves: Leaves::Random(request.alpha),
        terminals: request.terminals,
    });
    let seed = request.seed.unwrap_or_else(rand::random);
    watch.begin("searching", None);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let chosen = player.choose_watched(&position, &mut random, watch)?;
    Ok(Answer {
        player: player.to_string(),
        seed,
        uci: search::uci(chosen),
        san: SanPlus::from_move(position, chosen).to_string(),
    })
}
