//! Typical sessions.

use errare_service::practice::{
    Act, Answer, Claim, EndKind, Event, GameValue, Session, Task, Until, report,
};

use crate::{doing, from, playing, refused, service, verdict};

/// White wins if the king goes first: Ke4.
const PAWN: &str = "8/4k3/8/8/8/3K4/4P3/8 w - - 0 1";
/// Only Ke7 holds for Black.
const HELD: &str = "8/3k4/8/3KP3/8/8/8/8 b - - 0 1";
/// White wins in 16; Qa8+ cedes three moves, Ke5 is best.
const QUEEN: &str = "4k3/8/3r4/8/4K3/8/8/Q7 w - - 0 1";

#[test]
fn a_thrown_win_is_the_worst_error() {
    let answer = from(PAWN, "best");
    assert_eq!(answer.session.setup.task, Task::Win);
    let thrown = playing(&answer, &["e4"]);
    let words = verdict(&thrown);
    assert_eq!(words, "e4 throws the win away: now a draw; Ke4 was best");
    assert_eq!(thrown.view.value_losses, 1);
    let competence = &thrown.view.competence;
    let estimate = competence.estimate.expect("a thrown win counts");
    assert!(estimate.high < 50.0, "{competence:?}");
    assert!(competence.words.contains("c = "), "{}", competence.words);
}

#[test]
fn ceded_depth_in_words() {
    let answer = from(QUEEN, "best");
    assert_eq!(answer.view.standing.moves, Some(16));
    let moved = playing(&answer, &["qa8"]);
    let words = verdict(&moved);
    assert_eq!(
        words,
        "Qa8+ still wins, but takes 19 moves instead of 16; Ke5 was best"
    );
    assert_eq!(moved.view.curve.len(), 3);
}

#[test]
fn hinted_moves_and_second_tries_do_not_count() {
    let answer = from(QUEEN, "best");
    let mut hints = Vec::new();
    let mut hinted = answer.clone();
    for level in 1..=3 {
        hinted = doing(&hinted, Act::Hint);
        let [Event::Hinted(hint)] = &hinted.events[..] else {
            panic!("{:?}", hinted.events)
        };
        assert_eq!(
            (hint.level, hint.to.is_some(), hint.line.is_empty()),
            (level, level > 1, level < 3)
        );
        hints.push(hint.clone());
    }
    assert!(
        hints[0].words.starts_with("Look at the king on e4"),
        "{}",
        hints[0].words
    );
    let text = hints[2].line[0].clone();
    let moved = doing(&hinted, Act::Move { text });
    assert_eq!(moved.view.competence.moves, 0);
    assert!(
        moved.view.competence.words.contains("after a hint"),
        "{}",
        moved.view.competence.words
    );
    // A slip, and the same turn again.
    let slipped = playing(&answer, &["Qa8"]);
    let again = playing(&doing(&slipped, Act::Retry { ply: None }), &["Ke5"]);
    assert_eq!(again.view.competence.moves, 1);
    assert_eq!(again.session.attempts.len(), 2);
    assert_eq!(
        again.view.competence.estimate,
        slipped.view.competence.estimate
    );
    // A hinted turn stays hinted, even after a move is taken back.
    let back = playing(&doing(&moved, Act::TakeBack), &["Qa8"]);
    assert_eq!(back.view.competence.moves, 0);
}

#[test]
fn stalemate_is_told() {
    let answer = from("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1", "best");
    let drawn = playing(&answer, &["Qf7"]);
    let end = drawn.session.end.as_ref().unwrap();
    assert_eq!(
        (end.kind, end.result),
        (EndKind::Stalemate, GameValue::Draw)
    );
    assert_eq!(
        verdict(&drawn),
        "Qf7 is stalemate: the win is gone; Qf8# was best"
    );
    // After that, only going back is possible.
    assert!(refused(&drawn, Act::Hint).contains("the game is over (Stalemate"));
    let won = playing(&doing(&drawn, Act::TakeBack), &["qf8"]);
    assert_eq!(won.session.end.as_ref().unwrap().kind, EndKind::Mate);
    assert_eq!(won.session.end.unwrap().words, "Checkmate: you have won.");
}

#[test]
fn a_capture_that_mates_is_mate() {
    let answer = from("k1r5/8/KQ6/8/8/8/8/8 w - - 0 1", "best");
    let won = playing(&answer, &["Qb7"]);
    assert_eq!(won.session.end.unwrap().kind, EndKind::Mate);
    let answer = from("1r5k/8/6K1/8/8/1Q6/8/8 w - - 0 1", "best");
    let won = playing(&answer, &["qb8"]);
    let end = won.session.end.unwrap();
    assert_eq!(
        (end.kind, end.result),
        (EndKind::Mate, GameValue::Win),
        "{}",
        end.words
    );
}

#[test]
fn a_conversion_ends_the_phase_and_says_so() {
    let answer = from("7k/1P6/8/8/8/8/8/K7 w - - 0 1", "best");
    let won = playing(&answer, &["b8"]);
    let end = won.session.end.as_ref().unwrap();
    assert_eq!((end.kind, end.result), (EndKind::Converted, GameValue::Win));
    assert_eq!(
        end.words,
        "Won: your promotion leads to KQK, which you win."
    );
    // Unless the game goes on to mate.
    let mut to_mate = answer.clone();
    to_mate.session.setup.until = Until::Mate;
    let on = playing(&to_mate, &["b8"]);
    assert!(on.session.end.is_none() && on.view.your_turn);
}

#[test]
fn dead_positions() {
    let answer = from("8/8/8/8/8/5k2/6p1/5K1B w - - 0 1", "best");
    let drawn = playing(&answer, &["Bxg2"]);
    let end = drawn.session.end.unwrap();
    assert_eq!(
        (end.kind, end.result),
        (EndKind::DeadPosition, GameValue::Draw)
    );
}

#[test]
fn the_fifty_move_rule_is_in_force() {
    // The defender claims as soon as it may.
    let answer = from("8/8/8/3k4/8/8/8/2B1KB2 w - - 98 80", "best");
    assert_eq!(answer.view.clock.in_time, Some(false));
    assert_eq!(
        answer.view.clock.words.as_deref(),
        Some("The 50-move rule leaves only 1 move: best defence gets a draw")
    );
    let drawn = playing(&answer, &["Kd2"]);
    assert!(drawn.session.end.is_none());
    let drawn = playing(&drawn, &["Be2"]);
    let end = drawn.session.end.unwrap();
    assert_eq!(
        (end.kind, end.result),
        (EndKind::FiftyMoves, GameValue::Draw)
    );
    assert!(
        end.words
            .starts_with("Your opponent claims a draw: 50 moves"),
        "{}",
        end.words
    );
    // A person who defends must claim it.
    let answer = from("8/8/8/3k4/8/8/8/2B1KB2 b - - 98 80", "best");
    assert!(refused(&answer, Act::ClaimDraw).contains("nothing to claim"));
    let on = playing(&answer, &["Kd4"]);
    assert_eq!(on.view.claim, Some(Claim::FiftyMoves));
    assert_eq!(
        on.view.clock.words.as_deref(),
        Some("50 moves have passed without a capture or a pawn move: a draw can be claimed")
    );
    let told = on
        .events
        .iter()
        .any(|event| matches!(event, Event::ClaimPossible { .. }));
    assert!(told);
    let claimed = doing(&on, Act::ClaimDraw);
    assert_eq!(claimed.session.end.unwrap().kind, EndKind::FiftyMoves);
}

/// If the winner repeats the position, the opponent claims; the worse side may claim.
#[test]
fn threefold_repetition_is_in_force() {
    let winning = from("8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", "best:ties=first");
    let mut answer = winning.clone();
    while answer.session.end.is_none() {
        let back = answer.session.own_moves().count() % 2 == 1;
        let text = if back { "Ke1" } else { "Kd1" };
        assert!(
            answer.session.own_moves().count() < 60,
            "the position recurs"
        );
        answer = playing(&answer, &[text]);
    }
    let end = answer.session.end.unwrap();
    assert_eq!(
        (end.kind, end.result),
        (EndKind::Threefold, GameValue::Draw)
    );
    assert_eq!(
        end.words,
        "Your opponent claims a draw: the position has occurred three times."
    );
    // Two knights play on for ever, and the person holding the draw may claim it.
    let mut answer = from("8/8/8/3k4/8/8/8/1N2KN2 b - - 0 1", "best:ties=first");
    answer.session.setup.hold_moves = 100;
    while answer.view.claim.is_none() {
        let back = answer.session.own_moves().count() % 2 == 1;
        answer = playing(&answer, &[if back { "Kd5" } else { "Kd6" }]);
    }
    assert_eq!(answer.view.claim, Some(Claim::Threefold));
    let claimed = doing(&answer, Act::ClaimDraw);
    assert_eq!(claimed.session.end.unwrap().kind, EndKind::Threefold);
}

/// The report suggests no slip that was not made, and promises no review if no history is kept.
#[test]
fn reports_are_true() {
    let start = from(PAWN, "best");
    let resigned = doing(&start, Act::Resign);
    let next = |answer: &Answer, kept: bool| report(answer, kept).next.join(" ");
    assert!(next(&resigned, true).contains("The same start again."));
    assert!(
        !next(&resigned, true).contains("slip"),
        "{}",
        next(&resigned, true)
    );
    let said = |answer: &Answer| report(answer, false).sentences.join(" ");
    assert!(said(&resigned).contains("The position was still won: you gave that away."));
    let slipped = doing(&playing(&start, &["e4"]), Act::Resign);
    assert!(said(&slipped).contains("The position was still drawn: you gave that away."));
    assert!(next(&slipped, true).contains("1 slip comes back for review"));
    assert!(!next(&slipped, false).contains("comes back"));
    // One move says too little about a competence for a comparison.
    let said = report(&slipped, false);
    assert!(
        said.competence.estimate.is_some() && said.anchor.is_none(),
        "{said:?}"
    );
    assert!(
        said.competence
            .words
            .ends_with("from 1 choice: too few to say much.")
    );
    // The cost of slips is the sum over those listed, including second tries.
    let back = |answer: &Answer| doing(answer, Act::TakeBack);
    let queen = from(QUEEN, "best");
    let twice = back(&playing(&back(&playing(&queen, &["Qa8"])), &["Qh1"]));
    let said = report(&twice, false);
    let ceded: u16 = said.slips.iter().filter_map(|slip| slip.ceded).sum();
    assert!(ceded > 3 && said.slips.len() == 2, "{said:?}");
    let words = format!("2 slips that ceded {ceded} moves of depth.");
    assert!(said.sentences.contains(&words), "{said:?}");
}

#[test]
fn draws_are_offered_and_declined() {
    let winning = from("8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", "best");
    // A single unintended draw offer does not give a win away.
    let doubted = doing(&winning, Act::OfferDraw);
    assert!(
        matches!(&doubted.events[..], [Event::DrawDoubted { words }] if words.contains("again"))
    );
    assert!(doubted.session.end.is_none());
    let later = playing(&doubted, &["Kd2"]);
    let doubted_again = doing(&later, Act::OfferDraw);
    assert!(
        doubted_again.session.end.is_none(),
        "the turn was another one"
    );
    let agreed = doing(&doubted, Act::OfferDraw);
    assert_eq!(agreed.session.end.unwrap().kind, EndKind::Agreed);
    let losing = from("8/8/8/3k4/8/8/8/2B1KB2 b - - 0 1", "best");
    assert_eq!(losing.session.setup.task, Task::Resist);
    let declined = doing(&losing, Act::OfferDraw);
    assert!(
        matches!(&declined.events[..], [Event::DrawDeclined { words }] if words.contains("winning"))
    );
    assert!(declined.session.end.is_none());
    let resigned = doing(&losing, Act::Resign);
    assert_eq!(resigned.session.end.unwrap().result, GameValue::Loss);
}

#[test]
fn a_drawn_position_is_held() {
    let mut answer = from(HELD, "predator");
    assert_eq!(answer.session.setup.task, Task::Hold);
    answer.session.setup.hold_moves = 3;
    while answer.session.end.is_none() {
        let hinted = doing(&doing(&doing(&answer, Act::Hint), Act::Hint), Act::Hint);
        let [Event::Hinted(hint)] = &hinted.events[..] else {
            panic!()
        };
        answer = playing(&hinted, &[&hint.line[0]]);
    }
    // A person who needed a hint on every move is not sent on to harder drills.
    let next = report(&answer, false).next.join(" ");
    assert!(next.contains("without a hint"), "{next}");
    let end = answer.session.end.unwrap();
    assert_eq!((end.kind, end.result), (EndKind::Held, GameValue::Draw));
}

/// A session stored as JSON resumes as if nothing had happened, whoever the opponent is.
#[test]
fn sessions_survive_storage() {
    for opponent in [
        "predator",
        "best",
        "rep:c=5",
        "rep:c=5,value=risk",
        "emulator:c=10",
    ] {
        let mut kept = from("8/8/8/3k4/8/8/8/2B1KB2 w - - 0 1", opponent);
        let mut stored = kept.clone();
        for _ in 0..4 {
            let text = kept.session.own_moves().count();
            let text = ["Kd2", "Be2", "Ke3", "Bd3"][text];
            let Ok(next) = errare_service::practice::act(
                service(),
                &kept.session,
                &Act::Move {
                    text: text.to_owned(),
                },
                &(),
            ) else {
                break;
            };
            kept = next;
            let json = serde_json::to_string(&stored.session).unwrap();
            let session: Session = serde_json::from_str(&json).unwrap();
            assert_eq!(session, stored.session);
            stored.session = session;
            stored = playing(&stored, &[text]);
            assert_eq!(stored.session, kept.session, "{opponent}");
        }
        assert!(kept.session.moves.len() > 2);
    }
}
