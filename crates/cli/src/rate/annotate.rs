//! Games with evaluations and probabilities as PGN.

use std::{collections::HashMap, fs, path::Path};

use anyhow::{Context, Result};
use errare_choice::Agent;
use errare_engine::Score;
use errare_rating::{Entry, Game, PlayerTurns, Study, Turn, View, costs};
use shakmaty::{CastlingMode, Chess, Color, Position, fen::Fen, san::SanPlus};

/// The longest line of moves that the standard allows.
const WIDTH: usize = 79;

/// Writes the player's games. Each evaluated turn has the score of the move played, for White, and the
/// player's own turns have the probability of the move at the player's own level.
pub(super) fn write(
    path: &Path,
    study: &Study,
    view: &View,
    player: &PlayerTurns,
    agent: &Agent,
) -> Result<()> {
    let mut view = view.clone();
    view.games = Some(player.games.keys().copied().collect());
    let mut games: HashMap<_, Vec<Entry>> = HashMap::new();
    study.visit(&view, |entry| {
        games.entry(entry.place().game.id).or_default().push(entry);
    })?;
    let mut text = String::new();
    for (id, game) in &player.games {
        text += &annotated(game, &games[id], player, agent)?;
        text.push('\n');
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

fn annotated(
    game: &Game,
    entries: &[Entry],
    player: &PlayerTurns,
    agent: &Agent,
) -> Result<String> {
    let mut text = String::new();
    for (name, value) in &game.tags {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        text += &format!("[{name} \"{value}\"]\n");
    }
    let mut words = Vec::new();
    let mut number_needed = true;
    for entry in entries {
        let place = entry.place();
        let fen: Fen = place.fen.parse()?;
        let position: Chess = fen.into_position(CastlingMode::Standard)?;
        let played = place.played.to_move(&position)?;
        let number = place.move_number();
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if number_needed => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(SanPlus::from_move(position, played).to_string());
        let turn = match entry {
            Entry::Used(turn) | Entry::Decided(turn) => Some(turn),
            Entry::Excluded(..) => None,
        };
        number_needed = turn.is_some();
        if let Some(turn) = turn {
            words.extend(["{".to_owned(), score(turn)]);
            if player.is_called(&place.player().name) {
                words.push(format!("p {:.3}", probability(turn, agent)));
            }
            words.push("}".to_owned());
        }
    }
    words.push(game.result().unwrap_or("*").to_owned());
    Ok(format!("{text}\n{}\n", wrap(&words)))
}

/// `[%eval 0.35]` or `[%eval #-3]`, for White.
fn score(turn: &Turn) -> String {
    let sign = turn.place.colour().fold_wb(1, -1);
    match turn.options[turn.played].score {
        Score::Centipawns(value) => {
            format!("[%eval {:.2}]", f64::from(sign * value) / 100.0)
        }
        Score::Mate(moves) => format!("[%eval #{}]", sign * moves),
    }
}

fn probability(turn: &Turn, agent: &Agent) -> f64 {
    let pawns: Vec<f64> = turn.options.iter().map(|it| it.score.pawns()).collect();
    agent.probabilities(&costs(&pawns))[turn.played]
}

/// Words in lines that are not too long.
fn wrap(words: &[String]) -> String {
    let mut text = String::new();
    let mut length = 0;
    for word in words {
        if length > 0 && length + 1 + word.len() > WIDTH {
            text.push('\n');
            length = 0;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        text += word;
        length += word.len();
    }
    text
}
