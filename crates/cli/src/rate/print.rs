//! Ratings for people and for spreadsheets.

use std::io::{self, Write};

use anyhow::Result;
use errare_rating::Rating;

use super::answer::{Answer, Costly, Group};
use crate::output;

/// Prints everything as tables.
pub(super) fn tables(answer: &Answer) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", headline(answer))?;
    for line in facts(answer) {
        writeln!(out, "{line}")?;
    }
    for warning in &answer.warnings {
        writeln!(out, "Note: {warning}.")?;
    }
    for (title, groups) in groups(answer) {
        let mut table = output::table([title, "turns", "rating", "interval", "mm %", "ad"]);
        for group in groups {
            table.add_row(group_row(group));
        }
        output::numbers_from(&mut table, 1);
        writeln!(out, "\n{table}")?;
    }
    let mut table = output::table(COSTLY);
    for turn in &answer.costliest {
        table.add_row(costly_row(turn));
    }
    output::numbers_from(&mut table, 4);
    writeln!(out, "\n{table}")?;
    writeln!(
        out,
        "\nCost: scaled difference to the best move. p: how likely the move is at the player's own level. \
         Difficulty: what that level gives away there on average."
    )?;
    Ok(())
}

/// The head of the table of costliest turns.
pub(super) const COSTLY: [&str; 8] = [
    "costliest turns",
    "move",
    "played",
    "best",
    "scores",
    "cost",
    "p",
    "difficulty",
];

/// The three ways to part the turns.
pub(super) fn groups(answer: &Answer) -> [(&'static str, &[Group]); 3] {
    [
        ("colour", &answer.by_colour),
        ("phase", &answer.by_phase),
        ("game", &answer.by_game),
    ]
}

/// The rating in a sentence.
pub(super) fn headline(answer: &Answer) -> String {
    let Rating {
        mean,
        low,
        high,
        level,
        ..
    } = answer.rating;
    let elo = answer
        .elo
        .map_or(String::new(), |elo| format!(", Elo {elo:.0}"));
    format!(
        "{}{elo}: intrinsic rating {mean:.0}, {:.0} % interval {low:.0} to {high:.0}",
        answer.player,
        100.0 * level
    )
}

/// What it is based on.
pub(super) fn facts(answer: &Answer) -> [String; 2] {
    let Answer { mm, equal, ad, .. } = answer;
    [
        format!("{} turns of {} games.", answer.turns, answer.games),
        format!(
            "First move {:.1} % (at this level {:.1}), best value {:.1} % ({:.1}), ad {:.4} ({:.4}).",
            100.0 * mm.actual,
            100.0 * mm.projected,
            100.0 * equal.actual,
            100.0 * equal.projected,
            ad.actual,
            ad.projected
        ),
    ]
}

pub(super) fn group_row(group: &Group) -> Vec<String> {
    let [rating, interval] = match &group.rating {
        Some(rating) => [
            format!("{:.0}", rating.mean),
            format!("{:.0} to {:.0}", rating.low, rating.high),
        ],
        None => ["-".to_owned(), "-".to_owned()],
    };
    vec![
        group.name.clone(),
        group.turns.to_string(),
        rating,
        interval,
        format!("{:.1}", 100.0 * group.mm),
        format!("{:.4}", group.ad),
    ]
}

pub(super) fn costly_row(turn: &Costly) -> Vec<String> {
    vec![
        turn.game.clone(),
        turn.move_number.to_string(),
        turn.played.clone(),
        turn.best.clone(),
        format!("{} / {}", turn.scores[0], turn.scores[1]),
        format!("{:.3}", turn.cost),
        format!("{:.3}", turn.probability),
        format!("{:.3}", turn.difficulty),
    ]
}

/// Prints a row a group.
pub(super) fn csv(answer: &Answer) -> Result<()> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record(["by", "name", "turns", "rating", "low", "high", "mm", "ad"])?;
    let row = |by: &str, name: &str, turns: usize, rating: Option<&Rating>, mm: f64, ad: f64| {
        let number = |of: fn(&Rating) -> f64| rating.map_or(String::new(), |it| of(it).to_string());
        [
            by.to_owned(),
            name.to_owned(),
            turns.to_string(),
            number(|it| it.mean),
            number(|it| it.low),
            number(|it| it.high),
            mm.to_string(),
            ad.to_string(),
        ]
    };
    let Answer {
        player,
        turns,
        rating,
        mm,
        ad,
        ..
    } = answer;
    out.write_record(row(
        "all",
        player,
        *turns,
        Some(rating),
        mm.actual,
        ad.actual,
    ))?;
    for (by, groups) in groups(answer) {
        for group in groups {
            let Group {
                name,
                turns,
                rating,
                mm,
                ad,
            } = group;
            out.write_record(row(by, name, *turns, rating.as_ref(), *mm, *ad))?;
        }
    }
    out.flush()?;
    Ok(())
}
