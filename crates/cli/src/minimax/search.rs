//! What every verb that searches a chess position asks for, and the search.

use std::num::NonZeroU32;
use std::time::Duration;

use anyhow::{Result, bail};
use clap::Args;
use errare_minimax::{Alpha, Cost, Estimate, Game, Shape, Terminals, Ties, probabilities};
use errare_tables::parse_position;
use serde::Serialize;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Move, Position};

/// A position to search.
#[derive(Args)]
pub(super) struct Arguments {
    /// The position, as FEN or `start`.
    pub(super) fen: String,
    /// How many plies to search.
    #[arg(long, value_parser = depth)]
    pub(super) depth: NonZeroU32,
    #[command(flatten)]
    pub(super) options: Options,
}

/// Options of a search.
#[derive(Args, Clone)]
pub(super) struct Options {
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    pub(super) alpha: Alpha,
    /// What an end of the game inside the tree is worth: `recognised`, or a random score (`paper`).
    #[arg(long, default_value = "recognised")]
    pub(super) terminals: Terminals,
    /// Of several best moves: `uniform` takes one at random, `all` counts every one.
    #[arg(long, default_value = "uniform")]
    pub(super) ties: Ties,
    /// The error allowed in the sum of all probabilities.
    #[arg(long, default_value = "1e-6", value_parser = tolerance)]
    pub(super) tol: f64,
    #[command(flatten)]
    pub(super) consent: Consent,
}

/// Leave to start what may take long.
#[derive(Args, Clone)]
pub(super) struct Consent {
    /// Start even if it may take more than an hour.
    #[arg(long)]
    yes: bool,
}

/// Searches that may take longer are not started unasked.
const LONG: Duration = Duration::from_secs(3600);

/// A move with its probability.
#[derive(Serialize, Clone)]
pub(super) struct MoveProbability {
    pub(super) uci: String,
    pub(super) san: String,
    pub(super) probability: f64,
}

/// What a search found; the moves are in the order of the move generator.
pub(super) struct Found {
    pub(super) shape: Shape,
    pub(super) estimate: Estimate,
    pub(super) moves: Vec<MoveProbability>,
}

impl Options {
    /// The probabilities of the moves of A^depth.
    pub(super) fn search(&self, position: &Chess, depth: NonZeroU32) -> Result<Found> {
        self.consent.check(position, depth, self.alpha, 1)?;
        let shape = Shape::of(position, depth, self.terminals);
        let estimate = probabilities(&shape, self.alpha, self.ties, self.tol);
        if estimate.error > self.tol {
            talk!(
                "errare: rounding limits the error to {:.1e}, above the tolerance asked for",
                estimate.error
            );
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

impl Consent {
    /// Refuses without `--yes` if searching such positions so many times may take too long.
    pub(super) fn check<G: Game>(
        &self,
        position: &G,
        depth: NonZeroU32,
        alpha: Alpha,
        times: u32,
    ) -> Result<()> {
        let cost = Cost::estimate(position, depth, alpha);
        let time = cost.time.saturating_mul(times);
        if time > LONG && !self.yes {
            bail!(
                "depth {depth} has about {:.1e} leaves: it may take {:.1} hours and {:.1} GiB of memory, \
                 less where moves transpose; add --yes to start all the same",
                cost.leaves,
                time.as_secs_f64() / 3600.0,
                cost.bytes / f64::from(1 << 30)
            );
        }
        Ok(())
    }
}

/// A move in the notation of UCI.
pub(super) fn uci(chosen: Move) -> String {
    chosen.to_uci(CastlingMode::Standard).to_string()
}

/// Reads a position in which there is a move to choose.
pub(super) fn position(text: &str) -> Result<Chess> {
    let position: Chess = match text {
        "start" | "startpos" => Chess::default(),
        _ => parse_position(text)?,
    };
    if position.is_checkmate() {
        bail!("the side to move is checkmated: there is no move to choose");
    }
    if position.is_stalemate() {
        bail!("the side to move is stalemated: there is no move to choose");
    }
    if position.is_insufficient_material() {
        bail!("the game is drawn, as neither side can mate: there is no move to choose");
    }
    Ok(position)
}

/// Reads a depth.
pub(super) fn depth(text: &str) -> Result<NonZeroU32, String> {
    text.parse()
        .map_err(|_| "a depth is a whole number of plies, at least 1".to_owned())
}

/// Depths in the order given: `1..6` (both included), `2,4,6` or `3`.
#[derive(Clone)]
pub(super) struct Depths(pub(super) Vec<NonZeroU32>);

/// Reads depths.
pub(super) fn depths(text: &str) -> Result<Depths, String> {
    let depths = match text.split_once("..") {
        Some((first, last)) => {
            let (first, last) = (
                depth(first)?.get(),
                depth(last.trim_start_matches('='))?.get(),
            );
            (first..=last).filter_map(NonZeroU32::new).collect()
        }
        None => text.split(',').map(depth).collect::<Result<Vec<_>, _>>()?,
    };
    if depths.is_empty() {
        return Err("the first depth is above the last; write as in 1..6 or 2,4,6".to_owned());
    }
    Ok(Depths(depths))
}

fn tolerance(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(tolerance) if tolerance > 0.0 && tolerance < 1.0 => Ok(tolerance),
        _ => Err("a tolerance is a number between 0 and 1, such as 1e-6".to_owned()),
    }
}
