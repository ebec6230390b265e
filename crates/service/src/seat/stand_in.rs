//! The stand-in for a player that cannot choose: it always has a move, at once.

use errare_minimax::{GamePosition, MinimaxPlayer};
use rand::{Rng, seq::IndexedRandom};
use shakmaty::{Chess, Move, Position};

/// The stand-in's name: it sees a mate in one and nothing else.
const NAME: &str = "minimax:depth=2";

/// The message when it plays.
pub const RULES_ALONE: &str = "minimax:depth=2 plays, which knows only the rules";

/// Its move, in a position with legal moves. Where nobody can mate any more the game is over for it, and any move will do.
pub(super) fn choose(position: &Chess, rng: &mut impl Rng) -> Move {
    if GamePosition::moves(position).is_empty() {
        let legal = position.legal_moves();
        return *legal.choose(rng).expect("there are legal moves");
    }
    let player: MinimaxPlayer = NAME.parse().expect("this is a player");
    player.choose(position, rng)
}

#[cfg(test)]
mod tests {
    use errare_core::parse_position;

    use super::*;

    #[test]
    fn there_is_always_a_move() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/8/8/4k3/8/8/8/K7 w - - 0 1",
            "8/8/8/4k3/8/8/5N2/K7 b - - 0 1",
            "7k/8/8/8/8/8/6q1/7K w - - 0 1",
        ] {
            let position = parse_position(fen).expect("a position");
            assert!(position.is_legal(choose(&position, &mut rand::rng())));
        }
    }

    #[test]
    fn its_name_is_told() {
        assert!(RULES_ALONE.starts_with(NAME));
    }
}
