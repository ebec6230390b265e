//! A line of best play as PGN.

use std::io::{self, Write};

use errare_service::{line::Answer, probe::PositionVerdict};
use shakmaty::{Chess, Color, Position};

use crate::{
    pgn::{self, Numbering},
    words,
};

/// Writes tags and moves, with the depths in comments at the beginning and after each conversion.
pub fn write(out: &mut impl Write, start: &Chess, line: &Answer) -> io::Result<()> {
    let event = format!("Best play in {}", line.metric);
    let tags = [
        ("Event", event.as_str()),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", "-"),
        ("White", "?"),
        ("Black", "?"),
        ("Result", &line.result),
        ("SetUp", "1"),
        ("FEN", &line.fen),
    ];
    pgn::write_game(out, tags, &movetext(start, line), &line.result)
}

fn movetext(start: &Chess, line: &Answer) -> String {
    let mut turn = start.turn();
    let mut numbering = Numbering::from(start);
    let rule = words::fifty_moves(&line.position, start.halfmoves());
    let mut words = vec![comment(&line.position, turn, rule)];
    for m in &line.mainline {
        words.extend(numbering.next());
        words.push(m.san.clone());
        turn = !turn;
        if m.converting && !m.after.checkmate {
            numbering.interrupt();
            words.push(comment(&m.after, turn, None));
        }
    }
    words.join(" ")
}

fn comment(position: &PositionVerdict, turn: Color, rule: Option<String>) -> String {
    let outcome = words::outcome(position, turn);
    let rule = rule.map_or(String::new(), |rule| format!(". {rule}"));
    format!("{{ {}. {outcome}{rule} }}", position.endgame)
}
