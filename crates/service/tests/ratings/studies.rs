//! Studies that are created or left alone, and requests that are refused.

use std::{fs, path::PathBuf};

use errare_core::{Cancel, FaultKind};
use errare_service::{
    AnyCalibration, CalibrationChoice, EngineChoice, StudyView,
    evaluate::{self, ImportRequest, Request},
    fit, rate, screen,
};
use serde_json::json;

use crate::{DESK, variants};

/// A file that cannot be read, or holds nothing, leaves no study behind.
#[test]
fn no_empty_study_is_left_behind() {
    for (name, text) in [("bad.jsonl", "{}\n"), ("absent.jsonl", "")] {
        if !text.is_empty() {
            fs::write(DESK.path(name), text).unwrap();
        }
        let request = ImportRequest {
            file: DESK.path(name),
            store: DESK.path("new.db"),
            net: None,
        };
        assert!(evaluate::import(&DESK.service, &request, &()).is_err());
        assert!(!DESK.path("new.db").exists(), "{name}");
    }
    fs::write(DESK.path("empty.pgn"), "").unwrap();
    // Truncated gzip.
    fs::write(DESK.path("torn.pgn.gz"), [0x1f, 0x8b, 8, 0, 0]).unwrap();
    for name in ["absent.pgn", "empty.pgn", "torn.pgn.gz"] {
        let request = Request {
            games: vec![DESK.path(name)],
            store: DESK.path("new.db"),
            depth: 1,
            engine: EngineChoice::default(),
        };
        let error = evaluate::answer(&DESK.service, &request, &()).unwrap_err();
        assert_ne!(error.kind(), FaultKind::Internal, "{error}");
        assert!(!DESK.path("new.db").exists(), "{name}");
    }
    let left = fs::read_dir(DESK.directory.path()).unwrap().flatten();
    let mut names = left.map(|entry| entry.file_name().into_string().unwrap());
    assert!(names.all(|name| !name.ends_with(".partial")));
}

/// Imported evaluations can name their net, and another net can be accepted.
#[test]
fn a_calibration_of_another_net_is_accepted_only_on_request() {
    let import = ImportRequest {
        file: DESK.path("turns.jsonl"),
        store: DESK.path("netless.db"),
        net: None,
    };
    evaluate::import(&DESK.service, &import, &()).unwrap();
    let mut request = screen::Request {
        evidence: DESK.evidence(),
        details: false,
    };
    let fitting = screen::answer(&DESK.service, &request, &()).unwrap();
    assert!(fitting.warnings.is_empty(), "{:?}", fitting.warnings);
    assert_eq!(fitting.evidence.engine.net, "made-up.nnue");

    request.evidence.games = DESK.path("netless.db");
    let error = screen::answer(&DESK.service, &request, &()).unwrap_err();
    assert_eq!(error.kind(), FaultKind::BadRequest);
    request.evidence.calibration.accept_engine = true;
    let accepted = screen::answer(&DESK.service, &request, &()).unwrap();
    assert!(accepted.warnings[0].contains("made-up.nnue"));
    assert_eq!(accepted.players, fitting.players);

    // Another depth needs another calibration, whatever is accepted.
    request.evidence.depth = Some(1);
    assert!(screen::answer(&DESK.service, &request, &()).is_err());
}

/// The calibration is looked for before anything is evaluated.
#[test]
fn depths_without_a_calibration_are_refused_before_the_work() {
    fs::write(DESK.path("one.pgn"), "1. e4 e5 *").unwrap();
    let mut request = rate::Request::new(DESK.evidence());
    request.evidence.games = DESK.path("one.pgn");
    request.evidence.calibration = CalibrationChoice::default();
    request.evidence.depth = Some(9);
    let error = rate::everyone(&DESK.service, &request, &()).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Missing);
    assert!(error.to_string().contains("depth 9"), "{error}");
    assert!(!DESK.path("one.pgn.db").exists());
    // The error names the depths of an engine with calibrations, or else the engines that have
    // some.
    let text = error.to_string();
    assert!(
        text.contains("depths 8, 10") || text.contains("depth 10"),
        "{text}"
    );
}

/// Names of engines are never ignored.
#[test]
fn an_engine_that_the_study_does_not_have_is_refused() {
    let mut request = screen::Request {
        evidence: DESK.evidence(),
        details: false,
    };
    request.evidence.engine_name = Some("whatever".to_owned());
    let error = screen::answer(&DESK.service, &request, &()).unwrap_err();
    assert!(error.to_string().contains("whatever"), "{error}");
    request.evidence.engine_name = Some("made-up".to_owned());
    assert!(screen::answer(&DESK.service, &request, &()).is_ok());
}

#[test]
fn groups_say_why_they_have_no_rating() {
    let mut request = rate::Request::new(DESK.evidence());
    request.player = Some("White 2200".to_owned());
    let answer = rate::answer(&DESK.service, &request, &()).unwrap();
    for group in answer.by_phase.iter().chain(&answer.by_game) {
        let few = group.turns < 10;
        assert_eq!(group.rating.is_none(), group.unrated.is_some(), "{group:?}");
        assert!(
            !few || group.unrated == Some(rate::Unrated::TooFewTurns),
            "{group:?}"
        );
    }
}

/// A calibration for the made-up engine of people who choose by cost alone.
fn by_cost(name: &str, at_origin: f64, slope: f64) -> PathBuf {
    let evidence = screen::Request {
        evidence: DESK.evidence(),
        details: false,
    };
    let engine = screen::answer(&DESK.service, &evidence, &()).unwrap();
    let shipped = AnyCalibration::named("stockfish-15.1-depth-8").unwrap();
    let mut calibration = serde_json::to_value(shipped).unwrap();
    calibration["engine"] = serde_json::to_value(engine.evidence.engine).unwrap();
    calibration["lines"] = json!([{ "feature": "cost", "at_origin": at_origin, "slope": slope }]);
    calibration["covariance"] = json!([[0.0, 0.0], [0.0, 0.0]]);
    fs::write(DESK.path(name), calibration.to_string()).unwrap();
    DESK.path(name)
}

/// A player's games are compared with the rating in their event, so they add up to the event's result.
#[test]
fn games_add_up_to_their_events() {
    fs::write(DESK.path("events.jsonl"), variants::turns_of_two_events()).unwrap();
    let import = ImportRequest {
        file: DESK.path("events.jsonl"),
        store: DESK.path("events.db"),
        net: Some("made-up.nnue".to_owned()),
    };
    evaluate::import(&DESK.service, &import, &()).unwrap();
    let mut request = screen::Request {
        evidence: DESK.evidence(),
        details: true,
    };
    request.evidence.games = DESK.path("events.db");
    request.evidence.calibration.calibration = Some(by_cost("by-cost.json", 2.3, 0.5));
    let answer = screen::answer(&DESK.service, &request, &()).unwrap();
    assert_eq!(answer.players.len(), 6);
    for (player, detail) in answer.players.iter().zip(&answer.details) {
        let [first, second] = &player.events[..] else {
            panic!("two events: {player:?}")
        };
        assert_eq!(first.elo + 100.0, second.elo);
        for event in [first, second] {
            let games = detail.games.iter();
            let games = games.filter(|game| game.event.as_ref() == Some(&event.event));
            let (mm, ad) = games.fold((0.0, 0.0), |(mm, ad), game| {
                let share = game.turns.len() as f64 / event.turns as f64;
                (mm + share * game.mm[1], ad + share * game.ad[1])
            });
            assert!((mm - event.mm.projected).abs() < 1e-9, "{mm} {event:?}");
            assert!((ad - event.ad.projected).abs() < 1e-9, "{ad} {event:?}");
        }
    }
}

/// A calibration whose weights overflow agrees with no rating: the reason differs from too few turns.
#[test]
fn a_search_without_a_result_is_told_from_too_few_turns() {
    let endless = by_cost("endless.json", f64::MAX, f64::MAX);
    let mut request = rate::Request::new(DESK.evidence());
    request.player = Some("White 2200".to_owned());
    request.evidence.calibration.calibration = Some(endless);
    let error = rate::answer(&DESK.service, &request, &()).unwrap_err();
    assert!(error.to_string().contains("did not converge"), "{error}");
    assert_eq!(error.kind(), FaultKind::Internal);
}

#[test]
fn whoever_watches_can_stop() {
    let stopped = Cancel::default();
    stopped.cancel();
    let kind = |error: errare_service::Error| error.kind();
    let mut request = fit::Request::new(DESK.view());
    let error = fit::answer(&DESK.service, &request, &stopped).unwrap_err();
    assert_eq!(kind(error), FaultKind::Stopped);
    request.bootstrap = Some(10);
    let error = fit::answer(&DESK.service, &request, &stopped).unwrap_err();
    assert_eq!(kind(error), FaultKind::Stopped);
    let request = rate::Request::new(DESK.evidence());
    let error = rate::everyone(&DESK.service, &request, &stopped).unwrap_err();
    assert_eq!(kind(error), FaultKind::Stopped);
}

#[test]
fn too_many_engines_are_as_many_as_there_are_positions() {
    const GAME: &str = "1. c4 e6 2. Nf3 d5 3. d4 Nf6 4. Nc3 Be7 5. Bg5 O-O 6. e3 h6 7. Bh4 b6 8. cxd5 Nxd5 \
                        9. Bxe7 Qxe7 10. Nxd5 exd5 *\n";
    let games = DESK.path("short.pgn");
    std::fs::write(&games, GAME).unwrap();
    let ask = |workers: usize| {
        let request = Request {
            games: vec![games.clone()],
            store: DESK.path(&format!("by-{workers}.db")),
            depth: 1,
            engine: EngineChoice {
                workers: Some(workers),
                ..EngineChoice::default()
            },
        };
        evaluate::answer(&DESK.service, &request, &())
    };
    let [many, one] = [100_000, 1].map(|workers| ask(workers).unwrap().positions);
    assert_eq!(many.evaluated, 4);
    assert_eq!(many, one);
    assert_eq!(ask(0).unwrap_err().kind(), FaultKind::BadRequest);
}

#[test]
fn a_missing_study_is_missing() {
    let view = StudyView {
        study: DESK.path("absent.db"),
        ..StudyView::default()
    };
    let error = fit::answer(&DESK.service, &fit::Request::new(view), &()).unwrap_err();
    assert_eq!(error.kind(), FaultKind::Missing);
}
