//! Games sent by visitors, rated and screened by the server's engine; and the fleet.

use std::{net::TcpListener, path::PathBuf, thread, time::Duration};

use axum::http::StatusCode;
use errare_jobs::{Job, NatsAccess, NatsQueue, Queue, Worker, WorkerReport, WorkerTally, work};
use errare_service::EngineChoice;
use errare_testing::NatsServer;
use serde_json::{Value, json};

use crate::{client::Client, jobs::answered};

/// Two games between two players.
const GAMES: &str = include_str!("games.pgn");
/// The shallowest depth that has a calibration.
const DEPTH: u8 = 8;

/// The client with the engine of this machine, if that has a calibration.
async fn with_real_engine() -> Option<Client> {
    let client = Client::with_engine(EngineChoice::default());
    let reply = client.get("/api/v1/engine").await;
    let depths = match reply.status {
        StatusCode::OK => reply.json()["depths"].as_array().cloned(),
        _ => None,
    };
    match depths.unwrap_or_default().contains(&json!(DEPTH)) {
        true => Some(client),
        false => {
            errare_testing::skip("there is no Stockfish with a calibration");
            None
        }
    }
}

fn order(verb: &str) -> Value {
    json!({ "verb": verb, "pgn": GAMES, "name": "/etc/../round 9.pgn", "depth": DEPTH })
}

#[tokio::test]
async fn games_are_rated_and_screened() {
    let Some(client) = with_real_engine().await else {
        return;
    };
    let rated = answered(&client, order("rate")).await;
    let players = rated["players"]
        .as_array()
        .unwrap_or_else(|| panic!("{rated}"));
    assert_eq!(players.len(), 2, "{rated}");
    for (player, words) in players.iter().zip(rated["words"].as_array().unwrap()) {
        let bound = |name: &str| player["rating"][name].as_f64().unwrap();
        // An open interval may end at the estimate.
        assert!(bound("low") <= bound("mean") && bound("mean") <= bound("high"));
        assert!(bound("low") < bound("high"));
        let name = player["player"].as_str().unwrap();
        assert!(words[0].as_str().unwrap().starts_with(name), "{words}");
    }
    // The name is only displayed.
    assert_eq!(rated["evidence"]["file"]["path"], "round 9.pgn");
    assert!(rated["page"].as_str().unwrap().contains("Alpha, Ann"));
    // Nothing is evaluated twice: without the engine the same games are screened from stored
    // evaluations.
    let screened = answered(&client, order("screen")).await;
    assert_eq!(
        screened["players"].as_array().unwrap().len(),
        2,
        "{screened}"
    );
    assert_eq!(screened["details"][0]["games"].as_array().unwrap().len(), 2);
    assert_eq!(screened["effects"].as_array().unwrap().len(), 2);
    // Two games are too few for a label, so there is no threshold to mention.
    let first = screened["words"][0].as_str().unwrap();
    assert!(first.starts_with("No player could be screened"), "{first}");
    assert_eq!(screened["evidence"]["games"], 2);
}

#[tokio::test]
async fn a_rating_is_stopped_and_goes_on_where_it_was() {
    let Some(client) = with_real_engine().await else {
        return;
    };
    let id = client.post("/api/v1/jobs", &order("rate")).await.json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/v1/jobs/{id}");
    // As soon as something is evaluated.
    loop {
        let status = client.get(&path).await.json();
        if status["done"].as_u64().unwrap() > 0 || status["state"] == "done" {
            break;
        }
        assert_ne!(status["state"], "failed", "{status}");
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    client.delete(&path).await;
    let events = client.get(&format!("{path}/events")).await.text;
    assert!(events.contains(r#""state":"cancelled""#), "{events}");
    assert!(client.directory().join("evaluations.db").exists());
    let rated = answered(&client, order("rate")).await;
    assert_eq!(rated["players"].as_array().unwrap().len(), 2, "{rated}");
}

/// The error of a job that fails.
async fn error(client: &Client, order: Value) -> String {
    let started = client.post("/api/v1/jobs", &order).await.json();
    let path = format!("/api/v1/jobs/{}", started["id"].as_str().unwrap());
    client.get(&format!("{path}/events")).await;
    let status = client.get(&path).await.json();
    assert_eq!(status["state"], "failed", "{status}");
    status["error"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn without_an_engine_or_games_it_says_so() {
    let none = Client::with_engine(EngineChoice {
        path: Some(PathBuf::from("no-such-engine")),
        ..EngineChoice::default()
    });
    let reply = none.get("/api/v1/engine").await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND, "{}", reply.text);
    assert!(reply.error().contains("no-such-engine"));
    assert!(error(&none, order("rate")).await.contains("no-such-engine"));
    let client = Client::new();
    for verb in ["rate", "screen"] {
        let empty = json!({ "verb": verb, "pgn": "", "depth": DEPTH });
        let told = error(&client, empty).await;
        assert!(told.contains("no game"), "{told}");
        // A depth without a calibration is refused before anything is evaluated.
        let deep = json!({ "verb": verb, "pgn": GAMES, "depth": 31 });
        let told = error(&client, deep).await;
        assert!(told.contains("calibration"), "{told}");
    }
    assert!(!client.directory().join("evaluations.db").exists());
}

#[tokio::test]
async fn the_engine_says_who_it_is() {
    let reply = Client::new().get("/api/v1/engine").await.json();
    assert_eq!(reply["engine"]["name"], "Stockfish");
    assert_eq!(reply["depths"], json!([8, 10]));
}

#[tokio::test]
async fn the_fleet_is_shown_if_there_is_one() {
    let none = Client::new().get("/api/v1/fleet").await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
    assert!(none.error().contains("--queue"));
    let client = Client::with_queue();
    let fleet = client.get("/api/v1/fleet").await.json();
    assert_eq!(fleet["workers"], json!([]));
    assert_eq!(fleet["batches"], json!([]));
    assert_eq!(fleet["left"], 0);
    std::fs::remove_file(client.directory().join("fleet.jobs")).unwrap();
    let gone = client.get("/api/v1/fleet").await;
    assert_eq!(gone.status, StatusCode::NOT_FOUND, "{}", gone.text);
}

/// The content of the fleet's card, from a real server. It polls every few seconds, and leaves no connection behind.
#[test]
fn the_fleet_on_a_server_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    let port = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let port = port.port().to_string();
    let options = ["--user", "fleet", "--pass", "secret", "-m", &port];
    let mut server = NatsServer::start(directory.path(), &options);
    let address = server.address().replace("//", "//fleet:secret@");
    let short = Duration::from_millis(300);
    let queue = NatsQueue::connect_with_lease(&address, &NatsAccess::default(), short).unwrap();
    let jobs: Vec<Job> = (0..3)
        .map(|n| Job::new("engine", vec![n]).unwrap())
        .collect();
    let about = json!({ "title": "evaluate season.db" }).to_string();
    queue.submit("evaluate-1", about.as_bytes(), &jobs).unwrap();
    let worker = Worker::new("hall-3", ["engine"]);
    let tally = WorkerTally::default();
    let mut first = true;
    work(&queue, &worker, Duration::ZERO, &tally, &(), |job| {
        let failed = job.payload() == [1] || std::mem::take(&mut first);
        if failed {
            Err("the engine ended".to_owned())
        } else {
            Ok(Vec::new())
        }
    })
    .unwrap();
    let report = |name: &str, trouble: Option<&str>| {
        let report = WorkerReport {
            name: name.to_owned(),
            kit: "errare, Peer 1.0".to_owned(),
            cores: 2,
            completed: 2,
            per_minute: 4,
            trouble: trouble.map(str::to_owned),
            ..WorkerReport::default()
        };
        queue.report(&report).unwrap();
    };
    report("hall-3", None);
    report("hall-4", Some("no engine"));
    drop(queue);

    let runtime = tokio::runtime::Runtime::new().unwrap();
    let client = Client::with_queue_at(&address);
    for _ in 0..10 {
        let fleet = runtime.block_on(client.get("/api/v1/fleet")).json();
        assert_eq!(fleet["queue"], server.address(), "without the password");
        let batch = &fleet["batches"][0];
        assert_eq!(batch["title"], "evaluate season.db");
        assert_eq!((&batch["jobs"], &batch["done"]), (&json!(3), &json!(2)));
        assert_eq!(batch["dead"][0]["reason"], "the engine ended");
        assert_eq!(
            (&fleet["left"], &fleet["per_minute"]),
            (&json!(0), &json!(8))
        );
        assert_eq!(fleet["workers"][0]["name"], "hall-3");
        assert_eq!(fleet["workers"][0].get("trouble"), None);
        assert_eq!(fleet["workers"][1]["trouble"], "no engine");
    }
    let connections = || server.figure(&port, "varz", "connections");
    for _ in 0..100 {
        if connections() == 0 {
            break;
        }
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(connections(), 0);
    server.kill();
    let gone = runtime.block_on(client.get("/api/v1/fleet"));
    assert_eq!(gone.status, StatusCode::INTERNAL_SERVER_ERROR);
    assert!(
        gone.error().contains("cannot be used") && !gone.text.contains("secret"),
        "{}",
        gone.text
    );
}
