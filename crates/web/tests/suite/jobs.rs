//! Long work.

use axum::http::StatusCode;
use serde_json::json;

use crate::client::Client;

#[tokio::test]
async fn a_job_is_followed_to_its_answer() {
    let client = Client::new();
    let order = json!({ "verb": "build", "endgames": ["KRK"], "metrics": ["dtc"] });
    let started = client.post("/api/v1/jobs", &order).await;
    assert_eq!(started.status, StatusCode::ACCEPTED, "{}", started.text);
    let id = started.json()["id"].as_str().unwrap().to_owned();
    let events = client.get(&format!("/api/v1/jobs/{id}/events")).await;
    assert_eq!(events.headers["content-type"], "text/event-stream");
    let last = events
        .text
        .lines()
        .rfind(|line| line.starts_with("data:"))
        .unwrap();
    assert!(last.contains(r#""state":"done""#), "{last}");
    let answer = client.get(&format!("/api/v1/jobs/{id}/answer")).await;
    assert_eq!(answer.json(), json!({ "endgames": ["KRK"] }));
    let all = client.get("/api/v1/jobs").await.json();
    assert_eq!(all[0]["id"], id);
    assert_eq!(
        client.get(&format!("/api/v1/jobs/{id}")).await.json()["state"],
        "done"
    );
}

#[tokio::test]
async fn a_job_can_be_stopped() {
    let client = Client::new();
    let order = json!({ "verb": "build", "endgames": ["KRPKR"] });
    let id = client.post("/api/v1/jobs", &order).await.json()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        client
            .get(&format!("/api/v1/jobs/{id}/answer"))
            .await
            .status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        client.delete(&format!("/api/v1/jobs/{id}")).await.status,
        StatusCode::ACCEPTED
    );
    let events = client.get(&format!("/api/v1/jobs/{id}/events")).await;
    let last = events
        .text
        .lines()
        .rfind(|line| line.starts_with("data:"))
        .unwrap();
    assert!(last.contains(r#""state":"cancelled""#), "{last}");
}

#[tokio::test]
async fn orders_that_make_no_sense_are_refused() {
    let client = Client::new();
    for order in [
        json!({}),
        json!({ "verb": "fly" }),
        json!({ "verb": "build", "endgames": ["KXK"] }),
        json!([1, 2]),
    ] {
        let reply = client.post("/api/v1/jobs", &order).await;
        assert!(reply.status.is_client_error(), "{order}: {}", reply.status);
        assert!(!reply.error().is_empty());
    }
    for path in ["", "/events", "/answer"] {
        let reply = client.get(&format!("/api/v1/jobs/none{path}")).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert_eq!(
        client.delete("/api/v1/jobs/none").await.status,
        StatusCode::NOT_FOUND
    );
}

pub(crate) async fn answered(client: &Client, order: serde_json::Value) -> serde_json::Value {
    let started = client.post("/api/v1/jobs", &order).await.json();
    let id = started["id"].as_str().unwrap().to_owned();
    let events = client.get(&format!("/api/v1/jobs/{id}/events")).await;
    assert!(events.text.contains("status"), "{}", events.text);
    client
        .get(&format!("/api/v1/jobs/{id}/answer"))
        .await
        .json()
}

/// Tables that take minutes are built only on request; games that can be analysed without them are.
#[tokio::test]
async fn an_analysis_does_not_build_for_minutes_unasked() {
    let client = Client::new();
    let game = |fen: &str, moves: &str| format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves}\n\n");
    let pgn = game("8/8/8/3k4/8/8/PP6/3K3r w - - 0 1", "1. Kd2 Rh2+ *")
        + &game("k7/8/1K6/8/8/8/8/7R w - - 0 1", "1. Rh8# 1-0")
        + &game("k7/8/1K6/8/8/8/8/7R w - - 0 1", "1. Ra5 1-0");
    let answer = answered(&client, json!({ "verb": "analyse", "pgn": pgn })).await;
    assert_eq!(answer["games_read"], 3, "{answer}");
    assert_eq!(answer["missing"].as_array().unwrap().len(), 1);
    let missing = &answer["missing"][0];
    assert_eq!(
        (&missing["endgame"], &missing["games"]),
        (&json!("KPPKR"), &json!([1]))
    );
    assert_eq!(answer["games"][0]["number"], 2);
    assert_eq!(answer["flawed"][0]["game"], 3);
    let nothing = answered(&client, json!({ "verb": "analyse", "pgn": "no chess" })).await;
    assert_eq!(nothing["games_read"], 0, "{nothing}");
}

#[tokio::test]
async fn players_meet_and_are_watched() {
    let client = Client::new();
    let from = "8/8/8/3k4/8/8/8/Q3K3 w - - 0 1";
    let order = json!({ "verb": "match", "players": ["best", "random"], "from": from, "games": 4, "seed": 1 });
    let answer = answered(&client, order).await;
    assert_eq!(answer["results"]["white"], 4);
    let order = json!({ "verb": "game", "players": ["best", "random"], "from": from, "seed": 1 });
    let game = answered(&client, order).await;
    assert_eq!(game["result"]["white"], 1);
    let last = game["san"].as_array().unwrap().last().unwrap();
    assert!(last.as_str().unwrap().ends_with('#'), "{game}");
    // A request cannot name a program to start.
    let order =
        json!({ "verb": "game", "players": ["uci:/bin/sh", "best"], "from": from, "seed": 1 });
    let refused = answered(&client, order).await;
    assert!(refused["error"].is_string(), "{refused}");
}

/// The games of an analysis are there after a restart, until they are erased; without a history as long as the server runs.
#[tokio::test]
async fn games_that_were_sent_are_kept() {
    let pgn = "[White \"Ann\"]\n[Black \"Bo\"]\n\n1. e4 *\n";
    let order = json!({ "verb": "analyse", "pgn": pgn, "name": "club.pgn" });
    for client in [Client::new(), Client::bare()] {
        let job = client.post("/api/v1/jobs", &order).await.json();
        let id = job["collection"].as_str().unwrap().to_owned();
        let address = format!("/api/v1/collections/{id}");
        let again = client.post("/api/v1/jobs", &order).await.json();
        assert_eq!(again["collection"], job["collection"], "the same games");
        let found = client.get(&address).await.json();
        assert_eq!(
            (&found["pgn"], &found["file"]),
            (&json!(pgn), &json!("club.pgn"))
        );
        let all = client.get("/api/v1/collections").await.json();
        assert_eq!(
            (all.as_array().unwrap().len(), &all[0]["title"]),
            (1, &json!("Ann – Bo"))
        );
        let other = json!({ "verb": "build", "endgames": ["KQK"], "metrics": ["dtc"] });
        client.post("/api/v1/jobs", &other).await;
        assert_eq!(client.delete(&address).await.status, StatusCode::NO_CONTENT);
        assert_eq!(client.get(&address).await.status, StatusCode::NOT_FOUND);
        // What came of them is gone as well; other work is not.
        let jobs = client.get("/api/v1/jobs").await.json();
        assert_eq!(
            (jobs.as_array().unwrap().len(), &jobs[0]["verb"]),
            (1, &json!("build"))
        );
        client.post("/api/v1/jobs", &order).await;
        client.delete("/api/v1/practice/history").await;
        assert_eq!(client.get(&address).await.status, StatusCode::NOT_FOUND);
    }
    let client = Client::new();
    let job = client.post("/api/v1/jobs", &order).await.json();
    let kept = client
        .history()
        .collection(job["collection"].as_str().unwrap());
    assert_eq!(kept.unwrap().unwrap().pgn, pgn);
}
