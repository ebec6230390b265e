use errare_core::{Cancel, FaultKind};
use errare_games::games;
use errare_minimax::{Alpha, Terminals, Ties};
use errare_service::matches::GameName;
use errare_service::minimax::{
    bench, dominate, matches, mobility, play, prob, rate,
    search::{Request, SearchOptions},
    sweep, tree,
};

use crate::round_trip;

fn request(depth: u32) -> Request {
    Request {
        fen: "start".to_owned(),
        depth: depth.try_into().unwrap(),
        options: SearchOptions::default(),
    }
}

#[test]
fn answers_survive_json() {
    round_trip(&request(3));
    let json = round_trip(&prob::answer(&request(3), &()).unwrap());
    assert_eq!(
        (&json["leaves"], &json["alpha"]),
        (&8902.into(), &().into())
    );
    round_trip(&mobility::answer(&request(3), &()).unwrap());
    let steps = sweep::Request {
        fen: "start".to_owned(),
        steps: vec![
            (2.try_into().unwrap(), Alpha::CONTINUOUS),
            (2.try_into().unwrap(), Alpha::finite(3).unwrap()),
        ],
        options: SearchOptions::default(),
    };
    round_trip(&steps);
    round_trip(&sweep::answer(&steps, &()).unwrap());
    let exact = tree::Request {
        tree: "((3 3)(2 2 2))".to_owned(),
        level_regular: false,
        alpha: Alpha::finite(2).unwrap(),
        ties: Ties::All,
    };
    let json = round_trip(&tree::answer(&exact).unwrap());
    assert_eq!(json["moves"][0]["probability"], "3691/4096");
    let moves = dominate::Request {
        good: "[2 3]".to_owned(),
        bad: "[3 2]".to_owned(),
        alpha: Alpha::CONTINUOUS,
        shallow: None,
    };
    let json = round_trip(&dominate::answer(&moves).unwrap());
    assert_eq!(json["domination"], "good");
    let sampled = play::Request {
        fen: "start".to_owned(),
        depth: 2.try_into().unwrap(),
        alpha: Alpha::CONTINUOUS,
        terminals: Terminals::Recognised,
        seed: Some(1),
        long: false,
    };
    round_trip(&play::answer(&sampled, &()).unwrap());
    let cancel = Cancel::default();
    cancel.cancel();
    let deeper = play::Request {
        depth: 3.try_into().unwrap(),
        ..sampled
    };
    let stopped = play::answer(&deeper, &cancel).unwrap_err();
    assert_eq!(stopped.kind(), FaultKind::Stopped);
    let settings = rate::MinimaxRateSettings {
        depths: vec![1.try_into().unwrap(), 2.try_into().unwrap()],
        lapse: 0.01,
        alpha: Alpha::CONTINUOUS,
        terminals: Terminals::Recognised,
        long: false,
    };
    let read: Vec<_> = games("1. e4 e5 2. Nf3 *\n".as_bytes())
        .map(Result::unwrap)
        .collect();
    let json = round_trip(&rate::rate_games(&read, &settings, &()).unwrap());
    assert_eq!(json["players"][0]["color"], "white");
    let meeting = matches::Request {
        players: ["random", "zero:depth=1"].map(str::to_owned),
        game: GameName::Connect4,
        games: 4,
        max_plies: 60,
        from: None,
        seed: Some(1),
        long: false,
    };
    round_trip(&meeting);
    let json = round_trip(&matches::answer(&meeting, &()).unwrap());
    assert_eq!(
        (&json["game"], &json["games"]),
        (&"connect4".into(), &4.into())
    );
    let timing: bench::Timing = serde_json::from_value(serde_json::json!({
        "position": "start", "depth": 1, "leaves": 20, "threads": 1,
        "perft": 0.5, "prob": 1.0, "ratio": 2.0, "error": 0.0,
    }))
    .unwrap();
    round_trip(&timing);
}

#[test]
fn long_work_is_not_started_unasked_and_can_be_stopped() {
    let refused = prob::answer(&request(12), &()).unwrap_err();
    assert_eq!(refused.kind(), FaultKind::BadRequest);
    assert!(refused.to_string().contains("hours"), "{refused}");
    crate::tells_progress(|watch| prob::answer(&request(4), watch));
    let cancel = Cancel::default();
    cancel.cancel();
    let stopped = prob::answer(&request(4), &cancel).unwrap_err();
    assert_eq!(stopped.kind(), FaultKind::Stopped);
}
