//! Parses moves as people type them: `Qd5+`, `qd5`, `b8`, `b8Q`, `bxc3`, `0-0`, `a5d5`, `Ka5-d5`.
//!
//! Every legal move has several spellings; the input is compared with them, first as typed, then
//! ignoring case, and finally without disambiguation.

use errare_core::{Fault, FaultKind};
use shakmaty::{CastlingSide, Chess, Move, Position, Role, Square, san::San};

/// Returned when a text does not select exactly one legal move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TypedMoveError {
    /// No legal move matches.
    #[error("{0:?} is not a legal move here")]
    Illegal(String),
    /// The move leaves one's own king in check.
    #[error("{0:?} is not legal: your king would be in check")]
    Check(String),
    /// Several legal moves match.
    #[error("{text:?} could be {}; say which", moves.join(" or "))]
    Ambiguous {
        /// The input.
        text: String,
        /// The moves that match.
        moves: Vec<String>,
    },
}

impl Fault for TypedMoveError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

/// The legal move that was typed.
///
/// ```
/// use errare_core::parse_position;
/// use errare_service::practice::typed_move;
///
/// let position = parse_position("8/1P6/8/8/3k4/8/8/K7 w - - 0 1")?;
/// let queens = ["b8", "b8q", "b8=Q", "B8(Q)", "b7b8q", "b7-b8", " b8Q+! "];
/// for text in queens {
///     assert_eq!(typed_move(&position, text)?.promotion(), Some(shakmaty::Role::Queen));
/// }
/// assert_eq!(typed_move(&position, "b8n")?.promotion(), Some(shakmaty::Role::Knight));
/// assert!(typed_move(&position, "b9").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn typed_move(position: &Chess, text: &str) -> Result<Move, TypedMoveError> {
    let typed = bare(text);
    let legal = position.legal_moves();
    let same = |a: &str, b: &str| a == b;
    let alike = |a: &str, b: &str| a.eq_ignore_ascii_case(b);
    let passes: [(&dyn Fn(&str, &str) -> bool, bool); 4] = [
        (&same, false),
        (&alike, false),
        (&same, true),
        (&alike, true),
    ];
    for (equal, loosely) in passes {
        let spelt_so = |m: &&Move| {
            let spellings = match loosely {
                true => loose_spellings(**m),
                false => spellings(position, **m),
            };
            spellings.iter().any(|spelling| equal(spelling, &typed))
        };
        let found: Vec<Move> = legal.iter().filter(spelt_so).copied().collect();
        match found[..] {
            [] => {}
            [m] => return Ok(m),
            _ => {
                let san = |m: &Move| San::from_move(position, *m).to_string();
                return Err(TypedMoveError::Ambiguous {
                    text: text.trim().to_owned(),
                    moves: found.iter().map(san).collect(),
                });
            }
        }
    }
    let text = text.trim().to_owned();
    Err(match walks_into_check(position, &typed) {
        true => TypedMoveError::Check(text),
        false => TypedMoveError::Illegal(text),
    })
}

/// The text without meaningless characters: signs of capture, check, promotion and praise.
fn bare(text: &str) -> String {
    let text = text.trim();
    let text = text.strip_suffix("e.p.").unwrap_or(text);
    text.chars()
        .filter(|c| !" +#!?=x-:()/.".contains(*c) && !"×†‡–".contains(*c))
        .map(|c| if c == '0' { 'O' } else { c })
        .collect()
}

/// The spellings of a move, without meaningless characters.
fn spellings(position: &Chess, m: Move) -> Vec<String> {
    if let Move::Castle { king, rook } = m {
        let side = CastlingSide::from_king_side(king < rook);
        let letters = if side == CastlingSide::KingSide {
            "OO"
        } else {
            "OOO"
        };
        let to = Square::from_coords(side.king_to_file(), king.rank());
        return vec![letters.to_owned(), format!("{king}{to}")];
    }
    let mut spellings = vec![bare(&San::from_move(position, m).to_string())];
    if let Some(from) = m.from() {
        let (letter, to) = (m.role().upper_char(), m.to());
        let promotion = promotion_letter(m);
        spellings.push(format!("{from}{to}{promotion}"));
        spellings.push(format!("{letter}{from}{to}{promotion}"));
    }
    without_the_queen(m, &mut spellings);
    spellings
}

/// The piece and its destination without disambiguation; for a pawn capture, its files.
fn loose_spellings(m: Move) -> Vec<String> {
    let (to, role) = (m.to(), m.role());
    let promotion = promotion_letter(m);
    let mut spellings = match (role, m.from()) {
        (Role::Pawn, Some(from)) if m.is_capture() => vec![
            format!("{}{}{promotion}", from.file(), to.file()),
            format!("{to}{promotion}"),
            format!("P{to}{promotion}"),
        ],
        (Role::Pawn, _) => vec![format!("P{to}{promotion}")],
        _ => vec![format!("{}{to}", role.upper_char())],
    };
    without_the_queen(m, &mut spellings);
    spellings
}

fn promotion_letter(m: Move) -> String {
    m.promotion()
        .map_or(String::new(), |role| role.upper_char().into())
}

/// A promotion without a piece is to a queen.
fn without_the_queen(m: Move, spellings: &mut Vec<String>) {
    if m.promotion() == Some(Role::Queen) {
        let shorter: Vec<String> = spellings
            .iter()
            .filter_map(|spelling| spelling.strip_suffix('Q').map(str::to_owned))
            .collect();
        spellings.extend(shorter);
    }
}

/// Does the text name a move that is illegal only because of a check?
fn walks_into_check(position: &Chess, typed: &str) -> bool {
    let us = position.us();
    let board = position.board();
    let mut letters = typed.chars();
    let role = letters
        .next()
        .and_then(|c| Role::from_char(c.to_ascii_lowercase()));
    let square = |text: &str| text.to_ascii_lowercase().parse::<Square>().ok();
    let ends_in = typed.len().checked_sub(2).and_then(|at| typed.get(at..));
    let (Some(role), Some(to)) = (role, ends_in.and_then(square)) else {
        return false;
    };
    let free = !us.contains(to);
    let reaches = |from: Square| board.attacks_from(from).contains(to);
    free && typed.len() == 3
        && role != Role::Pawn
        && (board.by_role(role) & us).into_iter().any(reaches)
}

#[cfg(test)]
mod tests {
    use errare_core::parse_position;

    use super::*;

    fn typed(fen: &str, text: &str) -> Result<String, String> {
        let position = parse_position(fen).unwrap();
        match typed_move(&position, text) {
            Ok(m) => Ok(San::from_move(&position, m).to_string()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn as_people_type() {
        let queen = "8/8/8/8/4k3/8/1Q6/K2r4 w - - 0 1";
        for text in ["Kb3", "kb3"] {
            assert!(typed(queen, text).is_err());
        }
        let free = "8/8/8/3k4/8/8/KQ6/7r b - - 0 1";
        for text in ["rh8", "Rh8", "R h8", "h1h8", "Rh1-h8", "rh1h8!?"] {
            assert_eq!(typed(free, text), Ok("Rh8".to_owned()), "{text}");
        }
        let castles = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
        for text in ["0-0", "O-O", "o-o", "oo", "e1g1"] {
            assert_eq!(typed(castles, text), Ok("O-O".to_owned()), "{text}");
        }
        assert_eq!(typed(castles, "0-0-0"), Ok("O-O-O".to_owned()));
    }

    #[test]
    fn pawns_and_bishops() {
        let both = "4k3/8/8/8/3B4/2p5/1P6/4K3 w - - 0 1";
        assert_eq!(typed(both, "bc3"), Ok("bxc3".to_owned()));
        assert_eq!(typed(both, "Bc3"), Ok("Bxc3".to_owned()));
        assert_eq!(typed(both, "bxc3"), Ok("bxc3".to_owned()));
        assert_eq!(typed(both, "be5"), Ok("Be5".to_owned()));
        assert_eq!(typed(both, "b4"), Ok("b4".to_owned()));
        assert_eq!(typed(both, "c3"), Ok("bxc3".to_owned()));
    }

    #[test]
    fn what_is_no_single_move() {
        let knights = "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1";
        let error = typed(knights, "nd2").unwrap_err();
        assert_eq!(error, "\"nd2\" could be Nbd2 or Nfd2; say which");
        let kings = "8/8/8/8/4k3/8/4K3/7R w - - 0 1";
        let error = typed(kings, "Ke3").unwrap_err();
        assert_eq!(error, "\"Ke3\" is not legal: your king would be in check");
        assert_eq!(
            typed(kings, "").unwrap_err(),
            "\"\" is not a legal move here"
        );
    }
}
