//! The rules of chess that end a game (FIDE Laws, articles 5 and 9).
//!
//! Mate, stalemate and dead positions end the game at once, as do the fifth occurrence of a position
//! and 75 moves without a capture or pawn move. The third occurrence and 50 such moves give the player
//! to move the right to claim a draw.

use errare_core::Colour;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, EnPassantMode, Position, fen::Fen};

use super::standing::GameValue;

/// Plies without a capture or a pawn move after which a draw may be claimed.
pub(super) const FIFTY_MOVES: u32 = 100;
/// Plies after which the game is drawn without a claim.
const SEVENTY_FIVE_MOVES: u32 = 150;

/// The grounds for claiming a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Claim {
    /// The position occurs for the third time.
    Threefold,
    /// 50 moves were made without a capture or a pawn move.
    FiftyMoves,
}

impl Claim {
    /// The grounds in words.
    pub fn words(self) -> &'static str {
        match self {
            Claim::Threefold => "the position has occurred three times",
            Claim::FiftyMoves => "50 moves were made without a capture or a pawn move",
        }
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndKind {
    /// A king is mated.
    Mate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// Neither side can ever mate.
    DeadPosition,
    /// Claimed: the position occurred three times.
    Threefold,
    /// Claimed: 50 moves without a capture or a pawn move.
    FiftyMoves,
    /// The position occurred five times.
    Fivefold,
    /// 75 moves without a capture or a pawn move.
    SeventyFiveMoves,
    /// A capture or promotion led to another endgame, and the game went no further.
    Converted,
    /// A drawn position was held for long enough.
    Held,
    /// The person resigned.
    Resigned,
    /// The opponent accepted a draw.
    Agreed,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct End {
    /// Why it ended.
    pub kind: EndKind,
    /// The result for the person.
    pub result: GameValue,
    /// What happened, in a sentence.
    pub words: String,
}

/// The end of the game by the rules at the last of these positions, for `side`, if it is over.
pub(super) fn end_by_rule(positions: &[Chess], side: Colour) -> Option<End> {
    let position = positions.last()?;
    let mover = Colour::from(position.turn());
    let drawn = |kind, words: &str| {
        Some(End {
            kind,
            result: GameValue::Draw,
            words: words.to_owned(),
        })
    };
    if position.is_checkmate() {
        let won = mover != side;
        return Some(End {
            kind: EndKind::Mate,
            result: if won { GameValue::Win } else { GameValue::Loss },
            words: match won {
                true => "Checkmate: you have won.".to_owned(),
                false => "Checkmate: you are mated.".to_owned(),
            },
        });
    }
    if position.is_stalemate() {
        let words = match mover == side {
            true => "Stalemate: you have no legal move and are not in check, so the game is drawn.",
            false => {
                "Stalemate: your opponent has no legal move and is not in check, so the game is drawn."
            }
        };
        return drawn(EndKind::Stalemate, words);
    }
    if position.is_insufficient_material() {
        return drawn(
            EndKind::DeadPosition,
            "Dead position: neither side can mate with what is left, so the game is drawn.",
        );
    }
    if occurrences(positions) >= 5 {
        return drawn(
            EndKind::Fivefold,
            "The position has occurred five times, which ends the game as a draw.",
        );
    }
    if position.halfmoves() >= SEVENTY_FIVE_MOVES {
        return drawn(
            EndKind::SeventyFiveMoves,
            "75 moves without a capture or a pawn move end the game as a draw.",
        );
    }
    None
}

/// The grounds on which the side to move may claim a draw.
pub(super) fn claim(positions: &[Chess]) -> Option<Claim> {
    if occurrences(positions) >= 3 {
        return Some(Claim::Threefold);
    }
    let clock = positions.last()?.halfmoves();
    (clock >= FIFTY_MOVES).then_some(Claim::FiftyMoves)
}

/// How often the last of these positions has occurred: the same men on the same squares, the same side
/// to move, the same rights.
fn occurrences(positions: &[Chess]) -> usize {
    let key = |position: &Chess| {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        fen.rsplitn(3, ' ').last().map(str::to_owned)
    };
    // No position before the last capture or pawn move can be equal.
    let Some(last) = positions.last() else {
        return 0;
    };
    let reversible = last.halfmoves() as usize + 1;
    let from = positions.len().saturating_sub(reversible);
    let wanted = key(last);
    positions[from..]
        .iter()
        .filter(|position| key(position) == wanted)
        .count()
}

#[cfg(test)]
mod tests {
    use shakmaty::san::San;

    use super::*;

    fn played(moves: &[&str]) -> Vec<Chess> {
        let mut positions = vec![Chess::default()];
        for text in moves {
            let mut position = positions[positions.len() - 1].clone();
            let san: San = text.parse().unwrap();
            position.play_unchecked(san.to_move(&position).unwrap());
            positions.push(position);
        }
        positions
    }

    #[test]
    fn repetitions_are_counted() {
        let round = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let rounds = |count: usize| played(&round.repeat(count));
        assert_eq!(claim(&rounds(1)), None);
        assert_eq!(claim(&rounds(2)), Some(Claim::Threefold));
        assert!(end_by_rule(&rounds(3), Colour::White).is_none());
        let end = end_by_rule(&rounds(4), Colour::White).unwrap();
        assert_eq!((end.kind, end.result), (EndKind::Fivefold, GameValue::Draw));
        // A pawn move makes every earlier position different.
        let broken = [&round[..], &["e4", "e5"], &round[..]].concat();
        assert_eq!(claim(&played(&broken)), None);
    }

    /// The last of the 75 moves ends the game, unless it mates.
    #[test]
    fn seventy_five_moves_end_the_game() {
        for (text, kind) in [("Kg5", EndKind::SeventyFiveMoves), ("Ra8#", EndKind::Mate)] {
            let fen = "7k/8/6K1/8/8/8/8/R7 w - - 149 120";
            let mut positions = vec![errare_core::parse_position(fen).unwrap()];
            assert_eq!(claim(&positions), Some(Claim::FiftyMoves));
            assert!(end_by_rule(&positions, Colour::White).is_none());
            let san: San = text.trim_end_matches('#').parse().unwrap();
            let mut after = positions[0].clone();
            after.play_unchecked(san.to_move(&after).unwrap());
            positions.push(after);
            let end = end_by_rule(&positions, Colour::White).unwrap();
            assert_eq!(end.kind, kind, "{text}");
        }
    }
}
