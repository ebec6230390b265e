//! The local history.

use std::{sync::Arc, thread};

use errare_service::practice::{
    Act,
    history::{Grade, History},
};

use crate::{doing, from, playing, service};

const PAWN: &str = "8/4k3/8/8/8/3K4/4P3/8 w - - 0 1";
const DAY: i64 = 86_400;

fn history() -> (tempfile::TempDir, History) {
    let directory = tempfile::tempdir().unwrap();
    let history = History::open(directory.path().join("deep/history.sqlite")).unwrap();
    (directory, history)
}

#[test]
fn slips_come_back_by_fsrs() {
    let (_directory, history) = history();
    let slipped = playing(&from(PAWN, "best"), &["e4"]);
    let now = slipped.session.begun;
    history.save(&slipped, now).unwrap();
    // However often a session is saved, its slip is stored once.
    history.save(&slipped, now + 5).unwrap();
    assert_eq!(history.slips().unwrap().len(), 1);
    assert!(history.due(now).unwrap().is_empty());
    let due = history.due(now + DAY).unwrap();
    let [slip] = &due[..] else { panic!("{due:?}") };
    assert_eq!(
        (slip.fen.as_str(), slip.played.as_str(), slip.value_lost),
        (PAWN, "e4", true)
    );
    // Wrong again: tomorrow. Right: later, and each time later still.
    let wrong = slip.judge(service(), "e4", &()).unwrap();
    assert_eq!(Grade::of(&wrong, false, None), Grade::Again);
    let again = history
        .grade(slip.id, Grade::Again, now + DAY)
        .unwrap()
        .unwrap();
    assert_eq!(again.days, 1);
    let right = slip.judge(service(), "ke4", &()).unwrap();
    assert!(right.optimal, "{right:?}");
    let grade = Grade::of(&right, false, Some(20.0));
    assert_eq!(
        (grade, Grade::of(&right, true, None)),
        (Grade::Good, Grade::Hard)
    );
    let mut time = again.due;
    let mut days = vec![again.days];
    for _ in 0..4 {
        let next = history.grade(slip.id, grade, time).unwrap().unwrap();
        assert!(next.due > time);
        time = next.due;
        days.push(next.days);
    }
    assert!(days.is_sorted() && days[4] > 7, "{days:?}");
    let progress = history.progress(time).unwrap();
    assert_eq!((progress.reviews, progress.recalled), (5, Some(0.8)));
    assert!(history.grade(999, Grade::Good, time).unwrap().is_none());
}

/// Games from one position may go wrong any number of times: the slip comes back, but that is not a review.
#[test]
fn a_slip_in_another_game_is_no_review() {
    let (_directory, history) = history();
    let mut slipped = playing(&from(PAWN, "best"), &["e4"]);
    let mut now = slipped.session.begun;
    history.save(&slipped, now).unwrap();
    let slip = history.due(now + DAY).unwrap().remove(0);
    let learned = history.grade(slip.id, Grade::Easy, now + DAY).unwrap();
    assert!(learned.unwrap().days > 1);
    for game in 2..12 {
        now += 2 * DAY;
        slipped.session.id = format!("game {game}");
        slipped.session.begun = now;
        history.save(&slipped, now + 60).unwrap();
        assert_eq!(history.due(now + 2 * DAY).unwrap().len(), 1, "{game}");
    }
    let progress = history.progress(now).unwrap();
    assert_eq!((progress.reviews, progress.recalled), (1, Some(1.0)));
    assert_eq!(history.slips().unwrap()[0].reviews, 1);
}

#[test]
fn sessions_survive_restarts() {
    let (directory, history) = history();
    let begun = from(PAWN, "best");
    let first = playing(&begun, &["Ke4"]);
    history.save(&first, 10).unwrap();
    drop(history);
    let history = History::open(directory.path().join("deep/history.sqlite")).unwrap();
    assert_eq!(history.unfinished().unwrap(), Some(first.session.clone()));
    assert_eq!(
        history.session(&first.session.id).unwrap(),
        Some(first.session.clone())
    );
    let resigned = doing(&first, Act::Resign);
    history.save(&resigned, 20).unwrap();
    assert_eq!(history.unfinished().unwrap(), None);
    assert_eq!(history.sessions().unwrap(), [resigned.session]);
    history.erase().unwrap();
    assert!(history.sessions().unwrap().is_empty());
}

/// Like two processes, each with its own connection.
#[test]
fn two_at_once_lose_nothing() {
    let (directory, _history) = history();
    let path = Arc::new(directory.path().join("deep/history.sqlite"));
    let template = playing(&from(PAWN, "best"), &["e4"]);
    let writers: Vec<_> = (0..2)
        .map(|writer| {
            let (path, template) = (Arc::clone(&path), template.clone());
            thread::spawn(move || {
                let history = History::open(&*path).unwrap();
                for number in 0..25 {
                    let mut answer = template.clone();
                    answer.session.id = format!("{writer}-{number}");
                    history.save(&answer, number).unwrap();
                }
            })
        })
        .collect();
    writers
        .into_iter()
        .for_each(|writer| writer.join().unwrap());
    let history = History::open(&*path).unwrap();
    assert_eq!(history.sessions().unwrap().len(), 50);
    assert_eq!(history.slips().unwrap().len(), 1);
}

#[test]
fn a_file_that_is_no_history_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("notes.txt");
    std::fs::write(&path, "Remember the milk. ".repeat(100)).unwrap();
    let error = History::open(&path).unwrap_err();
    assert_eq!(
        errare_core::Fault::kind(&error),
        errare_core::FaultKind::Damaged
    );
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .starts_with("Remember")
    );
}
