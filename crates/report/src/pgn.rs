//! Writes PGN.

pub mod annotate;

use std::io::{self, Write};

use shakmaty::{Color, Position};

/// The longest line of moves that the standard allows.
const WIDTH: usize = 79;

/// Writes tags, moves and result of a game.
pub(crate) fn write_game<'a>(
    out: &mut impl Write,
    tags: impl IntoIterator<Item = (&'a str, &'a str)>,
    movetext: &str,
    result: &str,
) -> io::Result<()> {
    for (name, value) in tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(out, "[{name} \"{value}\"]")?;
    }
    writeln!(out, "\n{}\n", wrap(&format!("{movetext} {result}")))
}

/// Numbers moves: before every move of White, and of Black after an interruption.
#[derive(Debug, Clone)]
pub(crate) struct Numbering {
    turn: Color,
    number: u32,
    interrupted: bool,
}

impl Numbering {
    /// Starts numbering at a position.
    pub(crate) fn from(position: &impl Position) -> Numbering {
        Numbering {
            turn: position.turn(),
            number: position.fullmoves().into(),
            interrupted: true,
        }
    }

    /// The number before the next move, if it needs one.
    pub(crate) fn next(&mut self) -> Option<String> {
        let number = match self.turn {
            Color::White => Some(format!("{}.", self.number)),
            Color::Black if self.interrupted => Some(format!("{}...", self.number)),
            Color::Black => None,
        };
        self.number = self.number.saturating_add(self.turn.is_black().into());
        self.turn = !self.turn;
        self.interrupted = false;
        number
    }

    /// Something follows the move, so the next one needs a number.
    pub(crate) fn interrupt(&mut self) {
        self.interrupted = true;
    }
}

/// Wraps a text between words at the maximum line length. A bracket such as `[%eval 0.35]` counts as one
/// word.
pub(crate) fn wrap(text: &str) -> String {
    let mut lines = vec![String::new()];
    let mut length = 0;
    let mut in_brackets = false;
    let between_words = |character| {
        in_brackets = character == '[' || in_brackets && character != ']';
        character == ' ' && !in_brackets
    };
    for word in text.split(between_words) {
        let line = lines.last_mut().expect("there is a first line");
        let word_length = word.chars().count();
        if length == 0 {
            line.push_str(word);
            length = word_length;
        } else if length + 1 + word_length <= WIDTH {
            line.push(' ');
            line.push_str(word);
            length += 1 + word_length;
        } else {
            lines.push(word.to_owned());
            length = word_length;
        }
    }
    lines.join("\n")
}
