//! Ratings in words and rows, for tables and pages.

use errare_rating::Rating;
use errare_service::rate::{Answer, Band, Costly, Group};

use crate::words::counted;

/// The head of the table of groups; the first column is named after what makes them.
pub const GROUP: [&str; 6] = ["", "turns", "rating", "interval", "mm %", "ad"];

/// The head of the table of costliest turns.
pub const COSTLY: [&str; 8] = [
    "costliest turns",
    "move",
    "played",
    "best",
    "scores",
    "cost",
    "p",
    "diff.",
];

/// The head of the table of all players.
pub const EVERYONE: [&str; 8] = [
    "player", "Elo", "games", "turns", "rating", "interval", "mm %", "ad",
];

/// What the columns mean.
pub const LEGEND: &str = "\
mm: the engine's first move was played. ad: what moves cost on average, scaled.
Cost: scaled difference to the best move. p: how likely the move is at the
player's own level. Diff.: what that level gives away there on average.";

/// The ways to part the turns, without those that part nothing.
#[must_use]
pub fn groups(answer: &Answer) -> Vec<(&'static str, &[Group])> {
    let all: [(&'static str, &[Group]); 6] = [
        ("colour", &answer.by_colour),
        ("phase", &answer.by_phase),
        ("event", &answer.by_event),
        ("year", &answer.by_year),
        ("opponent", &answer.by_opponent),
        ("game", &answer.by_game),
    ];
    let parts = |(title, groups): &(&str, &[Group])| {
        groups.len() > 1 || matches!(*title, "colour" | "game")
    };
    all.into_iter().filter(parts).collect()
}

/// The rating in a sentence.
#[must_use]
pub fn headline(answer: &Answer) -> String {
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

/// What it is based on, and what else it says.
#[must_use]
pub fn facts(answer: &Answer) -> Vec<String> {
    let Answer { mm, equal, ad, .. } = answer;
    let band = |name: &str, band: &Option<Band>| {
        let band = band.as_ref()?;
        let Band {
            mean, low, high, ..
        } = band;
        Some(format!("{name}: {mean:.0}, {low:.0} to {high:.0}."))
    };
    let mut facts = Vec::new();
    facts.extend(band("Quality of play in these games", &answer.quality));
    facts.extend(band("Together with the known Elo", &answer.combined));
    facts.extend([
        format!(
            "{} of {}.",
            counted(answer.turns as u64, "turn", "turns"),
            counted(answer.games as u64, "game", "games")
        ),
        format!(
            "First move {:.1} % (at this level {:.1}), best value {:.1} % ({:.1}), ad {:.4} ({:.4}).",
            100.0 * mm.actual,
            100.0 * mm.projected,
            100.0 * equal.actual,
            100.0 * equal.projected,
            ad.actual,
            ad.projected
        ),
    ]);
    facts
}

/// A row of the table of groups.
#[must_use]
pub fn group_row(group: &Group) -> Vec<String> {
    let [rating, interval] = match (&group.rating, group.unrated) {
        (Some(rating), _) => rated(rating),
        (None, Some(reason)) => ["-".to_owned(), reason.to_string()],
        (None, None) => ["-".to_owned(), "-".to_owned()],
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

/// A row of the table of all players.
#[must_use]
pub fn everyone_row(answer: &Answer) -> Vec<String> {
    let [rating, interval] = rated(&answer.rating);
    vec![
        answer.player.clone(),
        answer.elo.map_or("-".to_owned(), |elo| format!("{elo:.0}")),
        answer.games.to_string(),
        answer.turns.to_string(),
        rating,
        interval,
        format!("{:.1}", 100.0 * answer.mm.actual),
        format!("{:.4}", answer.ad.actual),
    ]
}

fn rated(rating: &Rating) -> [String; 2] {
    [
        format!("{:.0}", rating.mean),
        format!("{:.0} to {:.0}", rating.low, rating.high),
    ]
}

/// A row of the table of costliest turns.
#[must_use]
pub fn costly_row(turn: &Costly) -> Vec<String> {
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
