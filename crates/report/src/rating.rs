//! Ratings as text and rows, for tables and pages.

use errare_rating::Rating;
use errare_service::rate::{Answer, Costly, Group, RatingInterval};

use crate::words::counted;

/// The header of the table of groups; the first column is named after the criterion.
pub const GROUP: [&str; 7] = [
    "",
    "turns",
    "quality",
    "interval",
    "Elo by it",
    "mm %",
    "ad",
];

/// The header of the table of costliest turns.
pub(crate) const COSTLY: [&str; 8] = [
    "costliest turns",
    "move",
    "played",
    "best",
    "scores",
    "cost",
    "p",
    "diff.",
];

/// The header of the table of all players.
pub(crate) const EVERYONE: [&str; 7] = [
    "player",
    "Elo",
    "games",
    "turns",
    "quality",
    "interval",
    "Elo by it",
];

/// The meaning of the rating columns.
pub(crate) const MEANING: &str = "\
Quality: how well these moves were played, as a rating, with its interval.
Elo by it: the interval that this leaves for the player's Elo; the paper's model
has none. A dash under Elo: the games give none; under quality: fewer than ten
turns, which are not rated.";

/// The order of the table of all players.
pub(crate) const ORDER: &str = "\
Best play first; players whose interval is open at an end come last.";

/// The meaning of the additional columns of groups.
pub(crate) const AGREEMENT: &str = "\
mm: the engine's first move was played. ad: what moves cost on average, in
pawns, which count the less the further a side is ahead.";

/// The meaning of the columns of costliest turns.
pub(crate) const LEGEND: &str = "\
Cost: what the move gives away, as in ad. p: how likely the move is at the
player's own level. Diff.: what that level gives away there on average.";

/// The groupings of the turns, except those with a single group.
#[must_use]
pub fn groups(answer: &Answer) -> Vec<(&'static str, &[Group])> {
    let all: [(&'static str, &[Group]); 7] = [
        ("colour", &answer.by_colour),
        ("phase", &answer.by_phase),
        ("clock", &answer.by_clock),
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

/// The player and the rating in one line.
#[must_use]
pub fn headline(answer: &Answer) -> String {
    let elo = answer
        .elo
        .map_or(String::new(), |elo| format!(", Elo {elo:.0}"));
    format!(
        "{}{elo}: {} of {}",
        answer.player,
        counted(answer.turns as u64, "turn", "turns"),
        counted(answer.games as u64, "game", "games")
    )
}

/// One statement about a player's moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Its subject.
    pub name: &'static str,
    /// The estimate with its interval.
    pub band: RatingInterval,
}

impl Statement {
    /// The header of a table of statements.
    #[must_use]
    pub fn head(answer: &Answer) -> [String; 3] {
        let level = format!("{:.0} % interval", 100.0 * answer.rating.level);
        [String::new(), "rating".to_owned(), level]
    }

    /// Its row in that table.
    #[must_use]
    pub fn row(&self) -> Vec<String> {
        vec![
            self.name.to_owned(),
            estimate(&self.band),
            interval(&self.band),
        ]
    }
}

/// The statements: about the play, about the player's Elo, and about both together.
#[must_use]
pub fn statements(answer: &Answer) -> Vec<Statement> {
    let quality = answer.quality.map(|band| Statement {
        name: "quality of play: how well these moves were played",
        band,
    });
    let elo = Statement {
        name: "what that says about the player's Elo",
        band: band(&answer.rating),
    };
    let both = answer.combined.map(|band| Statement {
        name: "the player's strength, by the known Elo and the moves",
        band,
    });
    quality.into_iter().chain([elo]).chain(both).collect()
}

/// How often moves agreed with the engine, compared with people of that quality.
#[must_use]
pub fn agreement(answer: &Answer) -> String {
    let Answer { mm, equal, ad, .. } = answer;
    format!(
        "First move {:.1} % (at this level {:.1}), best value {:.1} % ({:.1}), ad {:.4} ({:.4}).",
        100.0 * mm.actual,
        100.0 * mm.projected,
        100.0 * equal.actual,
        100.0 * equal.projected,
        ad.actual,
        ad.projected
    )
}

/// A row of the table of groups.
#[must_use]
pub(crate) fn group_row(group: &Group) -> Vec<String> {
    let mut row = vec![group.name.clone(), group.turns.to_string()];
    row.extend(match &group.rating {
        Some(rating) => rated(rating, group.quality.as_ref()),
        None => ["-"; 3].map(str::to_owned),
    });
    row.extend([
        format!("{:.1}", 100.0 * group.mm),
        format!("{:.3}", group.ad),
    ]);
    row
}

/// A row of the table of all players.
#[must_use]
pub(crate) fn everyone_row(answer: &Answer) -> Vec<String> {
    let mut row = vec![
        answer.player.clone(),
        answer.elo.map_or("-".to_owned(), |elo| format!("{elo:.0}")),
        answer.games.to_string(),
        answer.turns.to_string(),
    ];
    row.extend(rated(&answer.rating, answer.quality.as_ref()));
    row
}

/// Quality, its interval, and the interval for Elo. The paper's agents do not distinguish the two.
fn rated(rating: &Rating, quality: Option<&RatingInterval>) -> [String; 3] {
    let elo = band(rating);
    let short = |band: &RatingInterval| interval(band).replace(" to ", "–");
    match quality {
        Some(quality) => [estimate(quality), short(quality), short(&elo)],
        None => [estimate(&elo), short(&elo), "-".to_owned()],
    }
}

fn band(rating: &Rating) -> RatingInterval {
    RatingInterval {
        mean: rating.mean,
        low: rating.low,
        high: rating.high,
        open: rating.open,
        open_below: rating.open_below,
        open_above: rating.open_above,
    }
}

/// An estimate; marked if it is only the limit of the calibration.
#[must_use]
pub fn estimate(band: &RatingInterval) -> String {
    match band {
        it if it.open_above && it.mean >= it.high => format!("> {:.0}", it.high),
        it if it.open_below && it.mean <= it.low => format!("< {:.0}", it.low),
        it => format!("{:.0}", it.mean),
    }
}

/// An interval; an end that is only the limit of the calibration is left open.
#[must_use]
pub fn interval(band: &RatingInterval) -> String {
    match (band.open_below, band.open_above) {
        (false, false) => format!("{:.0} to {:.0}", band.low, band.high),
        (false, true) => format!("over {:.0}", band.low),
        (true, false) => format!("under {:.0}", band.high),
        (true, true) => "anything".to_owned(),
    }
}

/// A row of the table of costliest turns.
#[must_use]
pub(crate) fn costly_row(turn: &Costly) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_the_calibration_are_no_ratings() {
        let band = |low, mean, high, open_below, open_above| RatingInterval {
            mean,
            low,
            high,
            open: open_below || open_above,
            open_below,
            open_above,
        };
        let words = |band: RatingInterval| [estimate(&band), interval(&band)].join(", ");
        assert_eq!(
            words(band(2100.4, 2250.0, 2400.0, false, false)),
            "2250, 2100 to 2400"
        );
        assert_eq!(
            words(band(2100.0, 3300.0, 3300.0, false, true)),
            "> 3300, over 2100"
        );
        assert_eq!(
            words(band(1300.0, 1300.0, 1800.0, true, false)),
            "< 1300, under 1800"
        );
        assert_eq!(
            words(band(1300.0, 2000.0, 3300.0, true, true)),
            "2000, anything"
        );
    }
}
