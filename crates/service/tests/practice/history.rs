//! The local history.

use std::{sync::Arc, thread};

use errare_service::practice::{
    Act,
    history::{Grade, History, MOST_COLLECTIONS},
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
fn collections_are_found_again_and_those_sent_longest_ago_are_forgotten() {
    let (directory, history) = history();
    let game = |white: &str| format!("[White \"{white}\"]\n[Black \"Bo\"]\n\n1. e4 *\n\n");
    let pgn = game("Ann") + &game("Cy");
    let id = history.keep_collection(&pgn, Some("club.pgn"), 10);
    let id = id.unwrap().expect("there are games");
    let path = directory.path().join("deep/history.sqlite");
    drop(history);
    let history = History::open(path).unwrap();
    let found = history.collection(&id).unwrap().unwrap();
    assert_eq!(found.pgn, pgn);
    assert_eq!(found.summary.title, "Ann – Bo and others");
    // The same games have the same id, and keep the name of their file.
    assert_eq!(
        history.keep_collection(&pgn, None, 20).unwrap(),
        Some(id.clone())
    );
    // Text without a game is not kept.
    assert_eq!(history.keep_collection("no chess", None, 30).unwrap(), None);
    let listed = history.collections().unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!(
        (listed[0].file.as_deref(), listed[0].kept),
        (Some("club.pgn"), 20)
    );
    for number in 1..=MOST_COLLECTIONS as i64 {
        let others = game(&format!("Number {number}"));
        history.keep_collection(&others, None, 20 + number).unwrap();
    }
    let listed = history.collections().unwrap();
    assert_eq!(listed.len(), MOST_COLLECTIONS);
    assert_eq!(listed[0].title, format!("Number {MOST_COLLECTIONS} – Bo"));
    assert_eq!(history.collection(&id).unwrap(), None);
    assert!(history.erase_collection(&listed[0].id).unwrap());
    assert!(!history.erase_collection(&listed[0].id).unwrap());
    history.erase().unwrap();
    assert!(history.collections().unwrap().is_empty());
}

/// A text that alone is larger than all that is kept of others displaces them.
#[test]
fn collections_have_a_size() {
    let history = History::in_memory().unwrap();
    let large = format!("1. e4 *\n{}", " ".repeat(70 << 20));
    history.keep_collection("1. d4 *", None, 1).unwrap();
    history.keep_collection(&large, None, 2).unwrap();
    history.keep_collection("1. c4 *", None, 3).unwrap();
    assert_eq!(history.collections().unwrap().len(), 3);
    history.keep_collection(&(large + " "), None, 4).unwrap();
    let sizes = history.collections().unwrap();
    let sizes: Vec<u32> = sizes.iter().map(|kept| kept.bytes).collect();
    assert_eq!(sizes, [(70 << 20) + 9, 7]);
}

/// A history from before collections were kept.
#[test]
fn an_older_history_goes_on() {
    let (directory, history) = history();
    let played = playing(&from(PAWN, "best"), &["e4"]);
    history.save(&played, 10).unwrap();
    drop(history);
    let path = directory.path().join("deep/history.sqlite");
    let connection = rusqlite::Connection::open(&path).unwrap();
    connection
        .execute_batch("DROP TABLE collection; PRAGMA user_version = 1;")
        .unwrap();
    drop(connection);
    let history = History::open(path).unwrap();
    assert_eq!(history.slips().unwrap().len(), 1);
    history.keep_collection("1. e4 *", None, 20).unwrap();
    assert_eq!(history.collections().unwrap()[0].title, "unnamed players");
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
