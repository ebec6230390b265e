//! Hints in three steps: the piece to move, its destination, the line of best play.

use errare_core::Colour;
use errare_endgame::Oracle;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position, Role};

use super::session::{mover, san};
use crate::Error;

/// The most detailed level.
pub(super) const MOST: u8 = 3;
/// Maximum length of the line of the last hint, in plies.
const LINE: usize = 5;

/// A hint.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Hint {
    /// Its level: 1 the piece, 2 the square, 3 the line.
    pub level: u8,
    /// The square of the piece to move.
    pub from: String,
    /// The destination square, from level 2 on.
    pub to: Option<String>,
    /// A line of best play by both sides, at level 3.
    pub line: Vec<String>,
    /// The hint in a sentence.
    pub words: String,
}

/// The hint of a level for a position, from the first of its best moves.
pub(super) fn give(oracle: &Oracle, position: &Chess, level: u8) -> Result<Hint, Error> {
    let turn = oracle.turn(position)?;
    let best = turn.choices().iter().find(|choice| turn.is_optimal(choice));
    let best =
        best.ok_or_else(|| Error::bad_request("the game is over: there is no move to find"))?;
    let m = best.r#move;
    let from = m
        .from()
        .map(|square| square.to_string())
        .unwrap_or_default();
    let to = m.to().to_string();
    let man = name(m.role());
    let line = match level {
        MOST.. => line(oracle, position)?,
        _ => Vec::new(),
    };
    let words = match level {
        0 | 1 => format!("Look at the {man} on {from}."),
        2 => match m.promotion() {
            Some(role) => format!("The {man} on {from} promotes to a {} on {to}.", name(role)),
            None => format!("The {man} on {from} goes to {to}."),
        },
        _ => format!("The line: {}", numbered(position, &line)),
    };
    Ok(Hint {
        level,
        from,
        to: (level > 1).then_some(to),
        line,
        words,
    })
}

/// Best play by both sides, a few moves of it.
pub(super) fn line(oracle: &Oracle, position: &Chess) -> Result<Vec<String>, Error> {
    let mut position = position.clone();
    let mut line = Vec::new();
    while line.len() < LINE {
        let turn = oracle.turn(&position)?;
        let best = turn.choices().iter().find(|choice| turn.is_optimal(choice));
        let Some(best) = best else { break };
        line.push(san(&position, best.r#move));
        position.play_unchecked(best.r#move);
    }
    Ok(line)
}

/// "23. Qd5+ Kf6 24. Qe4".
pub(super) fn numbered(position: &Chess, line: &[String]) -> String {
    let mut text = Vec::new();
    let (mut number, mut side) = (u32::from(position.fullmoves()), mover(position));
    for (at, san) in line.iter().enumerate() {
        match side {
            Colour::White => text.push(format!("{number}. {san}")),
            Colour::Black if at == 0 => text.push(format!("{number}... {san}")),
            Colour::Black => text.push(san.clone()),
        }
        (number, side) = match side {
            Colour::White => (number, Colour::Black),
            Colour::Black => (number + 1, Colour::White),
        };
    }
    text.join(" ")
}

/// The name of a piece.
pub(super) fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
