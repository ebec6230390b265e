//! A position to start from.

use anyhow::{Result, bail};
use errare_core::{Material, Outcome};
use errare_endgame::Oracle;
use rand::{Rng, RngExt};
use shakmaty::{
    Board, CastlingMode, Chess, Color, FromSetup, Piece, PositionError, Role, Setup, Square,
};

/// How many positions are tried before one gives up.
const TRIES: u32 = 2_000_000;

/// Draws a legal position of an endgame, with White to move: a win, of this depth if one is given;
/// or a draw if the endgame has no wins to speak of.
pub(super) fn draw(
    oracle: &Oracle,
    endgame: Material,
    depth: Option<u16>,
    rng: &mut impl Rng,
) -> Result<Chess> {
    let mut drawn = None;
    for _ in 0..TRIES {
        let Some(position) = any(endgame, rng) else {
            continue;
        };
        let outcome = oracle.outcome(&position)?;
        let moves = outcome.moves_in(oracle.metric()).map(|moves| moves.0);
        match (outcome, depth) {
            (Outcome::Win(_), None) if moves > Some(1) => return Ok(position),
            (Outcome::Win(_), Some(depth)) if moves == Some(depth) => return Ok(position),
            (Outcome::Draw, None) => drawn = Some(position),
            _ => {}
        }
    }
    match (drawn, depth) {
        (Some(position), None) => Ok(position),
        (_, Some(depth)) => bail!(
            "no win of {endgame} in {depth} was found; `errare tables stats {endgame}` lists its depths"
        ),
        (None, None) => bail!("no position of {endgame} was found that is worth playing"),
    }
}

/// The endgame's men on any squares, if that makes a legal position.
fn any(endgame: Material, rng: &mut impl Rng) -> Option<Chess> {
    let mut board = Board::empty();
    for color in Color::ALL {
        for role in [Role::King].into_iter().chain(endgame.army(color).men()) {
            let square = Square::new(rng.random_range(0..64));
            if board.piece_at(square).is_some() {
                return None;
            }
            board.set_piece_at(square, Piece { color, role });
        }
    }
    let setup = Setup {
        board,
        turn: Color::White,
        ..Setup::empty()
    };
    let position = Chess::from_setup(setup, CastlingMode::Standard);
    position
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}
