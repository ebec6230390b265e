//! Appendix B: the notation of the two games, move by move.
//!
//! The stored games have the printed notes as comments, with one misprint corrected: `39... Kg4` of game 2 is printed as
//! the only optimal move but is the only legal one.

use errare_core::Colour;
use errare_endgame::{GameAnalysis, MoveReport};
use errare_games::{Token, scores};

use super::{Computed, Finding, games::BROWNE_BELLE};

/// Moves of each game whose notes differ from the analysis, and the mark of the misprint.
pub(super) fn findings(games: &[GameAnalysis]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let scores = scores(BROWNE_BELLE.as_bytes()).filter_map(Result::ok);
    for (number, (game, score)) in (1..).zip(games.iter().zip(scores)) {
        let notes = notes(&score.tokens);
        let differing: Vec<String> = game
            .moves
            .iter()
            .zip(&notes)
            .filter(|(m, note)| !agrees(m, note))
            .map(|(m, _)| {
                let side = if m.color == Colour::White { "w" } else { "b" };
                format!("{}{side}", m.number)
            })
            .collect();
        let text = if notes.len() == game.moves.len() && differing.is_empty() {
            "none".to_owned()
        } else {
            differing.join(", ")
        };
        findings.push(Finding::new(
            format!("game-{number}/notation"),
            Computed::Text(text),
        ));
    }
    let misprint = games.get(1).and_then(|game| game.moves.get(2 * 39 - 1));
    let mark = misprint
        .and_then(|m| m.mark)
        .map_or("none".to_owned(), |mark| mark.to_string());
    findings.push(Finding::new("game-2/39b", Computed::Text(mark)));
    findings
}

/// The comment after each move; empty if there is none.
fn notes(tokens: &[Token]) -> Vec<String> {
    let mut notes = Vec::new();
    for token in tokens {
        match (token, notes.last_mut()) {
            (Token::Move(_), _) => notes.push(String::new()),
            (Token::Comment(comment), Some(last)) => *last = comment.replace('\n', " "),
            _ => {}
        }
    }
    notes
}

/// Do the mark, the depth ceded and the optimal moves agree with the note? Check signs, which the paper sometimes omits,
/// are ignored.
fn agrees(m: &MoveReport, note: &str) -> bool {
    let sorted = |moves: &mut dyn Iterator<Item = &str>| {
        let mut moves: Vec<String> = moves.map(|san| san.replace('+', "")).collect();
        moves.sort();
        moves
    };
    let (mut mark, mut ceded) = (None, 0);
    for part in note
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        if let Some(moves) = part.strip_prefix("optimal ") {
            let printed = sorted(&mut moves.split_whitespace());
            if printed != sorted(&mut m.optimal.iter().map(String::as_str)) {
                return false;
            }
        } else if let Some((now, total)) = part.strip_prefix('+').and_then(|it| it.split_once("/+"))
        {
            ceded = now.parse().unwrap_or(u16::MAX);
            if total != m.total_ceded.to_string() {
                return false;
            }
        } else if !part.starts_with("preferred ") {
            mark = Some(part.to_owned());
        }
    }
    mark == m.mark.map(|mark| mark.to_string()) && m.ceded == Some(ceded)
}
