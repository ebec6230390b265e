//! A coach's report on players: their endgames, where results were thrown away, where depth was lost, and what to
//! train.

mod page;

pub use page::page;

use errare_core::Metric;
use errare_service::analyse::summary::{Incident, PlayerSummary, Tally};

use crate::slip;

/// "Smith: 3 games, 57 moves by the tables; 1 result thrown away, 12 moves ceded; c = 18 (12-27), ...".
pub fn headline(player: &PlayerSummary) -> String {
    let Tally {
        games,
        moves,
        ceded,
        value_losses,
        competence,
    } = &player.total;
    let mut text = format!(
        "{} with {} in the tables' range",
        counted(*games, "game", "games"),
        counted(*moves, "move", "moves")
    );
    text += &match (value_losses, ceded) {
        (0, 0) => "; no error seen".to_owned(),
        (0, ceded) => format!("; no result thrown away, {} ceded", moved(*ceded)),
        (lost, ceded) => format!(
            "; {} thrown away, {} ceded",
            counted(*lost, "result", "results"),
            moved(*ceded)
        ),
    };
    if let Some(estimate) = competence {
        text += &format!(
            "; plays like c = {:.0} ({:.0}-{:.0})",
            estimate.mean, estimate.low, estimate.high
        );
    }
    if let Some(anchor) = &player.anchor {
        text += &format!("; {}", anchor.text);
    }
    text
}

fn moved(ceded: u32) -> String {
    counted(ceded as usize, "move", "moves")
}

/// "1 game", "2 games".
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// A costly move: "game 3, 41... against Jones: Kd6 throws the draw away: now a loss; Kd7 draws".
pub fn incident(incident: &Incident, metric: Metric) -> String {
    let m = &incident.r#move;
    let dots = if m.color == errare_core::Colour::White {
        "."
    } else {
        "..."
    };
    let opponent = match incident.opponent.as_str() {
        "" => "?",
        name => name,
    };
    format!(
        "game {}, move {}{dots} against {opponent} ({}): {}",
        incident.game,
        m.number,
        incident.endgame,
        slip::words(m, metric).unwrap_or_default()
    )
}

/// What to train, and why.
pub fn training(player: &PlayerSummary) -> Option<String> {
    let endgame = player.train?;
    let tally = &player
        .endgames
        .iter()
        .find(|each| each.endgame == endgame)?
        .tally;
    let cost = match (tally.value_losses, tally.ceded) {
        (0, ceded) => format!("{} ceded", moved(ceded)),
        (lost, 0) => format!("{} thrown away", counted(lost, "result", "results")),
        (lost, ceded) => format!(
            "{} thrown away and {} ceded",
            counted(lost, "result", "results"),
            moved(ceded)
        ),
    };
    Some(format!(
        "train {endgame}: {cost} in {}",
        counted(tally.games, "game", "games")
    ))
}

/// The endgames of a player as rows: name, games, moves, ceded, results lost, competence.
pub fn rows(player: &PlayerSummary) -> impl Iterator<Item = Vec<String>> {
    player.endgames.iter().map(|each| {
        let Tally {
            games,
            moves,
            ceded,
            value_losses,
            competence,
        } = &each.tally;
        let competence = match competence {
            Some(estimate) => format!(
                "{:.0} ({:.0}-{:.0})",
                estimate.mean, estimate.low, estimate.high
            ),
            None => "-".to_owned(),
        };
        vec![
            each.endgame.to_string(),
            games.to_string(),
            moves.to_string(),
            ceded.to_string(),
            value_losses.to_string(),
            competence,
        ]
    })
}

/// The header of [`rows`].
pub const HEAD: [&str; 6] = ["endgame", "games", "moves", "ceded", "lost", "c (95 %)"];
