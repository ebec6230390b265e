//! The report at the end of a session, in plain words.

use errare_core::Metric;
use serde::{Deserialize, Serialize};

use super::{
    competence::ApparentCompetence,
    drill::{Drill, drills},
    judgement::moves,
    opponent::DEFAULT_OPPONENT,
    play::Answer,
    rules::EndKind,
    session::{Attempt, Session},
    setup::Task,
    standing::GameValue,
};
use crate::{
    anchor::{self, Anchor},
    model::{Model, ValueRule},
};

/// The result of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Report {
    /// How it ended.
    pub headline: String,
    /// Was the task achieved? None if the session has not ended.
    pub achieved: Option<bool>,
    /// The number of the person's moves on the board.
    pub moves: usize,
    /// The number of moves of perfect play, if defined.
    pub perfect_moves: Option<u16>,
    /// The slips, including those taken back.
    pub slips: Vec<ReportedSlip>,
    /// The number of hints.
    pub hints: usize,
    /// The person's competence inferred from the moves.
    pub competence: ApparentCompetence,
    /// How that competence compares with rated players, where known.
    pub anchor: Option<Anchor>,
    /// The report in sentences, the headline first.
    pub sentences: Vec<String>,
    /// What to practise next, one line each.
    pub next: Vec<String>,
}

/// A slip in a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReportedSlip {
    /// The move number, as in "12. Qe1+" or "12... Kf6".
    pub number: String,
    /// What was wrong with it, and what was better.
    pub words: String,
    /// Did it change the value?
    pub value_lost: bool,
    /// The number of the winner's moves that it ceded, if it did not.
    pub ceded: Option<u16>,
    /// The ply to return to for another try.
    pub ply: usize,
    /// The position.
    pub fen: String,
}

/// The report on a session in its current state. With `kept`, slips come back for review from a
/// history.
pub fn report(answer: &Answer, kept: bool) -> Report {
    let Answer { session, view, .. } = answer;
    let end = session.end.as_ref();
    let achieved = end.map(|end| achieved(session.setup.task, end.result));
    let headline = match end {
        Some(end) => end.words.clone(),
        None => "The game is not over; you can resume it.".to_owned(),
    };
    let own = session.own_moves().count();
    let start = view.curve.first();
    let perfect_moves = start.and_then(|start| match session.setup.task {
        Task::Win if session.setup.metric != Metric::Dtr => start.moves,
        _ => None,
    });
    let slips: Vec<ReportedSlip> = session.slips().map(reported).collect();
    let mut sentences = vec![headline.clone()];
    sentences.extend(given_away(answer));
    sentences.extend(length(
        session,
        own,
        perfect_moves,
        start.and_then(|start| start.moves),
    ));
    sentences.push(slip_words(&slips, view.ceded));
    if !session.hints.is_empty() {
        let hinted = count(session.hints.len(), "hint", "hints");
        sentences.push(format!(
            "You asked for {hinted}; moves after a hint do not count."
        ));
    }
    sentences.push(view.competence.words.clone());
    let model = Model {
        metric: session.setup.metric,
        kappa: session.setup.kappa().unwrap_or_default(),
    };
    let estimate = view.competence.estimate.as_ref();
    let anchor =
        estimate.and_then(|estimate| anchor::of_estimate(estimate, &model, ValueRule::Risk));
    sentences.extend(
        anchor
            .iter()
            .map(|anchor| format!("For comparison: {}.", anchor.text)),
    );
    Report {
        headline,
        achieved,
        moves: own,
        perfect_moves,
        next: next(session, achieved, &slips, kept),
        slips,
        hints: session.hints.len(),
        competence: view.competence.clone(),
        anchor,
        sentences,
    }
}

fn achieved(task: Task, result: GameValue) -> bool {
    match task {
        Task::Win => result == GameValue::Win,
        Task::Hold | Task::Resist => result >= GameValue::Draw,
    }
}

/// The value given away when the game ended by resigning or a draw.
fn given_away(Answer { session, view, .. }: &Answer) -> Option<String> {
    let end = session.end.as_ref()?;
    if end.kind == EndKind::Held || view.standing.value <= end.result {
        return None;
    }
    let lost = match view.standing.value {
        GameValue::Win => "won",
        _ => "drawn",
    };
    Some(match end.kind {
        EndKind::Agreed | EndKind::Resigned => {
            format!("The position was still {lost}: you gave that away.")
        }
        _ => format!("The position was still {lost}."),
    })
}

fn length(
    session: &Session,
    own: usize,
    perfect: Option<u16>,
    start: Option<u16>,
) -> Option<String> {
    let finished = session.end.is_some();
    match session.setup.task {
        Task::Win => perfect.map(|perfect| match finished {
            true => format!(
                "You made {}; perfect play takes {}.",
                count(own, "move", "moves"),
                moves(perfect)
            ),
            false => format!(
                "You have made {}; perfect play takes {} from the start.",
                count(own, "move", "moves"),
                moves(perfect)
            ),
        }),
        Task::Hold => {
            let held = session.end.as_ref();
            let held = held.is_some_and(|end| achieved(Task::Hold, end.result));
            let moves = count(own, "move", "moves");
            Some(match held {
                true => format!("You held the draw for {moves}."),
                false => format!("You made {moves}."),
            })
        }
        Task::Resist => start.map(|start| {
            format!(
                "You held out for {}; against perfect play the longest is {}.",
                count(own, "move", "moves"),
                moves(start)
            )
        }),
    }
}

fn slip_words(slips: &[ReportedSlip], ceded: u32) -> String {
    let thrown = slips.iter().filter(|slip| slip.value_lost).count();
    let thrown_words = match thrown {
        0 => String::new(),
        1 => ", and one of them changed the result".to_owned(),
        _ => format!(", and {thrown} of them changed the result"),
    };
    let ceded_words = match ceded {
        0 => String::new(),
        ceded => format!(
            " that ceded {} of depth",
            count(ceded as usize, "move", "moves")
        ),
    };
    match slips.len() {
        0 => "No slips.".to_owned(),
        1 if thrown == 1 => "One slip, which changed the result.".to_owned(),
        1 => format!("One slip{ceded_words}."),
        number => format!("{number} slips{ceded_words}{thrown_words}."),
    }
}

fn reported(attempt: &Attempt) -> ReportedSlip {
    let fields: Vec<&str> = attempt.fen.split(' ').collect();
    let number = fields.get(5).copied().unwrap_or("1");
    let dots = if fields.get(1) == Some(&"b") {
        "..."
    } else {
        "."
    };
    ReportedSlip {
        number: format!("{number}{dots} {}", attempt.san),
        words: attempt.judgement.sentence(),
        value_lost: attempt.judgement.loses_value(),
        ceded: attempt.judgement.ceded,
        ply: attempt.ply,
        fen: attempt.fen.clone(),
    }
}

/// What to practise next.
fn next(
    session: &Session,
    achieved: Option<bool>,
    slips: &[ReportedSlip],
    kept: bool,
) -> Vec<String> {
    let endgame = session.setup.endgame;
    let mut next = Vec::new();
    if kept && !slips.is_empty() {
        let them = if slips.len() == 1 { "it" } else { "them" };
        next.push(format!(
            "{} for review, from tomorrow on: try {them} again then.",
            count(slips.len(), "slip comes back", "slips come back")
        ));
    }
    match (achieved, slips.is_empty()) {
        (Some(false), true) => next.push("The same start again.".to_owned()),
        (Some(false), false) => {
            next.push("The same start again, or try again from the slip.".to_owned());
        }
        _ => {}
    }
    let others = drills().iter().filter(|drill| {
        drill.endgame() == endgame && session.setup.drill.as_ref() != Some(&drill.name)
    });
    let names: Vec<String> = others.map(|drill: &Drill| drill.name.clone()).collect();
    if !names.is_empty() {
        next.push(format!("Other drills of {endgame}: {}.", names.join(", ")));
    }
    if achieved == Some(true) {
        let hinted = !session.hints.is_empty();
        next.push(match session.setup.task {
            _ if !slips.is_empty() => {
                format!("Another start of {endgame} at this depth, until no slip is left.")
            }
            _ if hinted => "The same start again, without a hint.".to_owned(),
            Task::Win => format!("No slip: take a deeper start of {endgame}, or a harder level."),
            Task::Hold | Task::Resist if session.setup.opponent == DEFAULT_OPPONENT => {
                format!("No slip: take a harder start of {endgame}.")
            }
            Task::Hold | Task::Resist => {
                format!("No slip: take a harder start of {endgame}, or the Predator.")
            }
        });
    }
    next
}

/// "1 move", "3 moves".
fn count(number: usize, one: &str, many: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        _ => format!("{number} {many}"),
    }
}
