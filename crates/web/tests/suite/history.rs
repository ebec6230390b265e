//! The history of practice, its reviews, and a rush.

use axum::http::StatusCode;
use errare_service::practice::{Answer, history::now};
use serde_json::{Value, json};

use crate::client::Client;

const MATE_IN_ONE: &str = "k7/8/1K6/8/8/8/8/7R w - - 0 1";

/// Plays a slip, and returns its game.
async fn slip(client: &Client) -> (String, Value) {
    let start = json!({ "start": { "kind": "position", "fen": MATE_IN_ONE }, "opponent": "best" });
    let begun = client.post("/api/v1/practice/games", &start).await.json();
    let game = format!(
        "/api/v1/practice/games/{}",
        begun["session"]["id"].as_str().unwrap()
    );
    let slipped = client
        .post(
            &format!("{game}/acts"),
            &json!({ "act": "move", "text": "Rh2" }),
        )
        .await;
    (game, slipped.json())
}

#[tokio::test]
async fn a_slip_comes_back_and_is_put_right() {
    let client = Client::new();
    let (_, slipped) = slip(&client).await;
    let reviews = client.get("/api/v1/practice/reviews").await.json();
    assert_eq!(reviews["due"], json!([]));
    assert_eq!(reviews["next"]["played"], "Rh2");
    // The same slip, two days ago, in another history: it is due.
    let client = Client::new();
    let answer: Answer = serde_json::from_value(slipped).unwrap();
    client.history().save(&answer, now() - 2 * 86_400).unwrap();
    let reviews = client.get("/api/v1/practice/reviews").await.json();
    assert_eq!(reviews["due"][0]["fen"], MATE_IN_ONE);
    let address = format!("/api/v1/practice/reviews/{}", reviews["due"][0]["id"]);
    let wrong = client.post(&address, &json!({ "text": "Rh9" })).await;
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
    let right = client
        .post(&address, &json!({ "text": "Rh8", "seconds": 9 }))
        .await
        .json();
    assert_eq!(right["grade"], "good");
    assert!(right["next"]["days"].as_i64().unwrap() >= 1);
    let left = client.get("/api/v1/practice/reviews").await.json();
    assert_eq!(left["due"], json!([]));
    let none = client
        .post("/api/v1/practice/reviews/77", &json!({ "text": "Rh8" }))
        .await;
    assert_eq!(none.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_history_is_told_exported_and_erased() {
    let client = Client::new();
    let (game, _) = slip(&client).await;
    let report = client.get(&format!("{game}/report")).await.json();
    assert_eq!(report["slips"][0]["number"], "1. Rh2");
    let pgn = client.get(&format!("{game}/pgn")).await;
    assert_eq!(pgn.headers["content-type"], "application/x-chess-pgn");
    assert!(pgn.text.contains("[FEN \"k7/8/1K6/8/8/8/8/7R w - - 0 1\"]"));
    let progress = client.get("/api/v1/practice/progress").await.json();
    assert_eq!(progress["points"][0]["session"]["slips"], 1);
    let all = client.get("/api/v1/practice/history").await.json();
    assert_eq!(all["sessions"].as_array().unwrap().len(), 1);
    let games = client.get("/api/v1/practice/history.pgn").await.text;
    assert_eq!(games, pgn.text);
    let erased = client.delete("/api/v1/practice/history").await;
    assert_eq!(erased.status, StatusCode::NO_CONTENT);
    assert_eq!(client.get(&game).await.status, StatusCode::NOT_FOUND);
    let progress = client.get("/api/v1/practice/progress").await.json();
    assert_eq!(progress["points"], json!([]));
}

#[tokio::test]
async fn a_rush_is_scored() {
    let client = Client::new();
    let request = json!({ "endgames": ["KRK"], "task": "win", "positions": 2, "seed": 7 });
    let begun = client.post("/api/v1/practice/rush", &request).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text);
    let mut rush = begun.json()["rush"].clone();
    for at in [1.0, 2.5] {
        let number = rush["answers"].as_array().unwrap().len();
        let fen = rush["positions"][number]["fen"].as_str().unwrap();
        let best = client
            .get(&format!(
                "/standard?metric=dtc&fen={}",
                fen.replace(' ', "_")
            ))
            .await
            .json();
        let answer = json!({ "rush": rush, "text": best["moves"][0]["uci"], "at": at });
        let reply = client.post("/api/v1/practice/rush/answers", &answer).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
        rush = reply.json()["rush"].clone();
        assert_eq!(reply.json()["result"]["positions"], 2);
        if at > 2.0 {
            assert!(
                reply.json()["result"]["words"]
                    .as_str()
                    .unwrap()
                    .contains("●●")
            );
        }
    }
    let over = json!({ "rush": rush, "text": "Ra1", "at": 3 });
    let over = client.post("/api/v1/practice/rush/answers", &over).await;
    assert_eq!(over.status, StatusCode::BAD_REQUEST);
    let empty = json!({ "endgames": [], "task": "win" });
    let empty = client.post("/api/v1/practice/rush", &empty).await;
    assert_eq!(empty.status, StatusCode::BAD_REQUEST);
}
