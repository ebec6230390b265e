//! A player's events, each compared with the rating there.

use std::collections::BTreeMap;

use errare_rating::{EvaluatedTurn, PlayerTurns, continuous};

use super::{Adjusted, EventResult};

/// The events of a player in alphabetical order, each screened separately; `player` is the name of the event there.
/// If an event does not give the player's rating, the mean of the others is used.
pub(super) fn of(
    calibration: &continuous::Calibration,
    player: &PlayerTurns,
) -> Vec<continuous::Screened> {
    let mut events: BTreeMap<&str, Vec<&EvaluatedTurn>> = BTreeMap::new();
    for turn in &player.turns {
        let event = turn.place.game.event().unwrap_or("unknown");
        events.entry(event).or_default().push(turn);
    }
    if events.len() < 2 {
        return Vec::new();
    }
    let features = calibration.lines.features();
    let screenee = |(event, turns): (&str, Vec<&EvaluatedTurn>)| continuous::Screenee {
        name: event.to_owned(),
        elo: elo(&turns).or(player.elo()),
        choices: continuous::Choices::of_turns(turns.iter().copied(), features),
    };
    let screenees: Vec<_> = events.into_iter().map(screenee).collect();
    let mut screened = calibration.screen(&screenees).players;
    screened.sort_by(|a, b| a.player.cmp(&b.player));
    screened
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

pub(super) fn result(one: continuous::Screened) -> EventResult {
    EventResult {
        event: one.player,
        elo: one.elo,
        games: one.games,
        turns: one.turns,
        mm: one.mm,
        ad: one.ad,
        adjusted: Adjusted {
            z_mm: one.adjusted.z_mm,
            z_equal: one.adjusted.z_equal,
            z_ad: one.adjusted.z_ad,
        },
    }
}
