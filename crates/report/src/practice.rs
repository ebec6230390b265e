//! Sessions of practice: on the terminal's screen ([`screen`]), and as PGN that any program can read, with start position, seed,
//! and annotations in words.

pub mod screen;

use std::fmt::Write as _;

use errare_core::{Colour, Mark};
use errare_service::practice::{Attempt, GameValue, Judgement, Session};
use shakmaty::{CastlingMode, Chess, fen::Fen};

use crate::{
    pgn::{Numbering, write_game},
    slip::MISTAKE,
};

/// A session as a game.
pub fn pgn(session: &Session) -> String {
    let setup = &session.setup;
    let opponent = format!("Errare {}", setup.opponent);
    let (white, black) = match setup.side {
        Colour::White => ("You", opponent.as_str()),
        Colour::Black => (opponent.as_str(), "You"),
    };
    let result = result(session);
    let event = match &setup.drill {
        Some(drill) => format!("Practice: {drill}"),
        None => format!("Practice: {}", setup.endgame),
    };
    let (date, seed) = (date(session.begun), setup.seed.to_string());
    let (metric, endgame) = (setup.metric.to_string(), setup.endgame.to_string());
    let termination = match session.end {
        Some(_) => "normal",
        None => "unterminated",
    };
    let tags = [
        ("Event", event.as_str()),
        ("Site", "Errare"),
        ("Date", &date),
        ("Round", "-"),
        ("White", white),
        ("Black", black),
        ("Result", result),
        ("SetUp", "1"),
        ("FEN", &setup.fen),
        ("Termination", termination),
        ("Endgame", &endgame),
        ("Metric", &metric),
        ("Seed", &seed),
        ("Annotator", "Errare"),
    ];
    let mut out = Vec::new();
    write_game(&mut out, tags, &movetext(session), result).expect("memory takes what is written");
    String::from_utf8(out).expect("it was written as text")
}

fn movetext(session: &Session) -> String {
    let Some(position) = position(&session.setup.fen) else {
        return String::new();
    };
    let mut numbering = Numbering::from(&position);
    let mut words = Vec::new();
    for played in &session.moves {
        words.extend(numbering.next());
        words.push(played.san.clone());
        if let Some(nag) = nag(&played.judgement) {
            words.push(format!("${nag}"));
        }
        let mut comment = String::new();
        if played.yours && played.judgement.is_slip() {
            comment.push_str(&played.judgement.words);
        }
        if played.hint > 0 {
            comment.push_str(if comment.is_empty() {
                "after a hint"
            } else {
                ", after a hint"
            });
        }
        let mut interrupted = false;
        if !comment.is_empty() {
            words.push(format!("{{ {comment} }}"));
            interrupted = true;
        }
        let before = match played.ply.checked_sub(1) {
            Some(ply) => &session.moves[ply].fen,
            None => &session.setup.fen,
        };
        if played.yours {
            for variation in variations(session, played.ply, &played.uci, before, &played.judgement)
            {
                words.push(variation);
                interrupted = true;
            }
        }
        if interrupted {
            numbering.interrupt();
        }
    }
    words.extend(session.end.iter().map(|end| format!("{{ {} }}", end.words)));
    words.join(" ")
}

/// The better move, and what was tried at the same turn and taken back.
fn variations(
    session: &Session,
    ply: usize,
    chosen: &str,
    before: &str,
    judgement: &Judgement,
) -> Vec<String> {
    let Some(number) = position(before).and_then(|position| Numbering::from(&position).next())
    else {
        return Vec::new();
    };
    let mut variations = Vec::new();
    if judgement.is_slip()
        && let Some(best) = judgement.best.first()
    {
        variations.push(format!("( {number} {best} {{ was best }} )"));
    }
    let tried =
        |attempt: &&Attempt| attempt.ply == ply && attempt.fen == before && attempt.uci != chosen;
    for attempt in session.attempts.iter().filter(tried) {
        let mut text = format!("( {number} {}", attempt.san);
        if let Some(nag) = nag(&attempt.judgement) {
            let _ = write!(text, " ${nag}");
        }
        let _ = write!(text, " {{ taken back: {} }} )", attempt.judgement.words);
        variations.push(text);
    }
    variations
}

/// The numeric glyph of a move: `$4` it changes the result, `$2` it cedes five moves or more, `$6` fewer, `$1` the
/// only move that keeps the result, `$7` the only legal one.
fn nag(judgement: &Judgement) -> Option<u8> {
    match (judgement.ceded, judgement.mark) {
        (None, _) => Some(4),
        (Some(MISTAKE..), _) => Some(2),
        (Some(1..), _) => Some(6),
        (Some(0), Some(Mark::OnlyLegal)) => Some(7),
        (Some(0), Some(Mark::OnlyPreserving)) => Some(1),
        _ => None,
    }
}

fn result(session: &Session) -> &'static str {
    let end = session.end.as_ref().map(|end| end.result);
    match (end, session.setup.side) {
        (None, _) => "*",
        (Some(GameValue::Draw), _) => "1/2-1/2",
        (Some(GameValue::Win), Colour::White) | (Some(GameValue::Loss), Colour::Black) => "1-0",
        _ => "0-1",
    }
}

fn position(fen: &str) -> Option<Chess> {
    let fen: Fen = fen.parse().ok()?;
    fen.into_position(CastlingMode::Standard)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .ok()
}

/// A time as PGN writes dates, by the calendar of Greenwich: "2026.11.16".
///
/// ```
/// assert_eq!(errare_report::practice::date(0), "1970.01.01");
/// assert_eq!(errare_report::practice::date(951_782_400), "2000.02.29");
/// ```
pub fn date(seconds: i64) -> String {
    chrono::DateTime::from_timestamp(seconds, 0).map_or_else(
        || "????.??.??".to_owned(),
        |time| time.format("%Y.%m.%d").to_string(),
    )
}

/// "2026-11-16", by the calendar of Greenwich.
pub fn day(seconds: i64) -> String {
    date(seconds).replace('.', "-")
}
