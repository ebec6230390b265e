//! Reports on the ratings of one player or of all.

use errare_service::rate::{Answer, Everyone, Group};

use super::{Cell, NO_FINDING, Page, provenance};
use crate::{
    chart::{self, ChartError, ChartPanel, Dot},
    rating::{
        AGREEMENT, COSTLY, GROUP, LEGEND, MEANING, ORDER, agreement, costly_row, estimate,
        everyone_row, group_row, groups, headline, interval, statements,
    },
};

/// The report on a player.
pub fn rating(answer: &Answer, command: Option<&str>) -> Result<String, ChartError> {
    let mut page = Page::new(&format!("Intrinsic rating of {}", answer.player));
    page.warning(NO_FINDING);
    player(&mut page, answer)?;
    method(&mut page);
    provenance(&mut page, &answer.evidence, command);
    Ok(page.finish())
}

/// The report on all players of some games.
pub fn ratings(everyone: &Everyone, command: Option<&str>) -> Result<String, ChartError> {
    let mut page = Page::new("Intrinsic ratings");
    page.warning(NO_FINDING);
    let place = |number: usize| format!("player-{}", number + 1);
    let rows = everyone.players.iter().enumerate().map(|(number, answer)| {
        let mut row: Vec<Cell> = everyone_row(answer).into_iter().map(Cell::from).collect();
        row[0] = Cell::Link {
            text: answer.player.clone(),
            to: place(number),
        };
        row
    });
    page.table(&crate::rating::EVERYONE, rows);
    page.paragraph(ORDER);
    page.paragraph(MEANING);
    if !everyone.unrated.is_empty() {
        let unrated = everyone.unrated.iter();
        let each = unrated.map(|it| format!("{} ({}, {} turns)", it.player, it.reason, it.turns));
        let each: Vec<String> = each.collect();
        page.paragraph(&format!("Not rated: {}.", each.join("; ")));
    }
    for (number, answer) in everyone.players.iter().enumerate() {
        page.subheading(&place(number), &answer.player);
        player(&mut page, answer)?;
    }
    method(&mut page);
    provenance(&mut page, &everyone.evidence, command);
    Ok(page.finish())
}

fn player(page: &mut Page, answer: &Answer) -> Result<(), ChartError> {
    page.paragraph(&format!(
        "{}. Intervals are made to contain the truth in {:.0} % of cases; docs/calibration.md says how far they do.",
        headline(answer),
        100.0 * answer.rating.level
    ));
    let figures = statements(answer).into_iter();
    page.figures(figures.map(|it| (it.name, estimate(&it.band), interval(&it.band))));
    page.paragraph(&agreement(answer));
    for warning in &answer.warnings {
        page.warning(&format!("Note: {warning}."));
    }
    for (title, groups) in groups(answer) {
        page.subheading("", &format!("By {title}"));
        let mut head = GROUP.to_vec();
        head[0] = title;
        page.table(&head, groups.iter().map(group_row));
    }
    page.paragraph(MEANING);
    page.paragraph(AGREEMENT);
    plot(
        page,
        answer,
        "Career: Elo by the moves of each year, with its interval",
        &answer.by_year,
    )?;
    plot(
        page,
        answer,
        "Elo by the moves of each game, with its interval",
        &answer.by_game,
    )?;
    if !answer.costliest.is_empty() {
        page.subheading("", "Costliest turns");
        let mut head = COSTLY;
        head[0] = "game";
        page.table(&head, answer.costliest.iter().map(costly_row));
        page.paragraph(LEGEND);
    }
    Ok(())
}

/// Plots the ratings of groups side by side, with that of all turns as a line; nothing if there is
/// only one group.
fn plot(page: &mut Page, answer: &Answer, title: &str, groups: &[Group]) -> Result<(), ChartError> {
    let rated: Vec<_> = groups
        .iter()
        .filter_map(|group| Some((group, group.rating?)))
        .collect();
    if rated.len() < 2 {
        return Ok(());
    }
    let mut levels = vec![(
        answer.rating.mean,
        format!("all turns {:.0}", answer.rating.mean),
    )];
    levels.extend(answer.elo.map(|elo| (elo, format!("Elo {elo:.0}"))));
    let dots = rated.iter().enumerate().map(|(number, (_, rating))| Dot {
        x: (number + 1) as f64,
        low: rating.low,
        value: rating.mean,
        high: rating.high,
        open: [rating.open_below, rating.open_above],
        projected: None,
    });
    page.svg(&chart::dots(&[ChartPanel {
        title: title.to_owned(),
        x: String::new(),
        y: "Elo by the moves".to_owned(),
        steps: rated.iter().map(|(group, _)| group.name.clone()).collect(),
        dots: dots.collect(),
        levels,
    }])?);
    if rated.iter().any(|(_, rating)| rating.open) {
        page.paragraph("An arrow: the interval goes on, and the calibration ends there.");
    }
    Ok(())
}

fn method(page: &mut Page) {
    page.heading("Method");
    page.paragraph(
        "An engine evaluates every legal move of every turn after move 8, in positions that are new in their \
         game, while neither side is more than three pawns ahead. A calibration says how likely people of each \
         rating are to play each move, by what it costs and how it ranks at several depths. Quality of play is \
         the rating at which the moves that were played are neither better nor worse than expected; its \
         interval allows for the turns and for the errors of the calibration. People play some games above their \
         Elo and others below: the interval for Elo allows for that as well, and is therefore wider. A \
         single game says very little. After Regan and Haworth (2011), Intrinsic chess ratings.",
    );
}
