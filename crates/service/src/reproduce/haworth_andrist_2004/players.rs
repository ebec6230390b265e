//! Section 7, table 2: the apparent competence of players.

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{PlayerReport, endgames};
use errare_games::Game;
use shakmaty::Color;

use super::{Computed, Error, Finding, Lab, games};

/// The candidates of the table.
const GRID: &str = "0(0.01)50";

/// Rows whose games the paper does not print: the row, and the players.
const OTHERS: [(u8, &str, &str); 6] = [
    (3, "Gelfand", "Svidler"),
    (4, "Pinter", "Bronstein"),
    (5, "Popovi", "Korchnoi"),
    (6, "Timman", "Speelman"),
    (7, "Fritz", "Fritz"),
    (8, "Lengyel", "Levy"),
];

pub(super) fn table_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle("KQKR", Metric::Dtc)?;
    let mut findings = Vec::new();
    for (row, game) in (1..).zip(games::browne_belle()) {
        let game = games::analysed(&oracle, &game, Kappa::ZERO, GRID)?;
        for (side, player) in [("white", &game.white), ("black", &game.black)] {
            if side == "white" {
                let moves = Computed::count(player.moves);
                findings.push(Finding::new(format!("{row}/moves"), moves));
            }
            let lost = Computed::count(player.ceded as usize);
            findings.push(Finding::new(format!("{row}/{side}-lost"), lost));
            let c = match player.competence {
                Some(estimate) => Computed::Number(estimate.mean),
                None => Computed::Text("infinite".to_owned()),
            };
            findings.push(Finding::new(format!("{row}/{side}-c"), c));
        }
    }
    for game in lab.games.iter().flat_map(|pgn| games::games(pgn)) {
        let played = |(_, white, black): &&(u8, &str, &str)| {
            let named = |color, name: &str| {
                game.name(color)
                    .to_lowercase()
                    .contains(&name.to_lowercase())
            };
            named(Color::White, white) && named(Color::Black, black)
        };
        if let Some((row, ..)) = OTHERS.iter().find(played) {
            // The same players may also have met in games without such an endgame.
            let text = row_of(lab, &game)?;
            findings.extend(text.map(|text| Finding::new(row.to_string(), Computed::Text(text))));
        }
    }
    Ok(findings)
}

/// Depth lost and final c of both sides, in the data file's notation; `None` if the game does not reach five men.
fn row_of(lab: &Lab<'_>, game: &Game) -> Result<Option<String>, Error> {
    let needed: Vec<String> = endgames(game).iter().map(ToString::to_string).collect();
    let Some(endgame) = needed.first() else {
        return Ok(None);
    };
    let oracle = lab.oracle(endgame, Metric::Dtc)?;
    let analysis = games::analysed(&oracle, game, Kappa::ZERO, GRID)?;
    // The table's rows refer to the first endgame with a table.
    let Some(phase) = analysis.phases.first() else {
        return Ok(None);
    };
    let c = |player: &PlayerReport| {
        player.competence.map_or("infinite".to_owned(), |estimate| {
            format!("{:.1}", estimate.mean)
        })
    };
    let (white, black) = (&phase.white, &phase.black);
    Ok(Some(format!(
        "{}/{}, {}/{}",
        white.ceded,
        black.ceded,
        c(white),
        c(black)
    )))
}
