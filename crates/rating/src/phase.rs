//! Phases of a game.

use serde::Serialize;
use shakmaty::{Board, Color, Role, fen::Fen};

use crate::EvaluatedTurn;

/// The last move of the opening.
const OPENING: u32 = 15;
/// The maximum piece value of each side in an endgame, with a queen counting nine (Speelman's
/// rule).
const ENDGAME_MATERIAL: u32 = 13;

/// A phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum GamePhase {
    /// Up to move 15.
    Opening,
    /// Between the other two.
    Middlegame,
    /// Neither side has more than 13 points in pieces.
    Endgame,
}

impl GamePhase {
    /// All phases.
    pub const ALL: [GamePhase; 3] = [
        GamePhase::Opening,
        GamePhase::Middlegame,
        GamePhase::Endgame,
    ];

    /// The phase of a turn.
    #[must_use]
    pub fn of(turn: &EvaluatedTurn) -> GamePhase {
        let fen: Option<Fen> = turn.place.fen.parse().ok();
        let few = fen.is_some_and(|fen| is_endgame(&fen.as_setup().board));
        if few {
            GamePhase::Endgame
        } else if turn.place.move_number() <= OPENING {
            GamePhase::Opening
        } else {
            GamePhase::Middlegame
        }
    }
}

fn is_endgame(board: &Board) -> bool {
    let points = |color: Color| {
        let side = board.material_side(color);
        let count = |role| u32::from(*side.get(role));
        9 * count(Role::Queen)
            + 5 * count(Role::Rook)
            + 3 * count(Role::Bishop)
            + 3 * count(Role::Knight)
    };
    Color::ALL
        .into_iter()
        .all(|color| points(color) <= ENDGAME_MATERIAL)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endgames_are_known_by_their_pieces() {
        assert!(!is_endgame(&Board::new()));
        let board = |fen: &str| fen.parse::<Fen>().unwrap().as_setup().board.clone();
        assert!(!is_endgame(&board(
            "4k3/pppp4/8/8/8/8/PPPP4/R2QK3 w - - 0 40"
        )));
        assert!(is_endgame(&board(
            "4k3/pppp1r2/8/8/8/8/PPPP4/R1B1K3 w - - 0 40"
        )));
    }
}
