//! Groups of a player's turns, each rated separately.

use std::collections::BTreeSet;

use errare_rating::{ClockRange, EvaluatedTurn, GamePhase, PlayerTurns, Rating, StudyGame};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::RatingInterval;
use crate::calibration::{AnyCalibration, Unrated, costs_of};

/// A group of turns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Group {
    /// What they have in common.
    pub name: String,
    /// The number of turns.
    pub turns: usize,
    /// The number of games.
    #[serde(default)]
    pub games: usize,
    /// What they imply for the player's Elo.
    pub rating: Option<Rating>,
    /// How well they were played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quality: Option<RatingInterval>,
    /// Why there is no rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrated: Option<Unrated>,
    /// How often the engine's first move was played.
    pub mm: f64,
    /// The mean scaled cost of moves.
    pub ad: f64,
}

/// All groupings of the turns.
pub(super) struct Groups {
    pub(super) colour: Vec<Group>,
    pub(super) phase: Vec<Group>,
    pub(super) clock: Vec<Group>,
    pub(super) game: Vec<Group>,
    pub(super) event: Vec<Group>,
    pub(super) year: Vec<Group>,
    pub(super) opponent: Vec<Group>,
}

impl Groups {
    pub(super) fn of(player: &PlayerTurns, calibration: &AnyCalibration, level: f64) -> Groups {
        let rated = |name: String, which: &dyn Fn(&EvaluatedTurn) -> bool| {
            let turns: Vec<&EvaluatedTurn> =
                player.turns.iter().filter(|turn| which(turn)).collect();
            group(name, &turns, calibration, level)
        };
        let colour = |colour: Color| {
            let name = colour.fold_wb("White", "Black").to_owned();
            rated(name, &|turn| turn.place.colour() == colour)
        };
        let phase = |phase: GamePhase| {
            let name = format!("{phase:?}").to_lowercase();
            rated(name, &|turn| GamePhase::of(turn) == phase)
        };
        let game = |game: &std::sync::Arc<StudyGame>| {
            let name = format!("{} - {}, {}", game.white.name, game.black.name, date(game));
            rated(name, &|turn| turn.place.game.id == game.id)
        };
        let by = |name: &dyn Fn(&EvaluatedTurn) -> String| -> Vec<Group> {
            let names: BTreeSet<String> = player.turns.iter().map(name).collect();
            let one = |wanted: String| rated(wanted.clone(), &|turn| name(turn) == wanted);
            names.into_iter().map(one).collect()
        };
        let begun = |group: &Group, name: &dyn Fn(&EvaluatedTurn) -> String| {
            let turns = player.turns.iter().filter(|turn| name(turn) == group.name);
            turns.map(|turn| date(&turn.place.game)).min()
        };
        let unknown = || "unknown".to_owned();
        let event = |turn: &EvaluatedTurn| {
            let event = turn.place.game.event();
            event.map_or_else(unknown, str::to_owned)
        };
        let mut events = by(&event);
        events.sort_by_key(|group| begun(group, &event));
        let mut games: Vec<_> = player.games.values().collect();
        games.sort_by(|a, b| date(a).cmp(date(b)));
        let inhabited = |groups: Vec<Group>| -> Vec<Group> {
            groups.into_iter().filter(|group| group.turns > 0).collect()
        };
        let clock = |range: ClockRange| {
            rated(range.name().to_owned(), &|turn| {
                turn.place.clock.map(ClockRange::of) == Some(range)
            })
        };
        Groups {
            colour: inhabited(Color::ALL.map(colour).into()),
            phase: inhabited(GamePhase::ALL.map(phase).into()),
            clock: inhabited(ClockRange::ALL.map(clock).into()),
            game: inhabited(games.into_iter().map(game).collect()),
            event: events,
            year: by(&|turn| {
                let year = turn.place.game.year();
                year.map_or_else(unknown, |year| year.to_string())
            }),
            opponent: by(&|turn| turn.place.opponent().name.clone()),
        }
    }
}

/// The date of a game; an unknown one comes after all others.
fn date(game: &StudyGame) -> &str {
    game.date().unwrap_or("?")
}

fn group(
    name: String,
    turns: &[&EvaluatedTurn],
    calibration: &AnyCalibration,
    level: f64,
) -> Group {
    let mean = |of: &dyn Fn(&EvaluatedTurn) -> f64| {
        let sum: f64 = turns.iter().map(|turn| of(turn)).sum();
        sum / turns.len().max(1) as f64
    };
    let games: BTreeSet<_> = turns.iter().map(|turn| turn.place.game.id).collect();
    let (rating, quality, unrated) = match calibration.rate(turns, None, level) {
        Ok(rates) => (
            Some(rates.rating),
            rates.quality.map(RatingInterval::from),
            None,
        ),
        Err(reason) => (None, None, Some(reason)),
    };
    Group {
        name,
        turns: turns.len(),
        games: games.len(),
        rating,
        quality,
        unrated,
        mm: mean(&|turn| f64::from(u8::from(turn.played == 0))),
        ad: mean(&|turn| costs_of(turn)[turn.played]),
    }
}
