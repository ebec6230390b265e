//! Slips in words and as PGN's numeric annotation glyphs, by one set of rules: [`RULES`] in words,
//! [`assessment`] in code.
//!
//! A move gets at most one assessment from us. Depth ceded by the loser counts too: the game is lost sooner than
//! necessary.

use errare_core::{Mark, Metric};
use errare_endgame::MoveReport;
use errare_service::practice::{GameValue, MISTAKE, Standing, better_words, cost_words};

/// The number of legal moves from which finding the only good one is an achievement.
const CHOICE: usize = 5;

/// The PGN assessments that we give, with their signs and conditions.
pub const RULES: [(&str, &str, &str); 5] = [
    (
        "$4",
        "??",
        "the move changes the result: a win becomes a draw or a loss, or a draw a loss",
    ),
    (
        "$2",
        "?",
        "it keeps the result and cedes five of the winner's moves or more",
    ),
    (
        "$6",
        "?!",
        "it keeps the result and cedes one to four moves",
    ),
    (
        "$1",
        "!",
        "it is the only one of five or more legal moves that keeps the result",
    ),
    (
        "$7",
        "□",
        "it is the only legal move, or the only one of two to four legal moves that keeps the result",
    ),
];

/// The rules for a help text, one line each.
pub fn rules() -> String {
    let line = |(nag, sign, when)| format!("{nag} {sign:2}  {when}");
    RULES.map(line).join("\n")
}

/// The assessment of a move, from the moves it cedes (`None` if it changes the result), how forced it was, and the number
/// of legal moves; `None` if there is nothing to say.
pub fn assessment(ceded: Option<u16>, mark: Option<Mark>, legal: usize) -> Option<u8> {
    match (ceded, mark) {
        (None, _) => Some(4),
        (Some(MISTAKE..), _) => Some(2),
        (Some(1..), _) => Some(6),
        (Some(0), Some(Mark::OnlyLegal)) => Some(7),
        (Some(0), Some(Mark::OnlyPreserving)) if legal >= CHOICE => Some(1),
        (Some(0), Some(Mark::OnlyPreserving)) => Some(7),
        _ => None,
    }
}

/// The sign of an assessment.
pub fn sign(assessment: u8) -> &'static str {
    let nag = format!("${assessment}");
    let rule = RULES.iter().find(|rule| rule.0 == nag);
    rule.map_or("", |rule| rule.1)
}

/// What a move cost, in words: "Qe1+ still wins, but takes 24 moves instead of 22; Kc7 was best". `None` if it cost nothing.
pub fn words(report: &MoveReport, metric: Metric) -> Option<String> {
    let after = report.depth_after.unwrap_or(0);
    let ceded = report.ceded.unwrap_or(0);
    let value = |value| match value {
        1 => GameValue::Win,
        0 => GameValue::Draw,
        _ => GameValue::Loss,
    };
    // The winner's own move is one of those that the win takes; what the loser cedes, the best move would have left.
    let [best, now] = match report.value_after {
        1 => {
            let now = after + u16::from(metric != Metric::Dtr);
            [now.saturating_sub(ceded), now]
        }
        _ => [after + ceded, after],
    };
    let standing = |value, moves| Standing {
        value,
        moves: Some(moves),
    };
    let standings = [
        standing(value(report.value_before), best),
        standing(value(report.value_after), now),
    ];
    let cost = cost_words(&report.san, standings, metric)?;
    let better = better_words(&report.optimal, report.value_before == 0);
    Some(format!("{cost}; {better}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A move of White: values and depths before and after, and the moves it cedes.
    fn report([before, after]: [i32; 2], depths: [u16; 2], ceded: Option<u16>) -> MoveReport {
        serde_json::from_value(json!({
            "ply": 1, "number": 1, "color": "white", "endgame": "KQKR", "fen": "", "san": "Qe1+", "legal": 9,
            "mark": null, "value_before": before, "value_after": after, "depth_before": depths[0],
            "depth_after": depths[1], "ceded": ceded, "total_ceded": 0, "optimal": ["Kc7"], "better": [],
            "competence": null, "competence_interval": null,
        }))
        .unwrap()
    }

    #[test]
    fn assessments_follow_the_rules() {
        let only = Some(Mark::OnlyPreserving);
        for (ceded, mark, legal, expected) in [
            (None, None, 9, Some(4)),
            (Some(5), None, 9, Some(2)),
            (Some(4), None, 9, Some(6)),
            (Some(0), only, 5, Some(1)),
            (Some(0), only, 4, Some(7)),
            (Some(0), Some(Mark::OnlyLegal), 1, Some(7)),
            (Some(0), Some(Mark::OnlyOptimal), 9, None),
        ] {
            let given = assessment(ceded, mark, legal);
            assert_eq!(given, expected, "{ceded:?} {mark:?} of {legal}");
        }
    }

    /// The documentation states the same rules.
    #[test]
    fn the_rules_are_documented() {
        let page = include_str!("../../../docs/reference-players.md");
        for (nag, sign, when) in RULES {
            let row = format!("| `{nag}` | {sign} | {when} |");
            assert!(page.contains(&row), "{row}");
        }
    }

    #[test]
    fn slips_are_told_in_words() {
        let says = |report: MoveReport| words(&report, Metric::Dtc);
        for (report, expected) in [
            (
                report([1, 1], [22, 23], Some(2)),
                "Qe1+ still wins, but takes 24 moves instead of 22; Kc7 was best",
            ),
            (
                report([1, 0], [23, 0], None),
                "Qe1+ throws the win away: now a draw; Kc7 was best",
            ),
            (
                report([0, -1], [0, 7], None),
                "Qe1+ throws the draw away: now lost in 7 moves; Kc7 holds the draw",
            ),
            (
                report([-1, -1], [9, 7], Some(2)),
                "Qe1+ loses in 7 instead of 9 moves; Kc7 was best",
            ),
        ] {
            assert_eq!(says(report).as_deref(), Some(expected));
        }
        assert_eq!(says(report([1, 1], [23, 22], Some(0))), None);
    }
}
