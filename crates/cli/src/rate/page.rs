//! The report on a rating.

use std::path::Path;

use anyhow::Result;

use super::{answer::Answer, print};
use crate::{
    chart::{self, Dot, Panel},
    page::Page,
};

/// Writes the page.
pub(super) fn write(path: &Path, answer: &Answer) -> Result<()> {
    let mut page = Page::new(&format!("Intrinsic rating of {}", answer.player));
    page.paragraph(&print::headline(answer));
    for fact in print::facts(answer) {
        page.paragraph(&fact);
    }
    for warning in &answer.warnings {
        page.warning(&format!("Note: {warning}."));
    }
    for (title, groups) in print::groups(answer) {
        page.heading(&format!("By {title}"));
        let head = [title, "turns", "rating", "interval", "mm %", "ad"];
        page.table(&head, groups.iter().map(print::group_row));
    }
    let rated = answer
        .by_game
        .iter()
        .enumerate()
        .filter_map(|(number, game)| {
            let rating = game.rating?;
            Some(Dot {
                x: (number + 1) as f64,
                low: rating.low,
                value: rating.mean,
                high: rating.high,
                projected: Some(answer.rating.mean),
            })
        });
    let dots: Vec<Dot> = rated.collect();
    if !dots.is_empty() {
        page.svg(&chart::svg(&[Panel {
            x: "game",
            y: "rating and interval",
            dots,
            levels: Vec::new(),
        }])?);
    }
    page.heading("Costliest turns");
    page.table(
        &print::COSTLY,
        answer.costliest.iter().map(print::costly_row),
    );
    page.heading("Method");
    page.paragraph(
        "An engine evaluates every legal move of every turn after move 8, in new positions, with neither \
         side more than three pawns ahead. A model agent of a given rating chooses each move with a \
         probability that depends on what it costs and on the alternatives. The rating is that of the \
         agent that agrees best with the moves played. A single game says very little: look at its \
         interval. Reference: Regan and Haworth (2011), Intrinsic chess ratings.",
    );
    page.write(path)
}
