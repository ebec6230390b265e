//! Answers round-trip through JSON.

use std::{fmt::Debug, fs, sync::Mutex};

use errare_core::{FaultKind, Watch};
use errare_service::{
    EngineChoice, calibrate, doctor,
    evaluate::{self, ImportRequest},
    export, fit, rate, screen,
};
use serde::{Serialize, de::DeserializeOwned};

use crate::{DESK, calibrate_request, world};

/// The value after a round trip, and its JSON.
#[track_caller]
fn again<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> serde_json::Value {
    let text = serde_json::to_string(value).unwrap();
    let back: T = serde_json::from_str(&text).unwrap();
    assert_eq!(*value, back);
    serde_json::from_str(&text).unwrap()
}

#[test]
fn imports() {
    let request = ImportRequest {
        file: DESK.path("turns.jsonl"),
        store: DESK.path("again.db"),
        net: None,
    };
    again(&request);
    let json = again(&evaluate::import(&DESK.service, &request, &()).unwrap());
    assert_eq!(json["imported"]["games"], 42);
}

#[test]
fn fits() {
    let mut request = fit::Request::new(DESK.view());
    request.bootstrap = Some(5);
    request.seed = Some(7);
    again(&request);
    let json = again(&fit::answer(&DESK.service, &request, &()).unwrap());
    assert_eq!(json["seed"], 7);
    let first = &json["classes"][0];
    for field in [
        "milepost",
        "mm",
        "percentile",
        "q_fit",
        "log_loss",
        "S",
        "ranks",
    ] {
        assert!(!first[field].is_null(), "{field}: {first}");
    }
    assert_eq!(first["likelihood"]["errors"], "games");

    // A milepost that nobody is near has no turns and no results.
    let mut request = fit::Request::new(DESK.view());
    request.classes.mileposts = vec![2200, 1000];
    let answer = fit::answer(&DESK.service, &request, &()).unwrap();
    assert!(answer.classes[1].known.is_none());
    again(&answer);
    request.at = Some(fit::At {
        s: 0.1,
        c: 0.5,
        lambda: None,
    });
    again(&request);
    let held = fit::answer(&DESK.service, &request, &()).unwrap();
    assert!(held.classes[0].known.as_ref().unwrap().fits.is_none());
    again(&held);
}

/// A watch that notes each stage with its steps, and how many of them were done.
#[derive(Default)]
struct Stages(Mutex<Vec<(String, Option<u64>, u64)>>);

impl Watch for Stages {
    fn begin(&self, stage: &str, steps: Option<u64>) {
        self.0.lock().unwrap().push((stage.to_owned(), steps, 0));
    }

    fn advance(&self, steps: u64) {
        let mut stages = self.0.lock().unwrap();
        stages.last_mut().expect("a stage has begun").2 += steps;
    }
}

impl Stages {
    fn of(&self, name: &str) -> (Option<u64>, u64) {
        let stages = self.0.lock().unwrap();
        let stage = stages.iter().find(|(stage, ..)| stage == name);
        stage
            .map(|&(_, steps, done)| (steps, done))
            .expect("a stage")
    }
}

#[test]
fn calibrations() {
    let mut request = calibrate_request(&DESK);
    again(&request);
    again(&calibrate::answer(&DESK.service, &request, &()).unwrap());
    // This study has too few games for the continuous family.
    request.agents = None;
    let error = calibrate::answer(&DESK.service, &request, &()).unwrap_err();
    assert_eq!(error.kind(), FaultKind::BadRequest);
    assert!(
        error.to_string().contains("too few for a calibration"),
        "{error}"
    );
    fs::write(
        DESK.path("many.jsonl"),
        world::games(&[2600, 2400, 2200, 2000, 1800], 12),
    )
    .unwrap();
    let import = ImportRequest {
        file: DESK.path("many.jsonl"),
        store: DESK.path("many.db"),
        net: None,
    };
    evaluate::import(&DESK.service, &import, &()).unwrap();
    request.view.study = DESK.path("many.db");
    request.features = ["cost", "first", "ranks:1-1"].map(str::to_owned).into();
    again(&request);
    let stages = Stages::default();
    let json = again(&calibrate::answer(&DESK.service, &request, &stages).unwrap());
    // Five classes, two models each.
    assert_eq!(stages.of("fitting other models"), (Some(10), 10));
    let names = json["lines"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|it| it["feature"].as_str().unwrap()).collect();
    assert_eq!(names, ["cost", "first", "ranks:1-1"]);
    assert_eq!(json["origin"]["games"], 60);
    assert_eq!(json["origin"]["years"], serde_json::json!([2000, 2009]));

    // Input is checked.
    let mut damaged = json;
    damaged["covariance"].as_array_mut().unwrap().pop();
    let error = serde_json::from_value::<calibrate::Answer>(damaged).unwrap_err();
    assert!(error.to_string().contains("covariance"), "{error}");

    for (names, said) in [
        (&["beauty"][..], "not a feature"),
        (&["cost", "cost"], "twice"),
        (&["ranks:1-99"], "depth 99"),
    ] {
        request.features = names.iter().map(|name| (*name).to_owned()).collect();
        let error = calibrate::answer(&DESK.service, &request, &()).unwrap_err();
        assert_eq!(error.kind(), FaultKind::BadRequest);
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn ratings() {
    let mut request = rate::Request::new(DESK.evidence());
    request.player = Some("White 2200".to_owned());
    request.annotate = true;
    again(&request);
    let json = again(&rate::answer(&DESK.service, &request, &()).unwrap());
    for field in [
        "by_colour",
        "by_phase",
        "by_game",
        "by_event",
        "by_year",
        "by_opponent",
    ] {
        assert!(!json[field].as_array().unwrap().is_empty(), "{field}");
    }
    assert_eq!(json["by_year"].as_array().unwrap().len(), 10);
    assert_eq!(json["evidence"]["games"], 42);
    assert_eq!(
        json["evidence"]["file"]["sha256"].as_str().unwrap().len(),
        64
    );
    assert!(json["annotated"][0]["moves"][0]["probability"].is_f64());
    request.player = None;
    let everyone = rate::everyone(&DESK.service, &request, &()).unwrap();
    assert_eq!(everyone.players.len(), 6);
    again(&everyone);
}

#[test]
fn screenings() {
    let request = screen::Request {
        evidence: DESK.evidence(),
        details: true,
    };
    again(&request);
    let answer = screen::answer(&DESK.service, &request, &()).unwrap();
    let json = again(&answer);
    assert_eq!(json["players"].as_array().unwrap().len(), 6);
    assert_eq!(json["players"][0]["players_screened"], 6);
    for (listed, detail) in answer.players.iter().zip(&answer.details) {
        let turns: usize = detail.games.iter().map(|game| game.turns.len()).sum();
        assert_eq!(
            (&listed.one.player, listed.one.turns),
            (&detail.player, turns)
        );
        let matches = detail
            .games
            .iter()
            .map(|game| game.mm[0] * game.turns.len() as f64)
            .sum::<f64>();
        assert!((matches / turns as f64 - listed.one.mm.actual).abs() < 1e-9);
    }
}

#[test]
fn exports() {
    let request = export::Request {
        view: DESK.view(),
        directory: DESK.path("tables-csv"),
        format: export::ExportFormat::Csv,
    };
    again(&request);
    again(&export::answer(&DESK.service, &request, &()).unwrap());
}

#[test]
fn findings_of_the_doctor() {
    let request = doctor::Request {
        engine: EngineChoice {
            path: Some("/bin/true".into()),
            ..EngineChoice::default()
        },
    };
    again(&request);
    let answer = doctor::answer(&DESK.service, &request, &()).unwrap();
    assert!(answer.engine.is_none() && answer.problems[0].contains("the engine ended"));
    again(&answer);
}
