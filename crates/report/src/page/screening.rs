//! The report on a screening: the list, its basis, the method and its caveats.

use std::ops::Range;

use errare_service::screen::{Answer, GameDetail, Label, ListedPlayer, PlayerDetail};

use super::{Cell, NO_FINDING, Page, provenance};
use crate::{
    chart::{self, ChartError, ChartRow},
    screening::{
        EVENTS, FULL_HEAD, event_row, full_row, label_meanings, notes, percent, smallest_effect,
        thresholds, unscreened,
    },
    words::counted,
};

/// The page.
pub fn screening(answer: &Answer, command: Option<&str>) -> Result<String, ChartError> {
    let mut page = Page::new(&title(answer));
    page.warning(&format!(
        "{NO_FINDING} A label says what to do next, no more: {}",
        label_meanings()
    ));
    for warning in &answer.warnings {
        page.warning(&format!("Note: {warning}."));
    }
    let tested = answer
        .players
        .iter()
        .take_while(|it| it.one.label.is_tested());
    let tested = tested.count();
    figures(&mut page, answer, tested);
    page.paragraph(&thresholds(answer));
    page.table(&FULL_HEAD, rows(answer, 0..tested));
    page.paragraph(COLUMNS);
    if tested < answer.players.len() {
        let untested = answer.players.len() - tested;
        let summary = format!(
            "{} not tested: too few turns, or a rating outside the calibration",
            counted(untested as u64, "player", "players")
        );
        page.open_details("not-tested", &summary);
        page.table(&FULL_HEAD, rows(answer, tested..answer.players.len()));
        page.close_details();
    }
    for note in notes(answer) {
        page.paragraph(&note);
    }
    if tested > 0 {
        page.heading("Among honest players");
        page.paragraph(
            "Each row is a player, with the adjusted z of first-move matches and of the average difference.",
        );
        if !answer.scatter.honest.is_empty() {
            page.paragraph(
                "The strokes at the bottom are the honest players of the calibration: the greater z of each.",
            );
        }
        page.svg(&drawing(&answer.players[..tested], answer)?);
    }
    method(&mut page, answer);
    provenance(&mut page, &answer.evidence, command);
    if !answer.details.is_empty() {
        page.heading("Players, games and turns");
        page.paragraph(TURNS);
    }
    for (number, (listed, detail)) in answer.players.iter().zip(&answer.details).enumerate() {
        player(&mut page, &place(number), listed, detail);
    }
    if let Some(summary) = unscreened(answer) {
        page.open_details("not-screened", &summary);
        page.paragraph(&format!("{}.", answer.unscreened.join("; ")));
        page.close_details();
    }
    Ok(page.finish())
}

/// A page written to a file starts with the event it is about.
fn title(answer: &Answer) -> String {
    match &answer.evidence.events[..] {
        [event] => format!("Screening: {event}"),
        _ => "Screening".to_owned(),
    }
}

/// The meaning of the list's columns.
const COLUMNS: &str = "\
mm: the engine's first move was played; equal: a move of the best value; ad: what moves cost on average, in pawns, which \
count the less the further a side is ahead; exp.: \
what people of that rating do in the same positions. z: how far the play is from that, in standard deviations, \
adjusted; a positive z means more agreement with the engine.";

/// The meaning of the columns of a game's turns.
const TURNS: &str = "\
Of each turn: the rank of the move played in the engine's order, and the engine's own move; the scores of both for the \
player, in hundredths of a pawn; what the move cost, as in ad; and how likely people of that rating are to play the \
engine's move.";

fn place(number: usize) -> String {
    format!("player-{}", number + 1)
}

/// Some rows of the list.
fn rows(answer: &Answer, which: Range<usize>) -> Vec<Vec<Cell>> {
    let row = |number: usize| {
        let one = &answer.players[number].one;
        let mut row: Vec<Cell> = full_row(one).into_iter().map(Cell::from).collect();
        if number < answer.details.len() {
            row[0] = Cell::Link {
                text: one.player.clone(),
                to: place(number),
            };
        }
        row[1] = Cell::Marked {
            text: one.label.to_string(),
            class: match one.label {
                Label::Watch => "watch",
                Label::FullTest => "full-test",
                _ => "normal",
            },
        };
        row
    };
    which.map(row).collect()
}

/// The number of players with each label, and what the list could have shown.
fn figures(page: &mut Page, answer: &Answer, tested: usize) {
    let labelled = |label: Label| {
        let players = answer.players.iter();
        players.filter(|it| it.one.label == label).count()
    };
    let least = answer.players.iter().filter(|it| it.one.label.is_tested());
    let least = least.filter_map(|it| it.one.smallest_effect.engine_share);
    let least = least.min_by(f64::total_cmp);
    let thresholds = answer.thresholds;
    page.figures([
        (
            "players tested",
            tested.to_string(),
            format!("{} normal", labelled(Label::Normal)),
        ),
        (
            "watch: look at further games",
            labelled(Label::Watch).to_string(),
            format!("from z {:.2}", thresholds.watch),
        ),
        (
            "full test: have the games examined",
            labelled(Label::FullTest).to_string(),
            format!("from z {:.2}", thresholds.full_test),
        ),
        (
            "smallest share of engine moves seen in four of five cases",
            least.map_or("none".to_owned(), |share| format!("{:.0} %", 100.0 * share)),
            "for the player with most turns".to_owned(),
        ),
    ]);
}

/// All players with the thresholds.
fn drawing(players: &[ListedPlayer], answer: &Answer) -> Result<String, ChartError> {
    let rows = players.iter().filter_map(|ListedPlayer { one, .. }| {
        let adjusted = one.adjusted?;
        Some(ChartRow {
            name: one.player.clone(),
            values: vec![adjusted.z_mm, adjusted.z_ad],
        })
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

fn player(page: &mut Page, place: &str, listed: &ListedPlayer, detail: &PlayerDetail) {
    let one = &listed.one;
    page.subheading(place, &detail.player);
    let z = match (one.adjusted, one.z_mm, one.z_ad) {
        (Some(adjusted), Some(z_mm), Some(z_ad)) => format!(
            ", adjusted z {:+.2} (mm) and {:+.2} (ad); {z_mm:+.2} and {z_ad:+.2} if turns were independent",
            adjusted.z_mm, adjusted.z_ad
        ),
        _ => String::new(),
    };
    page.paragraph(&format!(
        "Elo {:.0}, {}, {}{z}: {}.",
        one.elo,
        counted(one.games as u64, "game", "games"),
        counted(one.turns as u64, "turn", "turns"),
        one.label
    ));
    if let Some(chance) = one.chance {
        page.paragraph(&format!(
            "By the z of the calibration's honest players, {} of honest players have this z or a higher one.",
            percent(chance)
        ));
    }
    if one.label.is_tested() {
        page.paragraph(&smallest_effect(one));
    }
    if !listed.events.is_empty() {
        page.paragraph("Event by event, each with the rating of that event; together they make the result above:");
        page.table(&EVENTS, listed.events.iter().map(event_row));
    }
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
         legal move and neither side more than three pawns ahead, was evaluated by {}. A calibration says how \
         often people of the player's own rating would play the engine's first move (mm), a move of the best \
         value (equal), and how much their moves would cost on average (ad, scaled), in the very same \
         positions, with standard deviations. z is the distance of what was played from that, in standard \
         deviations; a positive z means more agreement with the engine.",
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
        "A z is evidence only together with other evidence.",
    ] {
        page.paragraph(caveat);
    }
    page.paragraph("Reference: Regan and Haworth (2011), Intrinsic chess ratings.");
}
