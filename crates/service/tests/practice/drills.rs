//! The promises of the drills, checked against the tables.

use errare_core::Metric;
use errare_service::practice::{GameValue, Request, Start, Task, begin, drills};

use crate::service;

/// All of them, including those with five men: Lucena, Philidor, Vancura, the short side (KRPKR) and Troitsky's
/// line (KNNKP).
#[test]
fn drills_are_won_held_or_lost_as_they_say() {
    let mut wrong = Vec::new();
    for drill in drills() {
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
        } else if value == GameValue::Win && view.standing.moves > Some(50) {
            wrong.push(format!("{told}: too long"));
        }
        println!("{}: {}", drill.name, view.standing_words);
        assert_eq!(session.setup.drill.as_deref(), Some(drill.name.as_str()));
        assert!(!drill.instruction.is_empty() && !drill.goal.is_empty());
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
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
        "kbnk-mate",
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
