//! Rated games with evaluations and probabilities, as PGN.

use std::io::{self, Write};

use errare_engine::Score;
use errare_service::rate::{AnnotatedGame, AnnotatedMove};
use shakmaty::{CastlingMode, Chess, EnPassantMode, fen::Fen};

use crate::pgn::{Numbering, write_game};

/// Games as PGN. Each evaluated turn has the score of the move played, from White's view, and the player's own
/// turns have the probability of the move at the player's level.
pub fn text(games: &[AnnotatedGame]) -> io::Result<String> {
    let mut out = Vec::new();
    games
        .iter()
        .try_for_each(|game| write_one(&mut out, game))?;
    String::from_utf8(out).map_err(io::Error::other)
}

fn write_one(out: &mut impl Write, game: &AnnotatedGame) -> io::Result<()> {
    let start = start(game).unwrap_or_default();
    let mut tags: Vec<(&str, &str)> = game
        .tags
        .iter()
        .map(|[name, value]| (&**name, &**value))
        .filter(|(name, _)| !matches!(*name, "SetUp" | "FEN"))
        .collect();
    if game.start != initial() {
        tags.extend([("SetUp", "1"), ("FEN", &game.start)]);
    }
    let mut numbering = Numbering::from(&start);
    let mut words = Vec::new();
    for played in &game.moves {
        words.extend(numbering.next());
        words.push(played.san.clone());
        if let Some(comment) = comment(played) {
            words.push(comment);
            numbering.interrupt();
        }
    }
    write_game(out, tags, &words.join(" "), &game.result)
}

fn start(game: &AnnotatedGame) -> Option<Chess> {
    let fen: Fen = game.start.parse().ok()?;
    fen.into_position(CastlingMode::Standard).ok()
}

fn initial() -> String {
    Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string()
}

/// `{ [%eval 0.35] p 0.420 }` or `{ [%eval #-3] }`.
fn comment(played: &AnnotatedMove) -> Option<String> {
    let eval = match played.score? {
        Score::Centipawns(value) => format!("[%eval {:.2}]", f64::from(value) / 100.0),
        Score::Mate(moves) => format!("[%eval #{moves}]"),
    };
    let chance = played.probability.map(|p| format!(" p {p:.3}"));
    Some(format!("{{ {eval}{} }}", chance.unwrap_or_default()))
}
