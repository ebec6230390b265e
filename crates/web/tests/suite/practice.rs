//! Games of practice.

use axum::http::StatusCode;
use serde_json::json;

use crate::client::Client;

#[tokio::test]
async fn a_game_is_played_and_found_again() {
    let client = Client::new();
    let start = json!({ "start": { "kind": "position", "fen": "k7/8/1K6/8/8/8/8/6Q1 w - - 0 1" }, "opponent": "best" });
    let begun = client.post("/api/v1/practice/games", &start).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    let id = begun.json()["session"]["id"].as_str().unwrap().to_owned();
    let game = format!("/api/v1/practice/games/{id}");
    let hint = client
        .post(&format!("{game}/acts"), &json!({ "act": "hint" }))
        .await;
    assert_eq!(hint.json()["events"][0]["event"], "hinted");
    let bad = client
        .post(
            &format!("{game}/acts"),
            &json!({ "act": "move", "text": "Qz9" }),
        )
        .await;
    assert_eq!(bad.status, StatusCode::BAD_REQUEST);
    let mate = client
        .post(
            &format!("{game}/acts"),
            &json!({ "act": "move", "text": "Qg8" }),
        )
        .await;
    assert_eq!(
        mate.json()["session"]["end"]["kind"],
        "mate",
        "{}",
        mate.text
    );
    let again = client.get(&game).await;
    assert_eq!(again.json()["session"], mate.json()["session"]);
}

#[tokio::test]
async fn a_slip_is_tried_again() {
    let client = Client::new();
    let start = json!({ "start": { "kind": "position", "fen": "k7/8/1K6/8/8/8/8/7R w - - 0 1" } });
    let id = client.post("/api/v1/practice/games", &start).await.json()["session"]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let acts = format!("/api/v1/practice/games/{id}/acts");
    let slip = client
        .post(&acts, &json!({ "act": "move", "text": "Ka6" }))
        .await
        .json();
    assert_eq!(slip["session"]["moves"][0]["judgement"]["optimal"], false);
    let back = client
        .post(&acts, &json!({ "act": "retry", "ply": 0 }))
        .await
        .json();
    assert_eq!(back["events"][0]["event"], "took-back");
    assert_eq!(back["view"]["fen"], "k7/8/1K6/8/8/8/8/7R w - - 0 1");
}

/// An engine may be an opponent, but no client tells the server which program to run.
#[tokio::test]
async fn the_server_chooses_the_engine_of_an_opponent() {
    let client = Client::new();
    let start = json!({ "kind": "position", "fen": "k7/8/1K6/8/8/8/8/7R w - - 0 1" });
    for opponent in ["uci:/bin/sh", "human:elo=1800,engine=/bin/sh"] {
        let request = json!({ "start": start, "opponent": opponent });
        let refused = client.post("/api/v1/practice/games", &request).await;
        assert_eq!(refused.status, 400, "{opponent}");
        let error = refused.json()["error"].to_string();
        assert!(error.contains("the server chooses the engine"), "{error}");
    }
}

#[tokio::test]
async fn there_is_something_to_choose_from() {
    let client = Client::new();
    let drills = client.get("/api/v1/practice/drills").await.json();
    assert!(
        drills
            .as_array()
            .unwrap()
            .iter()
            .any(|drill| drill["name"] == "lucena")
    );
    let library = client.get("/api/v1/practice/library").await.json();
    assert_eq!(library[0]["endgame"], "KQK");
}

#[tokio::test]
async fn games_that_cannot_be_are_refused() {
    let client = Client::new();
    for (start, status) in [
        (
            json!({ "start": { "kind": "position", "fen": "rubbish" } }),
            StatusCode::BAD_REQUEST,
        ),
        (
            json!({ "start": { "kind": "drill", "name": "none" } }),
            StatusCode::BAD_REQUEST,
        ),
        (
            json!({ "start": { "kind": "drill", "name": "lucena" } }),
            StatusCode::NOT_FOUND,
        ),
        (
            json!({ "start": { "kind": "position", "fen": "k7/8/1K6/8/8/8/8/7R w - - 0 1" }, "opponent": "nobody" }),
            StatusCode::BAD_REQUEST,
        ),
        (
            json!({ "start": { "kind": "position", "fen": "k6Q/8/1K6/8/8/8/8/8 b - - 0 1" } }),
            StatusCode::BAD_REQUEST,
        ),
    ] {
        let reply = client.post("/api/v1/practice/games", &start).await;
        assert_eq!(reply.status, status, "{start}: {}", reply.text);
    }
    assert_eq!(
        client.get("/api/v1/practice/games/none").await.status,
        StatusCode::NOT_FOUND
    );
    let reply = client
        .post(
            "/api/v1/practice/games/none/acts",
            &json!({ "act": "hint" }),
        )
        .await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
}
