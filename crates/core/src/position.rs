//! Parsing positions from FEN.

use crate::{Fault, FaultKind};
use shakmaty::{
    CastlingMode, Chess, PositionError, PositionErrorKinds,
    fen::{Fen, ParseFenError},
};

/// Returned when a text is not a position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParsePositionError {
    /// The text is not a FEN.
    #[error("{text:?} is not a FEN ({reason}); write it like \"K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1\"")]
    Fen {
        /// The text.
        text: String,
        /// What is wrong with it.
        reason: ParseFenError,
    },
    /// The FEN is for a chess variant.
    #[error("the position is of a variant of chess: it has men in hand or counts checks")]
    Variant,
    /// The position breaks the rules of chess.
    #[error("the position is impossible: {0}")]
    Impossible(&'static str),
}

/// Reasons why a position is illegal, the most helpful first.
const REASONS: [(PositionErrorKinds, &str); 8] = [
    (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
    (PositionErrorKinds::MISSING_KING, "a side has no king"),
    (
        PositionErrorKinds::TOO_MANY_KINGS,
        "a side has more than one king",
    ),
    (
        PositionErrorKinds::PAWNS_ON_BACKRANK,
        "a pawn stands on the first or last rank",
    ),
    (
        PositionErrorKinds::TOO_MUCH_MATERIAL,
        "a side has more men than it can have",
    ),
    (
        PositionErrorKinds::OPPOSITE_CHECK,
        "the side that is not to move is in check",
    ),
    (
        PositionErrorKinds::INVALID_CASTLING_RIGHTS,
        "there are castling rights without a king and rook at home",
    ),
    (
        PositionErrorKinds::INVALID_EP_SQUARE,
        "no pawn can just have passed the en-passant square",
    ),
];

/// Parses a FEN. Underscores may stand for spaces, and the clocks may be omitted. Checks that no
/// legal move could have given are accepted, since the tables include such positions.
///
/// ```
/// use errare_core::parse_position;
/// use shakmaty::Position;
///
/// let position = parse_position("8/8/8/8/4k3/8/1Q6/K2r4_w_-_-_99_80")?;
/// assert_eq!(position.halfmoves(), 99);
/// let error = parse_position("8/8/8/8/4k3/4Q3/8/K7 w - - 0 1").unwrap_err();
/// assert!(error.to_string().ends_with("the side that is not to move is in check"));
/// # Ok::<(), errare_core::ParsePositionError>(())
/// ```
pub fn parse_position(text: &str) -> Result<Chess, ParsePositionError> {
    let fen: Fen =
        text.replace('_', " ")
            .trim()
            .parse()
            .map_err(|reason| ParsePositionError::Fen {
                text: text.to_owned(),
                reason,
            })?;
    let setup = fen.as_setup();
    if setup.pockets.is_some() || setup.remaining_checks.is_some() {
        return Err(ParsePositionError::Variant);
    }
    fen.into_position(CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error: PositionError<Chess>| {
            let reason = REASONS
                .iter()
                .find(|(kind, _)| error.kinds().contains(*kind));
            ParsePositionError::Impossible(reason.map_or("it breaks the rules", |(_, why)| why))
        })
}

impl Fault for ParsePositionError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}
