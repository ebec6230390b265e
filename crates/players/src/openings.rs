//! Reads starting positions from a file of openings: PGN, EPD or FENs.

use errare_core::{Fault, FaultKind, ParsePositionError, parse_position};
use shakmaty::{Chess, Position};

/// Why a text contains no usable openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// A line is not a position.
    #[error("line {line} is neither FEN nor EPD")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong with it.
        source: ParsePositionError,
    },
    /// A game cannot be played through.
    #[error("game {number}: {reason}")]
    Game {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The game is already over in a position.
    #[error("the game is over in opening {0}")]
    Over(usize),
    /// The text contains no openings.
    #[error("there are no openings: neither games nor positions")]
    Empty,
}

impl Fault for OpeningsError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

/// The positions of a text, in order: the final positions of its games if it is PGN, otherwise one per line, as FEN or EPD.
/// Empty lines and lines that begin with `#` are skipped.
///
/// ```
/// use shakmaty::{Position, Color};
///
/// let games = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 *\n";
/// assert_eq!(errare_players::openings(games)?[0].turn(), Color::Black);
/// let epd = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - id \"open\";\n";
/// assert_eq!(errare_players::openings(epd)?[0].turn(), Color::White);
/// # Ok::<(), errare_players::OpeningsError>(())
/// ```
pub fn openings(text: &str) -> Result<Vec<Chess>, OpeningsError> {
    let lines = || {
        let numbered = text.lines().enumerate();
        numbered
            .map(|(number, line)| (number + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    };
    let (_, first) = lines().next().ok_or(OpeningsError::Empty)?;
    let positions = match first.split_whitespace().next() {
        // A board has seven slashes, which no tag and no move has.
        Some(board) if board.matches('/').count() == 7 => lines()
            .map(|(number, line)| position(number, line))
            .collect(),
        _ => games(text),
    }?;
    match positions.iter().position(Chess::is_game_over) {
        Some(over) => Err(OpeningsError::Over(over + 1)),
        None => Ok(positions),
    }
}

fn position(line: usize, text: &str) -> Result<Chess, OpeningsError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let is_number = |field: &&&str| field.bytes().all(|byte| byte.is_ascii_digit());
    // After the first four fields, EPD has operations and FEN two numbers.
    let clocks = fields.iter().skip(4).take(2).take_while(is_number).count();
    let fen = fields[..fields.len().min(4 + clocks)].join(" ");
    parse_position(&fen).map_err(|source| OpeningsError::Line { line, source })
}

fn games(text: &str) -> Result<Vec<Chess>, OpeningsError> {
    let mut positions = Vec::new();
    for (index, game) in errare_games::games(text.as_bytes()).enumerate() {
        let number = index + 1;
        let failed = |reason: String| OpeningsError::Game { number, reason };
        let game = game.map_err(|error| failed(error.to_string()))?;
        if let Some(flaw) = game.flaw() {
            return Err(failed(flaw.to_string()));
        }
        let mut position = game.start.clone();
        for m in &game.moves {
            position.play_unchecked(*m);
        }
        positions.push(position);
    }
    match positions.is_empty() {
        true => Err(OpeningsError::Empty),
        false => Ok(positions),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_games() {
        let fens = "# two\n8/8/8/2K5/r7/2Q5/4k3/8 b - - 3 9\n\n8/8/8/2K5/r7/2Q5/4k3/8 w - -\n";
        let positions = openings(fens).unwrap();
        assert_eq!((positions.len(), positions[0].halfmoves()), (2, 3));
        let pgn = "1. e4 c5 *\n\n[White \"x\"]\n\n1. d4 d5 2. c4 1-0\n";
        assert_eq!(openings(pgn).unwrap().len(), 2);
    }

    #[test]
    fn refusals() {
        let error = |text: &str| openings(text).unwrap_err().to_string();
        assert!(error("").contains("no openings"));
        assert!(error("8/8/8/8/8/8/8/8 w - -").contains("line 1"));
        assert!(error("1. e4 e5 2. Ke3 *").contains("Ke3"));
        assert!(error("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").contains("opening 1"));
    }
}
