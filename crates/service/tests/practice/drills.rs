//! What the drills promise, held against the tables.

use errare_core::Metric;
use errare_service::practice::{Drill, GameValue, Request, Start, Task, begin, drills};

use crate::service;

fn check(wanted: &dyn Fn(&Drill) -> bool) {
    let mut wrong = Vec::new();
    for drill in drills().iter().filter(|drill| wanted(drill)) {
        let request = Request {
            metric: Some(Metric::Dtc),
            opponent: Some("best".to_owned()),
            seed: Some(1),
            ..Request::new(Start::Drill {
                name: drill.name.clone(),
            })
        };
        let answer = begin(service(), &request, &()).unwrap();
        let (session, view) = (&answer.session, &answer.view);
        let value = match drill.task {
            Task::Win => GameValue::Win,
            Task::Hold => GameValue::Draw,
            Task::Resist => GameValue::Loss,
        };
        let told = format!("{}: {} {:?}", drill.name, view.standing_words, view.clock);
        if view.standing.value != value || session.setup.task != drill.task || !view.your_turn {
            wrong.push(told);
        } else if view.clock.in_time == Some(false) {
            wrong.push(format!("{told}: too long"));
        }
        println!("{}: {}", drill.name, view.standing_words);
        assert_eq!(session.setup.drill.as_deref(), Some(drill.name.as_str()));
        assert!(!drill.instruction.is_empty() && !drill.goal.is_empty());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn drills_of_up_to_four_men() {
    check(&|drill| drill.endgame().men() <= 4);
}

/// Lucena, Philidor, Vancura, the short side: KRPKR and all that it leads to.
#[test]
#[ignore = "builds KRPKR, which takes a minute or more"]
fn drills_with_rooks_and_a_pawn() {
    check(&|drill| drill.endgame().to_string() == "KRPKR");
}

/// Troitsky's line.
#[test]
#[ignore = "builds KNNKP, which takes minutes"]
fn drills_with_two_knights() {
    check(&|drill| drill.endgame().to_string() == "KNNKP");
}

#[test]
fn names_are_unique_and_unknown_ones_are_refused() {
    let mut names: Vec<&str> = drills().iter().map(|drill| drill.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), drills().len());
    for wanted in [
        "lucena",
        "philidor",
        "vancura",
        "short-side",
        "kpk-opposition",
        "kpk-key-squares",
        "kbnk-corner",
        "kqkr-third-rank",
        "kqkp-seventh",
        "kbbk",
        "troitsky",
        "krkp",
    ] {
        assert!(names.contains(&wanted), "{wanted}");
    }
    let request = Request::new(Start::Drill {
        name: "lucerne".to_owned(),
    });
    let error = begin(service(), &request, &()).unwrap_err().to_string();
    assert!(error.contains("lucena, philidor"), "{error}");
}
