//! A coach's report on players: their endgames, where results were thrown away, where depth was lost, and what to
//! train.

mod page;

pub use page::page;

use errare_choice::Estimate;
use errare_core::Metric;
use errare_service::{
    analyse::{
        Build, Missing, Totals,
        summary::{Incident, PlayTally, PlayerSummary},
    },
    anchor,
    model::ValueRule,
};
use errare_tables::MAX_MEN;

use crate::{slip, words::endgame_words};

/// "3 games with 57 moves in the tables' range; 1 result thrown away, 12 moves ceded; plays like c = 9 (6-14), counting
/// the result thrown away".
pub fn headline(player: &PlayerSummary) -> String {
    let PlayTally {
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
        let c = competence_words(estimate, *value_losses, player.value);
        text += &format!("; plays like {c}");
    }
    if let Some(anchor) = &player.anchor {
        text += &format!("; {}", anchor.text);
    }
    text
}

/// "c = 18 (12-27)"; if results were thrown away, also whether they count; and whether it says much.
pub(crate) fn competence_words(
    estimate: &Estimate,
    value_losses: usize,
    value: ValueRule,
) -> String {
    let Estimate {
        mean, low, high, ..
    } = estimate;
    let c = format!("c = {mean:.0} ({low:.0}-{high:.0})");
    let counting = match value {
        ValueRule::Keep => "not counting",
        ValueRule::Risk => "counting",
    };
    let mut text = match value_losses {
        0 => c,
        1 => format!("{c}, {counting} the result thrown away"),
        _ => format!("{c}, {counting} the results thrown away"),
    };
    if anchor::is_rough(estimate) {
        text += ": too few choices to say much";
    }
    text
}

fn moved(ceded: u32) -> String {
    counted(ceded as usize, "move", "moves")
}

/// What a game needs: "game 3 needs 2 missing tables for KRPKR".
pub fn needed(build: &Build) -> String {
    let endgames: Vec<String> = build.endgames.iter().map(ToString::to_string).collect();
    let tables = counted(build.tables, "missing table", "missing tables");
    format!(
        "game {} needs {tables} for {}",
        build.game,
        endgames.join(", ")
    )
}

/// Parts left out because a table is missing: "no table of KPPKP, so parts of games 1, 4 were left
/// out".
pub fn left_out(missing: &Missing) -> String {
    let Missing {
        endgame,
        needs,
        games,
    } = missing;
    let s = if games.len() == 1 { "" } else { "s" };
    let games: Vec<String> = games.iter().map(ToString::to_string).collect();
    let games = games.join(", ");
    let tables = match needs.split_last() {
        Some((last, [])) if last == endgame => format!("no table of {endgame}"),
        Some((last, others)) if last == endgame => {
            let others = counted(others.len(), "endgame", "endgames");
            format!("no table of {endgame}, nor of {others} that it leads to")
        }
        Some((one, [])) => format!("no table of {one}, which {endgame} leads to"),
        Some(_) => {
            let count = needs.len();
            format!("no tables of {count} endgames that {endgame} leads to")
        }
        None => format!("tables for {endgame} were missing"),
    };
    format!("{tables}, so parts of game{s} {games} were left out")
}

/// Why nothing was analysed; none if something was.
pub fn nothing(totals: &Totals) -> Option<String> {
    match totals {
        Totals {
            games_analysed: 1..,
            ..
        } => None,
        Totals {
            games_read,
            missing,
            ..
        } if missing.is_empty() => {
            let read = counted(*games_read, "game", "games");
            Some(format!(
                "{read} read, none with a position of {MAX_MEN} men or fewer"
            ))
        }
        _ => Some("nothing was analysed, as the tables are missing".to_owned()),
    }
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
        "train {} ({endgame}): {cost} in {}",
        endgame_words(endgame),
        counted(tally.games, "game", "games")
    ))
}

/// The endgames of a player as rows: name, games, moves, ceded, results lost, competence.
pub fn rows(player: &PlayerSummary) -> impl Iterator<Item = Vec<String>> {
    player.endgames.iter().map(|each| {
        let PlayTally {
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
pub(crate) const HEAD: [&str; 6] = ["endgame", "games", "moves", "ceded", "lost", "c (95 %)"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_for_the_endgame_of_the_games() {
        let said = |needs: &[&str], games: &[usize]| {
            let material = |name: &&str| name.parse().unwrap();
            left_out(&Missing {
                endgame: material(&"KRPKR"),
                needs: needs.iter().map(material).collect(),
                games: games.to_vec(),
            })
        };
        for (needs, tables) in [
            (&["KRPKR"][..], "no table of KRPKR"),
            (
                &["KQKR", "KRPKR"],
                "no table of KRPKR, nor of 1 endgame that it leads to",
            ),
            (&["KQKR"], "no table of KQKR, which KRPKR leads to"),
            (
                &["KQKR", "KRKB"],
                "no tables of 2 endgames that KRPKR leads to",
            ),
            (&[], "tables for KRPKR were missing"),
        ] {
            let expected = format!("{tables}, so parts of games 1, 4 were left out");
            assert_eq!(said(needs, &[1, 4]), expected);
        }
        assert!(said(&["KRPKR"], &[3]).ends_with("so parts of game 3 were left out"));
    }
}
