//! The report on a screening: the list, what it rests on, the method and its caveats.

use errare_service::screen::{Answer, GameDetail, Listed, PlayerDetail};

use super::{Cell, NO_FINDING, Page, provenance};
use crate::{
    chart::{self, ChartError, Row},
    screening::{FULL_HEAD, full_row, label_meanings, notes, smallest_effect, thresholds},
    words::counted,
};

/// The page.
pub fn screening(answer: &Answer, command: Option<&str>) -> Result<String, ChartError> {
    let mut page = Page::new("Screening");
    page.warning(&format!(
        "{NO_FINDING} A label says what to do next, no more: {}",
        label_meanings()
    ));
    for warning in &answer.warnings {
        page.warning(&format!("Note: {warning}."));
    }
    page.paragraph(&thresholds(answer));
    let place = |number: usize| format!("player-{}", number + 1);
    let rows = answer.players.iter().enumerate().map(|(number, listed)| {
        let mut row: Vec<Cell> = full_row(&listed.one).into_iter().map(Cell::from).collect();
        if number < answer.details.len() {
            row[0] = Cell::Link {
                text: listed.one.player.clone(),
                to: place(number),
            };
        }
        row
    });
    page.table(&FULL_HEAD, rows);
    for note in notes(answer) {
        page.paragraph(&note);
    }
    page.svg(&drawing(answer)?);
    method(&mut page, answer);
    provenance(&mut page, &answer.evidence, command);
    if !answer.details.is_empty() {
        page.heading("Players, games and turns");
    }
    for (number, (listed, detail)) in answer.players.iter().zip(&answer.details).enumerate() {
        player(&mut page, &place(number), listed, detail);
    }
    Ok(page.finish())
}

/// Where every player stands, with the thresholds.
fn drawing(answer: &Answer) -> Result<String, ChartError> {
    let rows = answer.players.iter().map(|listed| Row {
        name: listed.one.player.clone(),
        values: vec![listed.one.adjusted.z_mm, listed.one.adjusted.z_ad],
    });
    let thresholds = answer.thresholds;
    chart::rows(
        "Adjusted z of every player",
        &["first-move matches (mm)", "average difference (ad)"],
        &rows.collect::<Vec<_>>(),
        &[
            (thresholds.watch, format!("watch {:.2}", thresholds.watch)),
            (
                thresholds.full_test,
                format!("full test {:.2}", thresholds.full_test),
            ),
        ],
        &(
            format!("{} honest players", answer.scatter.players),
            answer.scatter.honest.clone(),
        ),
    )
}

fn player(page: &mut Page, place: &str, listed: &Listed, detail: &PlayerDetail) {
    let one = &listed.one;
    page.subheading(place, &detail.player);
    page.paragraph(&format!(
        "Elo {:.0}, {}, {}, adjusted z {:+.2} (mm) and {:+.2} (ad): {}.",
        one.elo,
        counted(one.games as u64, "game", "games"),
        counted(one.turns as u64, "turn", "turns"),
        one.adjusted.z_mm,
        one.adjusted.z_ad,
        one.label
    ));
    page.paragraph(&smallest_effect(one));
    for warning in &one.warnings {
        page.paragraph(&format!("Note: {warning}."));
    }
    let game_place = |number: usize| format!("{place}-game-{}", number + 1);
    let rows = detail.games.iter().enumerate().map(|(number, game)| {
        let mut row: Vec<Cell> = game_row(game).into_iter().map(Cell::from).collect();
        row[0] = Cell::Link {
            text: game.opponent.clone(),
            to: game_place(number),
        };
        row
    });
    let head = [
        "opponent", "Elo", "colour", "result", "round", "date", "turns", "mm %", "exp.", "ad",
        "exp.",
    ];
    page.table(&head, rows);
    for (number, game) in detail.games.iter().enumerate() {
        let round = game.round.as_ref().map(|round| format!(", round {round}"));
        let summary = format!(
            "Turns against {}{} ({})",
            game.opponent,
            round.unwrap_or_default(),
            game.turns.len()
        );
        page.open_details(&game_place(number), &summary);
        let head = [
            "move",
            "played",
            "rank",
            "engine's",
            "score",
            "best",
            "cost",
            "p of engine's %",
        ];
        let rows = game.turns.iter().map(|turn| {
            let dots = if turn.fen.contains(" w ") { "." } else { "..." };
            vec![
                format!("{}{dots}", turn.move_number),
                turn.played.clone(),
                turn.rank.to_string(),
                turn.best.clone(),
                turn.scores[1].to_string(),
                turn.scores[0].to_string(),
                format!("{:.3}", turn.cost),
                format!("{:.0}", 100.0 * turn.expected),
            ]
        });
        page.table(&head, rows);
        page.close_details();
    }
}

fn game_row(game: &GameDetail) -> Vec<String> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    vec![
        game.opponent.clone(),
        game.opponent_elo
            .map_or(String::new(), |elo| elo.to_string()),
        game.colour.to_string(),
        text(&game.result),
        text(&game.round),
        text(&game.date),
        game.turns.len().to_string(),
        format!("{:.0}", 100.0 * game.mm[0]),
        format!("{:.0}", 100.0 * game.mm[1]),
        format!("{:.3}", game.ad[0]),
        format!("{:.3}", game.ad[1]),
    ]
}

fn method(page: &mut Page, answer: &Answer) {
    page.heading("Method");
    page.paragraph(&format!(
        "Every legal move of every turn after move 8, in positions new in their game, with more than one \
         legal move and neither side more than three pawns ahead, was evaluated by {}. A model agent that \
         stands for players of the player's own rating says how often it would play the engine's first move \
         (mm), a move of the best value (equal), and how much its moves would cost on average (ad, scaled), \
         in the very same positions, with standard deviations. z is the distance of what was played from \
         that, in standard deviations; a positive z means more agreement with the engine.",
        answer.evidence.engine
    ));
    let scatter = &answer.scatter;
    let players = scatter.players;
    let how = match scatter.honest.is_empty() {
        true => " before they are divided by these factors",
        false => "",
    };
    let scattered = match players {
        0 => "The calibration knows no players to take that from, so z are not adjusted".to_owned(),
        _ => format!(
            "Among {players} players of known rating they scatter by {:.2} (mm) and {:.2} (ad){how}",
            scatter.mm, scatter.ad
        ),
    };
    page.paragraph(&format!(
        "Adjusted z allow for what turns of one game and games of one player have in common. {scattered}. Labels \
         go by the greater of the two adjusted z."
    ));
    page.heading("Caveats");
    for caveat in [
        "Many comparisons: out of a thousand honest players one has a z above 3 by chance, and since tails \
         are heavier than the normal distribution's, rather three to six. Thresholds rise with the number \
         of players screened, but not with the number of lists you look at.",
        "The rating must be the player's true strength. Young, improving, returning or underrated players \
         exceed what their rating predicts, and so does anybody in good form.",
        "Well-known opening play beyond move 8, forced sequences, and simple endgames raise agreement \
         without any aid. Look at the games.",
        "Turns of one game are correlated, which the model ignores; that is what the adjustment is for.",
        "A z is evidence only together with other evidence.",
    ] {
        page.paragraph(caveat);
    }
    page.paragraph("Reference: Regan and Haworth (2011), Intrinsic chess ratings.");
}
