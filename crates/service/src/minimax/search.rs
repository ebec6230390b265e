//! The request and search shared by all verbs that search a chess position.

use std::{num::NonZeroU32, time::Duration};

use errare_core::{Fault, FaultKind, Watch, parse_position};
use errare_minimax::{
    Alpha, GamePosition, ProbabilityEstimate, SearchCost, Shape, Terminals, Ties,
    probabilities_watched,
};
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, Move, Position, san::SanPlus};

use crate::Error;

/// A position to search.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxSearchRequest))]
pub struct Request {
    /// The position, as FEN or `start`.
    pub fen: String,
    /// The search depth in plies.
    #[cfg_attr(feature = "schema", schema(value_type = u32, minimum = 1))]
    pub depth: NonZeroU32,
    /// Search settings.
    #[serde(flatten)]
    pub options: SearchOptions,
}

/// Search settings.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct SearchOptions {
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// The value of terminal positions inside the tree.
    pub terminals: Terminals,
    /// What counts as choosing a move when several are best.
    pub ties: Ties,
    /// The error allowed in the sum of all probabilities.
    pub tolerance: f64,
    /// Start even if it may take more than an hour?
    pub long: bool,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            alpha: Alpha::CONTINUOUS,
            terminals: Terminals::Recognised,
            ties: Ties::Uniform,
            tolerance: 1e-6,
            long: false,
        }
    }
}

/// Longer searches are started only on request.
const LONG: Duration = Duration::from_secs(3600);

/// A move with its probability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveProbability {
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The probability of choosing it.
    pub probability: f64,
}

/// The result of a search; the moves are in the order of the move generator.
pub(super) struct Found {
    pub(super) shape: Shape,
    pub(super) estimate: ProbabilityEstimate,
    pub(super) moves: Vec<MoveProbability>,
}

impl SearchOptions {
    /// The probabilities of the moves of A^depth.
    pub(super) fn search(
        &self,
        position: &Chess,
        depth: NonZeroU32,
        watch: &dyn Watch,
    ) -> Result<Found, Error> {
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return Err(Error::bad_request(
                "a tolerance is a number between 0 and 1, such as 1e-6",
            ));
        }
        check_cost(position, depth, self.alpha, 1, self.long)?;
        let shape = Shape::watched(position, depth, self.terminals, watch)?;
        let estimate = probabilities_watched(&shape, self.alpha, self.ties, self.tolerance, watch)?;
        if estimate.error > self.tolerance {
            watch.tell(&format!(
                "rounding limits the error to {:.1e}, above the tolerance asked for",
                estimate.error
            ));
        }
        let moves = position.moves().into_iter().zip(&estimate.probabilities);
        let moves = moves
            .map(|(chosen, &probability)| MoveProbability {
                uci: uci(chosen),
                san: SanPlus::from_move(position.clone(), chosen).to_string(),
                probability,
            })
            .collect();
        Ok(Found {
            shape,
            estimate,
            moves,
        })
    }
}

/// A search may take too long to be started without confirmation.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "depth {depth} has about {leaves:.1e} leaves: it may take {hours:.1} hours and {gibibytes:.1} GiB of memory, \
     less where moves transpose"
)]
pub struct TooLong {
    /// The depth.
    pub depth: NonZeroU32,
    /// The approximate number of leaves.
    pub leaves: f64,
    /// The estimated time.
    pub hours: f64,
    /// The estimated memory.
    pub gibibytes: f64,
}

impl Fault for TooLong {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

/// Refuses if this many searches of such positions may take too long, unless that was requested.
pub(crate) fn check_cost<G: GamePosition>(
    position: &G,
    depth: NonZeroU32,
    alpha: Alpha,
    times: u32,
    long: bool,
) -> Result<(), TooLong> {
    let cost = SearchCost::estimate(position, depth, alpha);
    let time = cost.time.saturating_mul(times);
    if time > LONG && !long {
        return Err(TooLong {
            depth,
            leaves: cost.leaves,
            hours: time.as_secs_f64() / 3600.0,
            gibibytes: cost.bytes / f64::from(1 << 30),
        });
    }
    Ok(())
}

/// A move in UCI notation.
pub(super) fn uci(chosen: Move) -> String {
    chosen.to_uci(CastlingMode::Standard).to_string()
}

/// Parses a position in which there is a move to choose.
pub fn position(text: &str) -> Result<Chess, Error> {
    let position: Chess = match text {
        "start" | "startpos" => Chess::default(),
        _ => parse_position(text)?,
    };
    let over = if position.is_checkmate() {
        "the side to move is checkmated"
    } else if position.is_stalemate() {
        "the side to move is stalemated"
    } else if position.is_insufficient_material() {
        "the game is drawn, as neither side can mate"
    } else {
        return Ok(position);
    };
    Err(Error::bad_request(format!(
        "{over}: there is no move to choose"
    )))
}
