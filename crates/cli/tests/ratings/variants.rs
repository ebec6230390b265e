//! Made-up turns with events and clocks.

use serde_json::Value;

use crate::world;

/// The same turns in two events, the second when everybody has 100 Elo more.
pub(crate) fn turns_of_two_events() -> String {
    with(&world::turns(), |turn, game, _| {
        turn["event"] = ["First Open", "Second Open"][game % 2].into();
        for elo in ["welo", "belo"] {
            let first = turn[elo].as_u64().unwrap();
            turn[elo] = (first + 100 * (game as u64 % 2)).into();
        }
    })
}

/// Lines of turns with an additional field, which may depend on the numbers of the game and the
/// move.
pub(crate) fn with(turns: &str, more: impl Fn(&mut Value, usize, usize)) -> String {
    let line = |line: &str| {
        let mut turn: Value = serde_json::from_str(line).unwrap();
        let id = turn["id"].as_str().unwrap();
        let (game, move_number) = id.split_once('g').unwrap().1.split_once('p').unwrap();
        let [game, move_number] = [game, move_number].map(|it| it.parse().unwrap());
        more(&mut turn, game, move_number);
        format!("{turn}\n")
    };
    turns.lines().map(line).collect()
}
