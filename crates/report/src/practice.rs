//! Practice sessions on the terminal ([`screen`]) and as PGN that any program can read, with start position, seed, and
//! annotations in words.

pub mod screen;

use std::path::Path;

use errare_core::Colour;
use errare_service::practice::{GameValue, Judgement, Played, Session, history::Export};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

use crate::{
    pgn::{Numbering, write_game},
    slip,
};

/// What a history holds, for this file: JSON if its name ends so, otherwise the sessions as games.
pub fn exported(kept: &Export, file: &Path) -> serde_json::Result<String> {
    match file.extension().and_then(|it| it.to_str()) {
        Some("json") => Ok(serde_json::to_string_pretty(kept)? + "\n"),
        _ => Ok(kept.sessions.iter().map(pgn).collect()),
    }
}

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
    let Some(mut before) = position(&session.setup.fen) else {
        return String::new();
    };
    let mut numbering = Numbering::from(&before);
    let mut words = Vec::new();
    for played in &session.moves {
        words.extend(numbering.next());
        words.push(played.san.clone());
        words.extend(nag(&played.judgement, &before));
        let slip = played.yours && played.judgement.is_slip();
        let slip = slip.then_some(played.judgement.words.as_str());
        let hint = (played.hint > 0).then_some("after a hint");
        let remarks: Vec<&str> = slip.into_iter().chain(hint).collect();
        let mut asides = Vec::new();
        if !remarks.is_empty() {
            asides.push(format!("{{ {} }}", remarks.join(", ")));
        }
        if played.yours {
            asides.extend(variations(session, played, &before));
        }
        if !asides.is_empty() {
            numbering.interrupt();
        }
        words.extend(asides);
        let Some(after) = position(&played.fen) else {
            break;
        };
        before = after;
    }
    words.extend(session.end.iter().map(|end| format!("{{ {} }}", end.words)));
    words.join(" ")
}

/// The better move, and moves tried at the same turn and taken back.
fn variations(session: &Session, played: &Played, before: &Chess) -> Vec<String> {
    let number = Numbering::from(before).next().unwrap_or_default();
    let best = played.judgement.best.first();
    let best = best.filter(|_| played.judgement.is_slip());
    let best = best.map(|best| format!("( {number} {best} {{ was best }} )"));
    let tried = session.attempts.iter().filter(|attempt| {
        attempt.ply == played.ply
            && attempt.uci != played.uci
            && position(&attempt.fen).as_ref() == Some(before)
    });
    let tried = tried.map(|attempt| {
        let nag = nag(&attempt.judgement, before).map_or_else(String::new, |nag| format!(" {nag}"));
        let words = &attempt.judgement.words;
        format!(
            "( {number} {}{nag} {{ taken back: {words} }} )",
            attempt.san
        )
    });
    best.into_iter().chain(tried).collect()
}

/// The assessment of a move in its position.
fn nag(judgement: &Judgement, before: &Chess) -> Option<String> {
    let legal = before.legal_moves().len();
    slip::assessment(judgement.ceded, judgement.mark, legal).map(|nag| format!("${nag}"))
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

/// A time as a PGN date, in UTC: "2026.11.16".
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

/// A time as "2026-11-16", in UTC.
pub fn day(seconds: i64) -> String {
    date(seconds).replace('.', "-")
}
