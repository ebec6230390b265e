//! Opponents without tables: engines, people of a rating, and players who know only the rules.

use std::{
    sync::{
        Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use errare_choice::Kappa;
use errare_core::{Deadline, FaultKind, Metric, Watch, parse_position};
use errare_endgame::{Aim, HuntTask, Library, Prey, Scope};
use errare_service::{
    Service, Supply, advise,
    practice::{Act, Answer, GameValue, Request, Start, act, begin, opponent_words},
};
use errare_tables::Store;
use shakmaty::{Color, Position, san::SanPlus};

use crate::{doing, from, playing, service};

const QUEEN: &str = "8/8/3k4/8/8/8/2r5/KQ6 w - - 0 1";

/// They reply, the tables judge their moves, and a move taken back and made again gets the same reply.
#[test]
fn engines_people_and_automata_reply() {
    for (name, in_full, words) in [
        (
            "uci:stockfish,depth=4",
            "uci:stockfish,depth=4",
            "the engine stockfish",
        ),
        (
            "human:elo=1800",
            "human:elo=1800,depth=8",
            "a player like people of 1800 Elo",
        ),
        (
            "minimax:depth=2",
            "minimax:depth=2",
            "random minimaxing, which knows only the rules and looks 2 plies ahead",
        ),
    ] {
        let answer = playing(&from(QUEEN, name), &["Qb6"]);
        let setup = &answer.session.setup;
        assert_eq!(setup.opponent, in_full);
        assert_eq!(opponent_words(&setup.opponent), words);
        let reply = &answer.session.moves[1];
        assert!(
            !reply.yours && !reply.judgement.best.is_empty(),
            "{reply:?}"
        );
        let again = playing(&doing(&answer, Act::TakeBack), &["Qb6"]);
        assert_eq!(again.session.moves[1], answer.session.moves[1]);
    }
}

/// The hunter replies with the move that is best by its solution, which is not the Predator's here.
#[test]
fn the_hunter_replies_by_its_solution() {
    let start = from("8/8/8/4k3/8/8/8/3K3R w - - 0 1", "hunter:c=10");
    let answer = playing(&start, &["Rh4"]);
    let [moved, reply] = &answer.session.moves[..] else {
        panic!("{:?}", answer.session.moves);
    };
    let request = format!(
        "{{\"fen\": {:?}, \"skill\": 10, \"hunter\": true}}",
        moved.fen
    );
    let request: advise::Request = serde_json::from_str(&request).unwrap();
    let advice = advise::answer(service(), &request, &()).unwrap();
    let best = advice.hunter.unwrap().length.unwrap().best;
    assert_ne!(advice.best.as_ref(), Some(&best));
    assert_eq!(reply.uci, best);
}

/// Says that the work has begun, and holds it until somebody lets go.
struct Held {
    begun: Sender<()>,
    let_go: Mutex<Receiver<()>>,
}

impl Watch for Held {
    fn begin(&self, _stage: &str, _steps: Option<u64>) {
        let _ = self.begun.send(());
        let _ = self.let_go.lock().unwrap().recv();
    }
}

/// However long somebody would wait for the reply, it does not wait for the solution: the Predator's move comes meanwhile.
#[test]
fn the_hunter_replies_before_it_has_solved() {
    let store = Store::open(errare_testing::scratch_directory(), 64 << 20);
    let service = &Service {
        tables: Supply::new(store).with_memory(3 << 30),
    };
    let fen = "8/8/8/4k3/8/8/8/3K3R w - - 0 1".to_owned();
    let request = Request {
        opponent: Some("hunter:c=11".to_owned()),
        metric: Some(Metric::Dtc),
        ..Request::new(Start::Position { fen })
    };
    let start = begin(service, &request, &()).unwrap();
    let task = HuntTask {
        material: "KRK".parse().unwrap(),
        metric: Metric::Dtc,
        side: Color::White,
        scope: Scope::Wins,
        aim: Aim::Length,
        prey: Prey {
            competence: 11.0,
            kappa: Kappa::ONE,
        },
    };
    let oracle = service
        .tables
        .oracle(&[task.material], task.metric, &[], &());
    let oracle = oracle.unwrap();
    let (hold, let_go) = channel();
    let (begun, has_begun) = channel();
    let solver = thread::spawn(move || {
        let let_go = Mutex::new(let_go);
        let held = Held { begun, let_go };
        Library::default().solution(&oracle, &task, &held).unwrap();
    });
    has_begun.recv().unwrap();
    let text = "Rh4".to_owned();
    let patience = Deadline::after(Duration::from_secs(3600), &());
    let answer = act(service, &start.session, &Act::Move { text }, &patience).unwrap();
    drop(hold);
    solver.join().unwrap();
    let [moved, reply] = &answer.session.moves[..] else {
        panic!("{:?}", answer.session.moves);
    };
    let request = format!("{{\"fen\": {:?}, \"skill\": 11}}", moved.fen);
    let request: advise::Request = serde_json::from_str(&request).unwrap();
    let advice = advise::answer(service, &request, &()).unwrap();
    assert_eq!(advice.best.as_ref(), Some(&reply.uci));
}

/// A hunter that has risked its draw and stands lost plays on for the chance it took the risk for: it could not
/// maximise the length against so weak a player, which takes too long to solve.
#[test]
fn a_hunter_that_risked_its_draw_plays_on() {
    let start = from(
        "7Q/2r2K2/8/5k2/8/8/8/8 w - - 0 1",
        "hunter:c=2,own=risk,moves=6",
    );
    let wins = |answer: &&Answer| {
        let last = answer.session.moves.last().unwrap();
        !last.yours && last.standing.value == GameValue::Win
    };
    let first = ["Ke8", "Kf8", "Kg8"].map(|m| playing(&start, &[m]));
    let risked = first.iter().find(wins).expect("it takes a risk");
    let position = parse_position(&risked.session.moves[1].fen).unwrap();
    let kept = position.legal_moves().into_iter().find_map(|m| {
        let san = SanPlus::from_move(position.clone(), m).to_string();
        let answer = playing(risked, &[&san]);
        let moves = &answer.session.moves;
        (moves.len() == 4 && moves[2].standing.value == GameValue::Win).then_some(answer)
    });
    let kept = kept.expect("it plays on");
    // A page, which waits a while for each reply, gets the same: the moves that are played again are prepared too.
    let page = Deadline::after(Duration::from_secs(3600), &());
    let (again, moves) = (doing(&kept, Act::TakeBack), &kept.session.moves);
    let text = moves[2].san.clone();
    let again = act(service(), &again.session, &Act::Move { text }, &page).unwrap();
    assert_eq!(again.session.moves[3], moves[3]);
}

/// An opponent that cannot play is refused before the game begins.
#[test]
fn opponents_who_cannot_play_are_refused_at_once() {
    for (name, kind, why) in [
        ("uci:no-such-engine", FaultKind::Missing, "no-such-engine"),
        ("human:elo=9000", FaultKind::BadRequest, "9000"),
        ("human", FaultKind::BadRequest, "human needs a rating"),
        (
            "mentor",
            FaultKind::BadRequest,
            "there is no player \"mentor\"",
        ),
    ] {
        let request = Request {
            opponent: Some(name.to_owned()),
            ..Request::new(Start::Position {
                fen: QUEEN.to_owned(),
            })
        };
        let error = begin(service(), &request, &()).unwrap_err();
        assert_eq!(error.kind(), kind, "{name}: {error}");
        assert!(error.to_string().contains(why), "{name}: {error}");
    }
}
