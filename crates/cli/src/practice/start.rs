//! A position to start from.

use anyhow::{Context, Result, bail};
use errare_core::{Material, Outcome};
use errare_endgame::Oracle;
use errare_tables::Scan;
use rand::{Rng, RngExt};
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, FromSetup, Position, PositionError};

/// Draws a position of an endgame, with White to move: a win, of this depth if one is given, else of
/// more than a move; or a draw if the endgame has no such wins.
pub(super) fn draw(
    oracle: &Oracle,
    endgame: Material,
    depth: Option<u16>,
    rng: &mut impl Rng,
) -> Result<Chess> {
    let metric = oracle.metric();
    let scan = Scan::new(oracle.prober().store(), endgame, metric.into())?;
    let won = |turn: Color, outcome: Outcome| {
        let moves = outcome.moves_in(metric).map_or(0, |moves| moves.0);
        turn.is_white() && outcome.sign() > 0 && depth.map_or(moves > 1, |depth| moves == depth)
    };
    if let Some(position) = scan.draw(won, rng)? {
        return Ok(turned(&position, rng));
    }
    if let Some(depth) = depth {
        bail!(
            "no position of {endgame} is won in {depth} by White to move; `errare tables stats {endgame}` lists the depths"
        );
    }
    let drawn = scan.draw(
        |turn, outcome| turn.is_white() && outcome == Outcome::Draw,
        rng,
    )?;
    let position = drawn.with_context(|| format!("no position of {endgame} is worth playing"))?;
    Ok(turned(&position, rng))
}

/// One of the symmetric positions: those that are stored have the king in a corner of the board.
fn turned(position: &Chess, rng: &mut impl Rng) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let pieces_only = setup.board.pawns().is_empty();
    if rng.random() {
        setup.board.flip_horizontal();
    }
    if pieces_only && rng.random() {
        setup.board.flip_vertical();
    }
    if pieces_only && rng.random() {
        setup.board.flip_diagonal();
    }
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .expect("a legal position is legal on a turned board")
}
