//! Games with evaluations and probabilities as PGN.

use std::{collections::HashMap, path::Path};

use anyhow::Result;
use errare_choice::Agent;
use errare_engine::Score;
use errare_rating::{Entry, Game, PlayerTurns, Study, Turn, View, costs};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

use crate::{
    files,
    pgn::{Numbering, write_game},
};

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
    let mut text = Vec::new();
    for (id, game) in &player.games {
        for stretch in stretches(&games[id])? {
            annotate(&mut text, game, &stretch, player, agent)?;
        }
    }
    files::write(path, &String::from_utf8(text)?)
}

/// A turn with its position and the move.
struct Step<'a> {
    entry: &'a Entry,
    position: Chess,
    played: Move,
}

/// The turns of a game, in stretches that can be played through: of games that were evaluated elsewhere a study
/// has parts only.
fn stretches(entries: &[Entry]) -> Result<Vec<Vec<Step<'_>>>> {
    let mut stretches: Vec<Vec<Step<'_>>> = Vec::new();
    let mut expected = None;
    for entry in entries {
        let place = entry.place();
        let fen: Fen = place.fen.parse()?;
        let position: Chess = fen.into_position(CastlingMode::Standard)?;
        let played = place.played.to_move(&position)?;
        let next = position.clone().play(played)?;
        let step = Step {
            entry,
            played,
            position,
        };
        match stretches.last_mut() {
            Some(stretch) if expected.as_ref() == Some(&step.position) => stretch.push(step),
            _ => stretches.push(vec![step]),
        }
        expected = Some(next);
    }
    Ok(stretches)
}

/// Writes a stretch of a game as a game that begins with its first position.
fn annotate(
    out: &mut Vec<u8>,
    game: &Game,
    stretch: &[Step<'_>],
    player: &PlayerTurns,
    agent: &Agent,
) -> Result<()> {
    let start = &stretch[0].position;
    let fen = Fen::from_position(start, EnPassantMode::Legal).to_string();
    let mut tags = game.tags.clone();
    if *start != Chess::default() {
        tags.insert("SetUp".to_owned(), "1".to_owned());
        tags.insert("FEN".to_owned(), fen);
    }
    let mut numbering = Numbering::from(start);
    let mut words = Vec::new();
    for step in stretch {
        words.extend(numbering.next());
        words.push(SanPlus::from_move(step.position.clone(), step.played).to_string());
        let (Entry::Used(turn) | Entry::Decided(turn)) = step.entry else {
            continue;
        };
        let own = player.is_called(&turn.place.player().name);
        let chance = own.then(|| format!(" p {:.3}", probability(turn, agent)));
        words.push(format!(
            "{{ {}{} }}",
            score(turn),
            chance.unwrap_or_default()
        ));
        numbering.interrupt();
    }
    let tags = tags
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()));
    write_game(out, tags, &words.join(" "), game.result().unwrap_or("*"))?;
    Ok(())
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
