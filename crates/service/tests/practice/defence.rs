//! Defence can be practised: opponents that may throw their result away, and the Predator as attacker.

use errare_core::{Metric, parse_position};
use errare_endgame::Oracle;
use errare_service::practice::{Act, Answer, Event, GameValue, Task};
use errare_tables::Prober;

use crate::{doing, from, playing, service};

/// Plays the first move of the line in the third hint.
fn best(answer: &Answer) -> Answer {
    let mut hinted = answer.clone();
    let line = loop {
        hinted = doing(&hinted, Act::Hint);
        let Some(Event::Hinted(hint)) = hinted.events.first() else {
            panic!("{:?}", hinted.events)
        };
        if let Some(first) = hint.line.first() {
            break first.clone();
        }
    };
    playing(&hinted, &[&line])
}

/// Black has a rook against a careless queen: a good defence gets away.
#[test]
fn a_good_defence_succeeds_against_a_careless_attacker() {
    let mut answer = from("8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1", "rep:c=4,value=risk");
    assert_eq!(answer.session.setup.task, Task::Resist);
    for _ in 0..60 {
        if answer.session.end.is_some() || answer.view.standing.value > GameValue::Loss {
            break;
        }
        answer = best(&answer);
    }
    let value = answer
        .session
        .end
        .as_ref()
        .map_or(answer.view.standing.value, |end| end.result);
    assert!(value > GameValue::Loss, "{:?}", answer.view);
    let erred = answer
        .session
        .moves
        .iter()
        .any(|played| !played.yours && played.judgement.loses_value());
    assert!(erred);
}

/// An attacker that keeps its result never lets go.
#[test]
fn a_careful_attacker_keeps_the_win() {
    let mut answer = from("8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1", "rep:c=4");
    for _ in 0..10 {
        if answer.session.end.is_some() {
            break;
        }
        answer = best(&answer);
        assert_eq!(answer.view.standing.value, GameValue::Loss);
    }
}

/// In Philidor's position White could shuffle back and forth: the Predator tries something new instead, for
/// twenty moves.
#[test]
fn the_predator_does_not_repeat() {
    let mut answer = from("4k3/7R/r7/4PK2/8/8/8/8 b - - 0 1", "predator");
    while answer.session.end.is_none() {
        answer = best(&answer);
    }
    let seen = answer.session.moves.iter().filter(|played| !played.yours);
    let mut seen: Vec<&str> = seen
        .map(|played| played.fen.split(' ').next().unwrap())
        .collect();
    let moves = seen.len();
    assert!(moves > 10, "{moves} moves");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), moves);
}

/// In a drawn position the Predator keeps asking questions: each of its moves keeps the draw, and some reply loses.
#[test]
fn the_predator_attacks() {
    let answer = from("8/3k4/8/3KP3/8/8/8/8 b - - 0 1", "predator");
    assert_eq!(answer.session.setup.task, Task::Hold);
    let next = best(&best(&answer));
    let oracle = Oracle::new(Prober::new(service().tables.store().clone()), Metric::Dtc);
    for reply in next.session.moves.iter().filter(|played| !played.yours) {
        assert!(!reply.judgement.loses_value(), "{reply:?}");
        let turn = oracle.turn(&parse_position(&reply.fen).unwrap()).unwrap();
        let mut choices = turn.choices().iter();
        assert!(
            choices.any(|choice| !turn.preserves_value(choice)),
            "{reply:?}"
        );
    }
    let declined = doing(&answer, Act::OfferDraw);
    assert!(
        matches!(&declined.events[..], [Event::DrawDeclined { words }] if words.contains("hopes"))
    );
}
