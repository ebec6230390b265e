//! A player's games with evaluations and probabilities.

use std::collections::HashMap;

use errare_core::FaultKind;
use errare_engine::Score;
use errare_rating::{EvaluatedTurn, PlayerTurns, StudyGame, TurnEntry};
use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, fen::Fen, san::SanPlus};

use super::Level;
use crate::{Error, evidence::Opened};

/// A game, or a part of it that can be played through.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AnnotatedGame {
    /// Its tags, in order.
    pub tags: Vec<[String; 2]>,
    /// The starting position.
    pub start: String,
    /// The moves.
    pub moves: Vec<AnnotatedMove>,
    /// The result.
    pub result: String,
}

/// An annotated move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AnnotatedMove {
    /// The move.
    pub san: String,
    /// Its score from White's view, if its turn was evaluated.
    pub score: Option<Score>,
    /// The probability of the player's own move at the player's level.
    pub probability: Option<f64>,
}

/// The player's games.
pub(super) fn games(
    opened: &Opened,
    player: &PlayerTurns,
    level: Level<'_>,
) -> Result<Vec<AnnotatedGame>, Error> {
    let mut view = opened.view.clone();
    view.games = Some(player.games.keys().copied().collect());
    let mut entries: HashMap<_, Vec<TurnEntry>> = HashMap::new();
    opened.study.visit(&view, |entry| {
        entries
            .entry(entry.place().game.id)
            .or_default()
            .push(entry);
    })?;
    let mut games = Vec::new();
    for (id, game) in &player.games {
        for stretch in stretches(&entries[id])? {
            games.push(annotated(game, &stretch, player, level));
        }
    }
    Ok(games)
}

/// A turn with its position and the move.
struct Step<'a> {
    entry: &'a TurnEntry,
    position: Chess,
    played: Move,
}

/// The turns of a game, in stretches that can be played through: for games evaluated elsewhere, a study has
/// only parts.
fn stretches(entries: &[TurnEntry]) -> Result<Vec<Vec<Step<'_>>>, Error> {
    let mut stretches: Vec<Vec<Step<'_>>> = Vec::new();
    let mut expected = None;
    for entry in entries {
        let step = step(entry).ok_or_else(|| {
            let fen = &entry.place().fen;
            let text = format!("the study is damaged: a move cannot be played at {fen}");
            Error::new(FaultKind::Damaged, text)
        })?;
        let mut next = step.position.clone();
        next.play_unchecked(step.played);
        match stretches.last_mut() {
            Some(stretch) if expected.as_ref() == Some(&step.position) => stretch.push(step),
            _ => stretches.push(vec![step]),
        }
        expected = Some(next);
    }
    Ok(stretches)
}

fn step(entry: &TurnEntry) -> Option<Step<'_>> {
    let place = entry.place();
    let fen: Fen = place.fen.parse().ok()?;
    let position: Chess = fen.into_position(CastlingMode::Standard).ok()?;
    let played = place.played.to_move(&position).ok()?;
    Some(Step {
        entry,
        position,
        played,
    })
}

fn annotated(
    game: &StudyGame,
    stretch: &[Step<'_>],
    player: &PlayerTurns,
    level: Level<'_>,
) -> AnnotatedGame {
    let annotate = |step: &Step<'_>| {
        let turn = step.entry.turn();
        let own = |turn: &&EvaluatedTurn| player.is_called(&turn.place.player().name);
        AnnotatedMove {
            san: SanPlus::from_move(step.position.clone(), step.played).to_string(),
            score: turn.map(for_white),
            probability: turn
                .filter(own)
                .map(|turn| level.calibration.chances(turn, level.elo)[turn.played]),
        }
    };
    let tags = game.tags.iter();
    AnnotatedGame {
        tags: tags
            .map(|(name, value)| [name.clone(), value.clone()])
            .collect(),
        start: Fen::from_position(&stretch[0].position, EnPassantMode::Legal).to_string(),
        moves: stretch.iter().map(annotate).collect(),
        result: game.result().unwrap_or("*").to_owned(),
    }
}

fn for_white(turn: &EvaluatedTurn) -> Score {
    let sign = turn.place.colour().fold_wb(1, -1);
    match turn.options[turn.played].score {
        Score::Centipawns(value) => Score::Centipawns(sign * value),
        Score::Mate(moves) => Score::Mate(sign * moves),
    }
}
