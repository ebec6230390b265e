//! Screening with either family of calibrations.

use std::collections::HashMap;

use errare_rating::{
    AgentCalibration, AgentScreenee, PlayerTurns, Screened, Screening,
    continuous::{Calibration, Choices, Screenee},
};

use super::{EventResult, events};
use crate::calibration::AnyCalibration;

/// The screening, and the events of players who have several.
pub(super) fn screen(
    calibration: &AnyCalibration,
    players: &[PlayerTurns],
) -> (Screening, HashMap<String, Vec<EventResult>>) {
    match calibration {
        AnyCalibration::Continuous(it) => continuously(it, players),
        AnyCalibration::Agents(it) => (by_agents(it, players), HashMap::new()),
    }
}

/// A player with several events is judged by all of them together, each compared with the rating
/// there.
fn continuously(
    calibration: &Calibration,
    players: &[PlayerTurns],
) -> (Screening, HashMap<String, Vec<EventResult>>) {
    let features = calibration.lines.features();
    let screenee = |player: &PlayerTurns| Screenee {
        name: player.name.clone(),
        elo: player.elo(),
        choices: Choices::of_turns(&player.turns, features),
    };
    let screenees: Vec<Screenee> = players.iter().map(screenee).collect();
    let Screening {
        players: mut screened,
        thresholds,
        unscreened,
    } = calibration.screen(&screenees);
    let mut results = HashMap::new();
    for player in players {
        let one = screened.iter_mut().find(|one| one.player == player.name);
        let events = events::of(calibration, player, &thresholds);
        if let (Some(one), Some(together)) = (one, calibration.combine(&events, &thresholds)) {
            *one = Screened {
                player: player.name.clone(),
                ..together.screened
            };
            let events = events.into_iter().map(|event| event.screened.into());
            results.insert(player.name.clone(), events.collect());
        }
    }
    let screening = Screening::new(screened, thresholds, unscreened);
    (screening, results)
}

fn by_agents(calibration: &AgentCalibration, players: &[PlayerTurns]) -> Screening {
    let screenee = |player: &PlayerTurns| AgentScreenee {
        name: player.name.clone(),
        elo: player.elo(),
        games: player.games_used(),
        sample: player.sample(|_| true),
    };
    calibration.screen(&players.iter().map(screenee).collect::<Vec<_>>())
}
