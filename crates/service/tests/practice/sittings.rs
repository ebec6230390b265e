//! Lines typed at a sitting.

use errare_service::practice::{
    GameSitting, Happening, Request, ReviewSitting, RushRequest, RushSitting, Sitting, Start, Task,
    history::History,
};

use crate::{from, playing, rushes::moves, service};

const PAWN: &str = "8/4k3/8/8/8/3K4/4P3/8 w - - 0 1";

fn request() -> Request {
    Request {
        opponent: Some("best:ties=first".to_owned()),
        seed: Some(7),
        ..Request::new(Start::Position {
            fen: PAWN.to_owned(),
        })
    }
}

/// The names of the happenings caused by a line.
fn typed(sitting: &mut dyn Sitting, line: &str) -> Vec<&'static str> {
    names(&sitting.typed(line, &()).unwrap())
}

fn names(happened: &[Happening]) -> Vec<&'static str> {
    let name = |happening: &Happening| match happening {
        Happening::Began(_) => "began",
        Happening::Event(_) => "event",
        Happening::Turn(_) => "turn",
        Happening::Asked(..) => "asked",
        Happening::Reported(_) => "reported",
        Happening::Ended => "ended",
        Happening::Kept => "kept",
        Happening::Left(_) => "left",
        Happening::Reviews(_) => "reviews",
        Happening::Due(_) => "due",
        Happening::Reviewed { .. } => "reviewed",
        Happening::RushReady(_) => "ready",
        Happening::RushTurn(..) => "position",
        Happening::RushAnswered(_) => "answered",
        Happening::Refused { .. } => "refused",
        Happening::Help(_) => "help",
    };
    happened.iter().map(name).collect()
}

fn history() -> (tempfile::TempDir, History) {
    let directory = tempfile::tempdir().unwrap();
    let history = History::open(directory.path().join("history.sqlite")).unwrap();
    (directory, history)
}

#[test]
fn games_follow_one_another() {
    let (_directory, history) = history();
    let mut games = GameSitting::new(service(), Some(&history), request(), &()).unwrap();
    assert_eq!(names(&games.begin()), ["began", "turn"]);
    assert_eq!(typed(&mut games, "Ke4"), ["event", "event", "turn"]);
    // A hint does not show the board again; nonsense changes nothing.
    assert_eq!(typed(&mut games, "hint"), ["event"]);
    assert_eq!(typed(&mut games, "Qh8"), ["refused"]);
    assert_eq!(typed(&mut games, ""), [""; 0]);
    assert_eq!(typed(&mut games, "moves"), ["asked"]);
    assert_eq!(typed(&mut games, "report"), ["reported"]);
    assert_eq!(typed(&mut games, "resign"), ["event", "reported", "ended"]);
    let seed = |games: &GameSitting<'_>| games.game().unwrap().session.setup.seed;
    assert_eq!(typed(&mut games, "again"), ["left", "began", "turn"]);
    assert_eq!(seed(&games), 7);
    assert_eq!(typed(&mut games, "new"), ["left", "began", "turn"]);
    assert_eq!(seed(&games), 8);
    typed(&mut games, "Ke4");
    assert!(!games.is_over());
    typed(&mut games, "quit");
    assert!(games.is_over());
    assert_eq!(names(&games.leave()), ["reported", "kept", "left"]);

    // An unfinished game is resumed; then there is nothing else to resume.
    let mut resumed = GameSitting::resumed(service(), &history, &())
        .unwrap()
        .unwrap();
    assert_eq!(resumed.game().unwrap().session.moves.len(), 2);
    typed(&mut resumed, "resign");
    assert_eq!(names(&resumed.leave()), ["left"]);
    let none = GameSitting::resumed(service(), &history, &()).unwrap();
    assert!(none.is_none());
}

#[test]
fn slips_are_tried_until_none_is_left() {
    let (_directory, history) = history();
    let slipped = playing(&from(PAWN, "best"), &["e4"]);
    let now = slipped.session.begun;
    history.save(&slipped, now).unwrap();
    let mut early = ReviewSitting::new(service(), &history, now).unwrap();
    assert_eq!(names(&early.begin()), ["reviews"]);
    assert!(early.is_over());
    let tomorrow = now + 86_400;
    let mut reviews = ReviewSitting::new(service(), &history, tomorrow).unwrap();
    assert_eq!(names(&reviews.begin()), ["reviews", "due"]);
    assert_eq!(typed(&mut reviews, "help"), ["help"]);
    assert_eq!(typed(&mut reviews, "Qh8"), ["refused"]);
    assert!(!reviews.is_over());
    assert_eq!(typed(&mut reviews, "Ke4"), ["reviewed"]);
    assert!(reviews.is_over());
    assert!(history.due(tomorrow).unwrap().is_empty());
}

#[test]
fn a_rush_waits_for_its_first_line() {
    let request = RushRequest {
        endgames: vec!["KPK".parse().unwrap()],
        task: Task::Win,
        depth: None,
        level: None,
        positions: Some(2),
        seconds: None,
        seed: Some(4),
    };
    let mut rush = RushSitting::new(service(), None, &request, false, &()).unwrap();
    assert_eq!(names(&rush.begin()), ["ready"]);
    assert_eq!(typed(&mut rush, ""), ["position"]);
    assert_eq!(typed(&mut rush, "nonsense"), ["refused", "position"]);
    assert!(rush.rush.answers.is_empty() && !rush.is_over());
    typed(&mut rush, "quit");
    assert!(rush.is_over());
    let history = History::in_memory().unwrap();
    let longer = RushRequest {
        positions: None,
        ..request
    };
    let mut at_once = RushSitting::new(service(), Some(&history), &longer, true, &()).unwrap();
    assert_eq!(names(&at_once.begin()), ["ready", "position"]);
    // Each slip is kept once, however many lines follow it.
    let mut slips = 0;
    while at_once.rush.next().is_some() {
        let (best, worst) = moves(&at_once.rush);
        slips += usize::from(worst.is_some());
        typed(&mut at_once, &worst.unwrap_or(best));
        typed(&mut at_once, "");
    }
    assert!(slips > 0);
    assert_eq!(history.slips().unwrap().len(), slips);
}
