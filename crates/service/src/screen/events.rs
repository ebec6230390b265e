//! A player's events, each compared with the rating there.

use std::collections::BTreeMap;

use errare_rating::{
    EvaluatedTurn, PlayerTurns, Screened, StudyGame, Thresholds,
    continuous::{Calibration, Choices, Screenee, Weighed},
};

use super::EventResult;

/// The events of a player in alphabetical order, each screened separately; `player` is the name of the event there.
/// If an event does not give the player's rating, the mean of the others is used. None if there is only one.
pub(super) fn of(
    calibration: &Calibration,
    player: &PlayerTurns,
    thresholds: &Thresholds,
) -> Vec<Weighed> {
    let mut events: BTreeMap<&str, Vec<&EvaluatedTurn>> = BTreeMap::new();
    for turn in &player.turns {
        let event = event_of(&turn.place.game);
        events.entry(event).or_default().push(turn);
    }
    if events.len() < 2 {
        return Vec::new();
    }
    let features = calibration.lines.features();
    let screenee = |(event, turns): (&str, Vec<&EvaluatedTurn>)| Screenee {
        name: event.to_owned(),
        elo: elo(&turns).or(player.elo()),
        choices: Choices::of_turns(turns.iter().copied(), features),
    };
    let screenees = events.into_iter().map(screenee);
    screenees
        .filter_map(|event| calibration.weigh(&event, thresholds))
        .collect()
}

/// The event of a game, as answers name it.
pub(super) fn event_of(game: &StudyGame) -> &str {
    game.event().unwrap_or("unknown")
}

/// The mean rating over some turns.
fn elo(turns: &[&EvaluatedTurn]) -> Option<f64> {
    let ratings: Vec<f64> = turns
        .iter()
        .filter_map(|turn| turn.place.player().rating())
        .collect();
    let count = ratings.len();
    (count > 0).then(|| ratings.iter().sum::<f64>() / count as f64)
}

impl From<Screened> for EventResult {
    fn from(one: Screened) -> EventResult {
        EventResult {
            event: one.player,
            elo: one.elo,
            games: one.games,
            turns: one.turns,
            mm: one.mm,
            ad: one.ad,
            adjusted: one.adjusted,
        }
    }
}
