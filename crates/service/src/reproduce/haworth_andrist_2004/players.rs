//! Section 7, table 2: the apparent competence of players.
//!
//! The paper prints only the moves of rows 1 and 2. `table-2.pgn` has the endgames of rows 3 to 6, as far as the table
//! counts them, from the public collection rozim/ChessData (its files of PgnMentor).

use errare_choice::Kappa;
use errare_core::Metric;
use errare_games::Game;
use shakmaty::Color;

use super::{Computed, Error, Finding, Lab, games};

/// The candidates of the table.
const GRID: &str = "0(0.01)50";

/// The remark on numbers from the user's games.
const OTHER_GAMES: &str = "Computed from the given games, which may not be those of the paper.";

/// Rows whose games the paper does not print: the row, its endgame, and the players.
const OTHERS: [(u8, &str, &str, &str); 6] = [
    (3, "KRKQ", "Gelfand", "Svidler"),
    (4, "KNKBB", "Pinter", "Bronstein"),
    (5, "KBBKN", "Popovi", "Kor"),
    (6, "KBBKN", "Timman", "Speelman"),
    (7, "KNKBB", "Fritz", "Fritz"),
    (8, "KQKQN", "Lengyel", "Levy"),
];

pub(super) fn table_2(lab: &Lab<'_>) -> Result<Vec<Finding>, Error> {
    let mut findings = Vec::new();
    for (row, game) in (1..).zip(games::browne_belle()) {
        findings.extend(row_of(lab, row, "KQKR", &game)?);
    }
    // The first game of a row counts, so the user's own comes before ours.
    let users = lab.games.iter().flat_map(|pgn| games::games(pgn));
    let users = users.map(|game| (game, Some(OTHER_GAMES.to_owned())));
    let ours = games::games(include_str!("table-2.pgn")).into_iter();
    for (game, why) in users.chain(ours.map(|game| (game, None))) {
        let named = |color, name: &str| {
            let player = game.name(color).to_lowercase();
            player.contains(&name.to_lowercase())
        };
        let row = OTHERS
            .iter()
            .find(|(_, _, white, black)| named(Color::White, white) && named(Color::Black, black));
        if let Some((row, endgame, ..)) = row {
            let row = row_of(lab, *row, endgame, &game)?;
            findings.extend(row.into_iter().map(|it| it.because(why.clone())));
        }
    }
    Ok(findings)
}

/// Moves, depth lost and gained, and final c of both sides in the row's endgame; nothing if the game does not reach it.
fn row_of(lab: &Lab<'_>, row: u8, endgame: &str, game: &Game) -> Result<Vec<Finding>, Error> {
    let oracle = lab.oracle(endgame, Metric::Dtc)?;
    let analysis = games::analysed(&oracle, game, Kappa::ZERO, GRID)?;
    let phase = analysis.phases.iter().find(|it| it.endgame == endgame);
    let Some(phase) = phase else {
        return Ok(Vec::new());
    };
    let moves = Computed::count(phase.white.moves.max(phase.black.moves));
    let mut findings = vec![Finding::new(format!("{row}/moves"), moves)];
    let played = &analysis.moves;
    let begun = played.iter().find(|it| it.ply == phase.first_ply);
    let ended = played.iter().find(|it| it.ply == phase.last_ply);
    if let (Some(begun), Some(ended)) = (begun, ended) {
        let depth = |depth: Option<u16>| i32::from(depth.unwrap_or(0));
        let gain = depth(begun.depth_before) - depth(ended.depth_after);
        let gain = Computed::Text(gain.to_string());
        findings.push(Finding::new(format!("{row}/gain"), gain));
    }
    for (side, player) in [("white", &phase.white), ("black", &phase.black)] {
        let lost = Computed::count(player.ceded as usize);
        findings.push(Finding::new(format!("{row}/{side}-lost"), lost));
        let c = match player.competence {
            Some(estimate) => Computed::Number(estimate.mean),
            None => Computed::Text("infinite".to_owned()),
        };
        findings.push(Finding::new(format!("{row}/{side}-c"), c));
    }
    Ok(findings)
}
