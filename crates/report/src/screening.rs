//! Screenings as text and rows, for tables and pages.

use errare_rating::FEWEST_SCREENED_TURNS;
use errare_service::screen::{Answer, EventResult, Label, Screened};

use crate::words::counted;

/// The header of the list on a terminal of 80 columns; z are adjusted.
pub(crate) const HEAD: [&str; 10] = [
    "player", "Elo", "turns", "mm%", "exp", "ad", "exp", "z mm", "z ad", "label",
];

/// The header of the full list; z are adjusted.
pub(crate) const FULL_HEAD: [&str; 12] = [
    "player", "label", "Elo", "games", "turns", "mm %", "exp.", "equal %", "ad", "exp.", "z mm",
    "z ad",
];

/// The meaning of the short list's columns.
pub(crate) const LEGEND: &str = "\
mm%: engine's first move played, exp: expected of the rating. ad: what moves
cost on average, in thousandths of a pawn; the further a side is ahead, the less
a pawn counts. z: adjusted, positive means more agreement with the engine than
expected. too few: fewer than 50 turns, outside: outside the calibration;
neither is tested.";

/// What each label asks for.
#[must_use]
pub(crate) fn label_meanings() -> &'static str {
    "nothing (normal), look at further games (watch), or have the games examined in full (full test)."
}

/// A row of the short list.
#[must_use]
pub fn row(one: &Screened) -> Vec<String> {
    vec![
        one.player.clone(),
        format!("{:.0}", one.elo),
        one.turns.to_string(),
        format!("{:.0}", 100.0 * one.mm.actual),
        format!("{:.0}", 100.0 * one.mm.projected),
        format!("{:.0}", 1000.0 * one.ad.actual),
        format!("{:.0}", 1000.0 * one.ad.projected),
        z(one.adjusted.map(|z| z.z_mm)),
        z(one.adjusted.map(|z| z.z_ad)),
        match one.label {
            Label::TooFewTurns => "too few".to_owned(),
            Label::OutsideCalibration => "outside".to_owned(),
            label => label.to_string(),
        },
    ]
}

/// A row of the full list.
#[must_use]
pub(crate) fn full_row(one: &Screened) -> Vec<String> {
    vec![
        one.player.clone(),
        one.label.to_string(),
        format!("{:.0}", one.elo),
        one.games.to_string(),
        one.turns.to_string(),
        format!("{:.1}", 100.0 * one.mm.actual),
        format!("{:.1}", 100.0 * one.mm.projected),
        format!("{:.1}", 100.0 * one.equal.actual),
        format!("{:.3}", one.ad.actual),
        format!("{:.3}", one.ad.projected),
        z(one.adjusted.map(|z| z.z_mm)),
        z(one.adjusted.map(|z| z.z_ad)),
    ]
}

fn z(z: Option<f64>) -> String {
    z.map_or("-".to_owned(), |z| format!("{z:+.2}"))
}

/// The header of the table of a player's events.
pub(crate) const EVENTS: [&str; 9] = [
    "event", "Elo", "games", "turns", "mm %", "exp.", "ad", "exp.", "z mm, ad",
];

/// A row of that table.
#[must_use]
pub(crate) fn event_row(event: &EventResult) -> Vec<String> {
    vec![
        event.event.clone(),
        format!("{:.0}", event.elo),
        event.games.to_string(),
        event.turns.to_string(),
        format!("{:.1}", 100.0 * event.mm.actual),
        format!("{:.1}", 100.0 * event.mm.projected),
        format!("{:.3}", event.ad.actual),
        format!("{:.3}", event.ad.projected),
        event.adjusted.map_or("-".to_owned(), |adjusted| {
            format!("{:+.2} {:+.2}", adjusted.z_mm, adjusted.z_ad)
        }),
    ]
}

/// The thresholds and the reason for them.
#[must_use]
pub fn thresholds(answer: &Answer) -> String {
    let thresholds = answer.thresholds;
    if thresholds.players == 0 {
        return "No player could be screened: a label needs enough turns and a rating within the calibration.".to_owned();
    }
    let players = counted(thresholds.players as u64, "player", "players");
    let from = format!(
        "{players} screened. A player is to be watched from an adjusted z of {:.2} on, and to be tested in full from {:.2} on",
        thresholds.watch, thresholds.full_test
    );
    let Some([watch, full_test]) = thresholds.by_tail else {
        return format!(
            "{from}; the calibration knows too few honest players to say how rarely they get there."
        );
    };
    let seen = match thresholds.chances {
        [Some(_), Some(_)] => "",
        _ => {
            " So rare a z is beyond what that many players can show: it is extrapolated from their tail."
        }
    };
    format!(
        "{from}. By the z of {} honest players, a list of this many honest players has somebody to watch in {} of cases, \
         and somebody to test in full in {}.{seen}",
        answer.scatter.players,
        percent(watch),
        percent(full_test)
    )
}

/// A small probability as a percentage.
pub(crate) fn percent(chance: f64) -> String {
    match 100.0 * chance {
        it if it >= 1.0 => format!("{it:.0} %"),
        it => format!("{it:.2} %"),
    }
}

/// What the sample could have shown, in a sentence.
#[must_use]
pub fn smallest_effect(one: &Screened) -> String {
    let effect = one.smallest_effect;
    let often = format!("{:.0} % of the time", 100.0 * effect.power);
    let elo = effect.elo.map_or(String::new(), |elo| {
        format!(", or play {elo:.0} Elo above the rating")
    });
    match effect.engine_share {
        Some(share) => format!(
            "These turns could have shown, {often}, somebody who plays the engine's first move instead of their own \
             at {:.0} % of the turns{elo}; anything smaller would mostly go unseen.",
            100.0 * share
        ),
        None => format!(
            "These turns are too few to show, {often}, even somebody who plays the engine's first move at every turn{elo}."
        ),
    }
}

/// Notes on the list as a whole and on single players.
#[must_use]
pub fn notes(answer: &Answer) -> Vec<String> {
    let mut notes = Vec::new();
    let listed = answer.players.iter().map(|listed| &listed.one);
    let tested = listed.clone().filter(|one| one.label.is_tested());
    let shares: Vec<Option<f64>> = tested
        .clone()
        .map(|one| one.smallest_effect.engine_share)
        .collect();
    if let Some(least) = shares.iter().flatten().copied().min_by(f64::total_cmp) {
        let seen = shares.iter().flatten().count();
        notes.push(format!(
            "The smallest effect that could have been seen four times out of five is somebody who plays the engine's \
             first move instead of their own at {:.0} % of the turns; players with fewer turns would have to do \
             so more often.",
            100.0 * least
        ));
        match shares.len() - seen {
            0 => {}
            unseen => notes.push(format!(
                "{} so few turns that not even the engine's first move at every turn would have been seen so often.",
                counted(unseen as u64, "player has", "players have")
            )),
        }
    } else if !shares.is_empty() {
        notes.push(
            "Nobody has enough turns to show, four times out of five, even somebody who plays the engine's first move \
             at every turn."
                .to_owned(),
        );
    }
    let few = listed
        .clone()
        .filter(|one| one.label == Label::TooFewTurns)
        .count();
    if few > 0 {
        notes.push(format!(
            "{} fewer than {FEWEST_SCREENED_TURNS} turns: too few to be tested.",
            counted(few as u64, "player has", "players have")
        ));
    }
    for one in listed.filter(|one| one.label != Label::TooFewTurns) {
        for warning in &one.warnings {
            notes.push(format!("{}: {warning}.", one.player));
        }
    }
    notes
}

/// How many players are not screened, and why.
pub(crate) fn unscreened(answer: &Answer) -> Option<String> {
    let count = answer.unscreened.len() as u64;
    (count > 0).then(|| {
        format!(
            "{} not screened: without a rating or a turn that is used",
            counted(count, "player", "players")
        )
    })
}
