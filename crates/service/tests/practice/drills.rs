//! What the drills promise, held against the tables.

use std::env;

use errare_core::{Colour, Metric, parse_position};
use errare_service::practice::{Drill, GameValue, Request, Start, Task, begin, drills};
use errare_testing::skip;
use shakmaty::Position;

use crate::service;

/// The variable that asks for tests that take minutes.
const LONG: &str = "ERRARE_LONG_TESTS";

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
fn drills_of_up_to_four_men() {
    check(&|drill| drill.endgame().men() <= 4);
}

/// Lucena, Philidor, Vancura, the short side (KRPKR), Troitsky's line (KNNKP): their tables take minutes to build, so that this is
/// done only where it is asked for; elsewhere the drills are looked at without tables.
#[test]
fn drills_of_five_men() {
    let five_men = |drill: &Drill| drill.endgame().men() == 5;
    if env::var_os(LONG).is_some() {
        return check(&five_men);
    }
    skip(&format!(
        "tables of five men take minutes; {LONG}=1 checks the drills against them"
    ));
    for drill in drills().iter().filter(|drill| five_men(drill)) {
        let position = parse_position(&drill.fen).expect("a position");
        assert_eq!(Colour::from(position.turn()), drill.side, "{}", drill.name);
        assert!(!position.is_game_over() && !drill.goal.is_empty());
    }
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
