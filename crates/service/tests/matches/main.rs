//! Matches as requests and answers.

use std::sync::Arc;

use errare_core::{Cancel, FaultKind, Metric, parse_position};
use errare_endgame::Oracle;
use errare_players::{Match, MatchGame, Means};
use errare_service::{
    Service, Supply,
    matches::{self, Answer, Request, answer, play},
};
use errare_tables::Store;

fn request(white: &str, black: &str, from: &str) -> Request {
    Request {
        players: [white, black].map(|name| name.parse().unwrap()),
        from: vec![from.to_owned()],
        games: 20,
        game: Default::default(),
        swap: false,
        seed: Some(7),
        to_mate: true,
        fifty: false,
        most_moves: 100,
        metric: Metric::Dtc,
        kappa: 1.0,
        prior: "0(1)50".to_owned(),
        threads: Some(2),
        engine: None,
        calibration: None,
    }
}

fn service() -> (Service, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let tables = Supply::new(Store::open(directory.path(), 1 << 24));
    (Service { tables }, directory)
}

const QUEEN: &str = "8/8/8/4k3/8/8/8/KQ6 w - - 0 1";

#[test]
fn requests_and_answers_round_trip() {
    let (service, _directory) = service();
    let request = request("rep:c=5", "best", QUEEN);
    let text = serde_json::to_string(&request).unwrap();
    let again: Request = serde_json::from_str(&text).unwrap();
    let once = answer(&service, &request, &()).unwrap();
    assert_eq!(once, answer(&service, &again, &()).unwrap());
    let text = serde_json::to_string(&once).unwrap();
    assert_eq!(serde_json::from_str::<Answer>(&text).unwrap(), once);
    // A few games exceed the limit of moves.
    assert_eq!(once.results.white, once.first.wins);
    assert!(once.first.wins > 10, "{:?}", once.results);
    assert!(once.analysed && once.apparent_competence.is_some());
}

/// The fast arena and the ordinary board agree: with mate as the only end, White always wins, in the same number of
/// moves on average.
#[test]
fn the_arena_and_the_board_agree() {
    let (service, _directory) = service();
    let mut request = request("rep:c=8", "best:ties=first", QUEEN);
    request.games = 400;
    let arena = answer(&service, &request, &()).unwrap();
    assert!(arena.analysed);
    let means = Means {
        oracle: Some(Arc::new(oracle(&service))),
        syzygy: None,
        room: Arc::default(),
        memory: None,
        calibration: None,
    };
    let [white, black] = request.players.each_ref().map(|name| name.hire(&means));
    let (white, black) = (white.unwrap(), black.unwrap());
    let board = Match {
        players: [&white, &black],
        starts: &[parse_position(QUEEN).unwrap()],
        games: 200,
        swap: false,
        seed: 8,
        most_moves: 100,
    };
    let played = board.play(2, &()).unwrap();
    let mean = played.iter().map(|game| game.moves as f64).sum::<f64>() / played.len() as f64;
    let error = arena.length.standard_error.unwrap() * 3f64.sqrt() * 4.0;
    assert!(
        (mean - arena.length.mean).abs() < error,
        "{mean} {:?}",
        arena.length
    );
}

fn oracle(service: &Service) -> Oracle {
    let endgame = "KQK".parse().unwrap();
    let tables = &service.tables;
    tables.oracle(&[endgame], Metric::Dtc, &[], &()).unwrap()
}

/// Each game with swapped colours is that of a match with the players reversed, under the same rules and analysed as
/// well.
#[test]
fn swapped_games_are_those_of_the_reversed_match() {
    let (service, _directory) = service();
    let mut request = request("rep:c=0", "rep:c=8", QUEEN);
    request.most_moves = 1000;
    let [there, back] = [["rep:c=0", "rep:c=8"], ["rep:c=8", "rep:c=0"]].map(|[white, black]| {
        let players = [white, black].map(|name| name.parse().unwrap());
        let request = Request {
            players,
            ..request.clone()
        };
        play(&service, &request, &()).unwrap().1
    });
    request.swap = true;
    let (both, played) = play(&service, &request, &()).unwrap();
    assert!(both.analysed && both.swap);
    for (number, game) in played.iter().enumerate() {
        let (alone, swapped) = match number % 2 {
            0 => (&there[number], false),
            _ => (&back[number], true),
        };
        let same = MatchGame {
            swapped,
            ..alone.clone()
        };
        assert_eq!(*game, same, "game {number}");
    }
    assert_eq!(both.results.fifty_moves, 0);
    assert!(
        played.iter().any(|game| game.plies > 100),
        "the 50-move rule would tell"
    );
    // By player, not by colour: the random player has only lost moves to show.
    let [random, strong] = [both.apparent_competence, both.apparent_competence_black];
    let mean = |apparent: Option<matches::Apparent>| apparent.unwrap().spread.mean;
    assert!(mean(random) < mean(strong));
}

#[test]
fn refusals_have_kinds() {
    let (service, _directory) = service();
    let kind = |request: &Request| answer(&service, request, &()).unwrap_err().kind();
    let mut bad = request("random", "random", "start");
    bad.games = 0;
    assert_eq!(kind(&bad), FaultKind::BadRequest);
    assert_eq!(
        kind(&request("random", "random", "no position")),
        FaultKind::BadRequest
    );
    assert_eq!(
        kind(&request("best", "random", "start")),
        FaultKind::Missing
    );
    let mut bad = request("rep:c=5", "best", QUEEN);
    bad.prior = "0(1)50,flat".to_owned();
    assert_eq!(kind(&bad), FaultKind::BadRequest);
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = answer(&service, &request("random", "random", "start"), &cancel);
    assert_eq!(stopped.unwrap_err().kind(), FaultKind::Stopped);
}
