//! Chess, by the rules of shakmaty.
//!
//! A game is over by checkmate, stalemate or a dead position (too little material on both sides).

use std::cmp::Ordering;

use shakmaty::{Chess, Move, Position};

use crate::game::{GameEnd, GamePosition, MoveList};

/// Plies without capture or pawn move after which a game is drawn (Laws of Chess, article 9.6.2).
const SEVENTY_FIVE_MOVES: u32 = 150;

impl GamePosition for Chess {
    type Move = Move;

    fn moves(&self) -> MoveList<Move> {
        if self.is_insufficient_material() {
            return MoveList::new();
        }
        self.legal_moves()
    }

    fn play(&self, chosen: Move) -> Chess {
        let mut next = self.clone();
        next.play_unchecked(chosen);
        next
    }

    fn terminal(&self) -> GameEnd {
        if self.is_checkmate() {
            GameEnd::Loss
        } else {
            GameEnd::Draw
        }
    }

    fn drawn_by_counter(&self) -> bool {
        self.halfmoves() >= SEVENTY_FIVE_MOVES
    }

    fn adjudicate(&self) -> GameEnd {
        let material = |color| {
            let men = self.board().material_side(color);
            9 * u32::from(men.queen)
                + 5 * u32::from(men.rook)
                + 3 * u32::from(men.bishop + men.knight)
                + u32::from(men.pawn)
        };
        match material(self.turn()).cmp(&material(!self.turn())) {
            Ordering::Less => GameEnd::Loss,
            Ordering::Equal => GameEnd::Draw,
            Ordering::Greater => GameEnd::Win,
        }
    }
}
