//! Reports on ratings: of one player, or of all.

use errare_service::rate::{Answer, Everyone, Group};

use super::{Cell, NO_FINDING, Page, provenance};
use crate::{
    chart::{self, ChartError, Dot, Panel},
    rating::{COSTLY, GROUP, costly_row, everyone_row, facts, group_row, groups, headline},
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
    for unrated in &everyone.unrated {
        page.paragraph(&format!(
            "{}: not rated, {} ({} turns).",
            unrated.player, unrated.reason, unrated.turns
        ));
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
    page.paragraph(&headline(answer));
    for fact in facts(answer) {
        page.paragraph(&fact);
    }
    for warning in &answer.warnings {
        page.warning(&format!("Note: {warning}."));
    }
    for (title, groups) in groups(answer) {
        page.heading(&format!("By {title}"));
        let mut head = GROUP.to_vec();
        head[0] = title;
        page.table(&head, groups.iter().map(group_row));
    }
    plot(
        page,
        answer,
        "Career: rating by year, with its interval",
        &answer.by_year,
    )?;
    plot(
        page,
        answer,
        "Rating by game, with its interval",
        &answer.by_game,
    )?;
    if !answer.costliest.is_empty() {
        page.heading("Costliest turns");
        page.table(&COSTLY, answer.costliest.iter().map(costly_row));
    }
    Ok(())
}

/// The ratings of groups side by side, with that of all turns across; nothing if there is only one.
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
        projected: None,
    });
    page.svg(&chart::dots(&[Panel {
        title: title.to_owned(),
        x: String::new(),
        y: "intrinsic rating".to_owned(),
        steps: rated.iter().map(|(group, _)| group.name.clone()).collect(),
        dots: dots.collect(),
        levels,
    }])?);
    Ok(())
}

fn method(page: &mut Page) {
    page.heading("Method");
    page.paragraph(
        "An engine evaluates every legal move of every turn after move 8, in positions that are new in their \
         game, while neither side is more than three pawns ahead. A model agent of a given rating chooses \
         each move with a probability that depends on what it costs and on the alternatives. The rating is \
         that of the agent that agrees best with the moves played. A single game says very little: look at \
         its interval. Reference: Regan and Haworth (2011), Intrinsic chess ratings.",
    );
}
