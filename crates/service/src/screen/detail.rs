//! The details behind a screened player's result, game by game and turn by turn.

use std::collections::HashMap;

use errare_core::Colour;
use errare_engine::Score;
use errare_rating::{EvaluatedTurn, PlayerTurns, StudyGame};
use serde::{Deserialize, Serialize};

use super::{EventResult, Screened, events::event_of};
use crate::{
    calibration::{AnyCalibration, costs_of},
    rate::san,
};

/// A player's games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerDetail {
    /// The name.
    pub player: String,
    /// The games.
    pub games: Vec<GameDetail>,
}

/// A game of a player.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameDetail {
    /// The player's colour.
    pub colour: Colour,
    /// The opponent.
    pub opponent: String,
    /// The opponent's rating.
    pub opponent_elo: Option<u16>,
    /// The event.
    pub event: Option<String>,
    /// The round.
    pub round: Option<String>,
    /// The date.
    pub date: Option<String>,
    /// The result.
    pub result: Option<String>,
    /// First-move matches, actual and expected.
    pub mm: [f64; 2],
    /// Average difference, actual and expected.
    pub ad: [f64; 2],
    /// The used turns.
    pub turns: Vec<TurnDetail>,
}

/// A turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TurnDetail {
    /// The move number.
    pub move_number: u32,
    /// The position.
    pub fen: String,
    /// The move played.
    pub played: String,
    /// Its rank in the engine's order, from 1.
    pub rank: usize,
    /// The engine's choice.
    pub best: String,
    /// Scores of the best move and of the one played, for the mover.
    pub scores: [Score; 2],
    /// Its scaled cost.
    pub cost: f64,
    /// The probability that a player of that rating plays the engine's move.
    pub expected: f64,
}

/// The games of all screened players, in the order of the list; each compared with the rating of its event.
pub(super) fn of(
    players: &[PlayerTurns],
    screened: &[Screened],
    events: &HashMap<String, Vec<EventResult>>,
    calibration: &AnyCalibration,
) -> Vec<PlayerDetail> {
    let find = |one: &Screened| {
        let player = players.iter().find(|player| player.name == one.player)?;
        let events = events.get(&one.player).map_or(&[][..], Vec::as_slice);
        Some(player_detail(player, calibration, one.elo, events))
    };
    screened.iter().filter_map(find).collect()
}

fn player_detail(
    player: &PlayerTurns,
    calibration: &AnyCalibration,
    elo: f64,
    events: &[EventResult],
) -> PlayerDetail {
    let mut games: Vec<GameDetail> = Vec::new();
    for turns in player
        .turns
        .chunk_by(|a, b| a.place.game.id == b.place.game.id)
    {
        let game = &turns[0].place.game;
        let event = events.iter().find(|it| it.event == event_of(game));
        let elo = event.map_or(elo, |event| event.elo);
        games.push(game_detail(game, turns, calibration, elo));
    }
    PlayerDetail {
        player: player.name.clone(),
        games,
    }
}

fn game_detail(
    game: &StudyGame,
    turns: &[EvaluatedTurn],
    calibration: &AnyCalibration,
    elo: f64,
) -> GameDetail {
    let count = turns.len() as f64;
    let mut detail = GameDetail {
        colour: turns[0].place.colour().into(),
        opponent: turns[0].place.opponent().name.clone(),
        opponent_elo: turns[0].place.opponent().elo,
        event: game.event().map(str::to_owned),
        round: game.tag("Round").map(str::to_owned),
        date: game.date().map(str::to_owned),
        result: game.result().map(str::to_owned),
        mm: [0.0; 2],
        ad: [0.0; 2],
        turns: Vec::new(),
    };
    for turn in turns {
        let costs = costs_of(turn);
        let p = calibration.chances(turn, elo);
        let expected_cost: f64 = p.iter().zip(&costs).map(|(p, cost)| p * cost).sum();
        detail.mm[0] += f64::from(u8::from(turn.played == 0)) / count;
        detail.mm[1] += p[0] / count;
        detail.ad[0] += costs[turn.played] / count;
        detail.ad[1] += expected_cost / count;
        detail.turns.push(TurnDetail {
            move_number: turn.place.move_number(),
            fen: turn.place.fen.clone(),
            played: san(&turn.place.fen, turn.place.played),
            rank: turn.played + 1,
            best: san(&turn.place.fen, turn.options[0].uci),
            scores: [turn.options[0].score, turn.options[turn.played].score],
            cost: costs[turn.played],
            expected: p[0],
        });
    }
    detail
}
