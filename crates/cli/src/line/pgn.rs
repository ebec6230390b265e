//! A line as PGN.

use std::io::{self, Write};

use errare_tables::{Assessment, Line};
use shakmaty::{Chess, Color, Position};

use crate::words;

/// The longest line of moves that the standard allows.
const WIDTH: usize = 79;

/// Writes tags and moves, with the depths in comments at the beginning and after each conversion.
pub(super) fn write(out: &mut impl Write, start: &Chess, line: &Line) -> io::Result<()> {
    let result = line.result().to_string();
    let fen = line.fen.to_string();
    let event = format!("Best play in {}", line.metric);
    let tags = [
        ("Event", event.as_str()),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", &result),
        ("SetUp", "1"),
        ("FEN", &fen),
    ];
    for (name, value) in tags {
        writeln!(out, "[{name} \"{value}\"]")?;
    }
    let movetext = movetext(start, line);
    writeln!(out, "\n{}\n", wrap(&format!("{movetext} {result}")))
}

fn movetext(start: &Chess, line: &Line) -> String {
    let mut turn = start.turn();
    let mut number = u32::from(start.fullmoves());
    let rule = words::fifty_moves(&line.position, start.halfmoves());
    let mut words = vec![comment(&line.position, turn, rule)];
    let mut interrupted = true;
    for m in &line.mainline {
        match turn {
            Color::White => words.push(format!("{number}.")),
            Color::Black if interrupted => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(m.san.to_string());
        number += u32::from(turn.is_black());
        turn = !turn;
        interrupted = m.converting && !m.after.checkmate;
        if interrupted {
            words.push(comment(&m.after, turn, None));
        }
    }
    words.join(" ")
}

fn comment(position: &Assessment, turn: Color, rule: Option<String>) -> String {
    let outcome = words::outcome(position, turn);
    let rule = rule.map_or(String::new(), |rule| format!(". {rule}"));
    format!("{{ {}. {outcome}{rule} }}", position.endgame)
}

/// Breaks a text between words, so that no line is too long.
fn wrap(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        match line.len() {
            0 => line.push_str(word),
            length if length + 1 + word.len() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}
