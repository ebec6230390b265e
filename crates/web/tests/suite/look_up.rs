//! Look-ups: verdicts, lines, players' choices.

use axum::http::StatusCode;

use crate::client::Client;

const WON: &str = "fen=8/8/8/8/8/2k5/8/K1Q5_b_-_-_0_1";

#[tokio::test]
async fn a_verdict_is_a_superset_of_what_lila_tablebase_answers() {
    let client = Client::new();
    let reply = client
        .get("/standard?fen=8/8/8/3k4/8/8/8/Q3K3%20w%20-%20-%200%201")
        .await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let verdict = reply.json();
    assert_eq!(verdict["category"], "win");
    for field in [
        "dtz",
        "precise_dtz",
        "dtm",
        "checkmate",
        "stalemate",
        "variant_win",
        "variant_loss",
        "insufficient_material",
        "moves",
    ] {
        assert!(!verdict[field].is_null(), "{field}");
    }
    let best = &verdict["moves"][0];
    assert_eq!(best["category"], "loss");
    for field in ["uci", "san", "zeroing", "dtz", "category", "checkmate"] {
        assert!(!best[field].is_null(), "{field}");
    }
    assert_eq!(verdict["endgame"], "KQK");
    assert_eq!(best["ceded"], 0);
}

#[tokio::test]
async fn a_line_leads_to_mate() {
    let reply = Client::new()
        .get("/standard/mainline?fen=8/8/8/3k4/8/8/8/Q3K3_w_-_-_0_1&metric=dtm")
        .await;
    let line = reply.json();
    let moves = line["mainline"].as_array().unwrap();
    assert_eq!(moves.len() as i64, line["dtm"].as_i64().unwrap());
    assert_eq!(moves.last().unwrap()["checkmate"], true);
    assert_eq!(line["winner"], "w", "as lila-tablebase has it");
}

#[tokio::test]
async fn questions_that_make_no_sense_are_refused() {
    let client = Client::new();
    for (path, says) in [
        ("/standard", "fen"),
        ("/standard?fen=rubbish", "is not a FEN"),
        (
            "/standard?fen=8/8/8/8/8/8/8/8_w_-_-_0_1",
            "the board is empty",
        ),
        ("/standard?fen=8/8/8/3k4/8/8/8/Q3K3_w&metric=dtx", "dtx"),
        ("/standard/mainline?fen=8", "is not a FEN"),
        ("/api/v1/choices?fen=8", "is not a FEN"),
        (
            "/api/v1/choices?fen=rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq_-_0_1",
            "three to five men",
        ),
    ] {
        let reply = client.get(path).await;
        assert_eq!(
            reply.status,
            StatusCode::BAD_REQUEST,
            "{path}: {}",
            reply.text
        );
        assert!(reply.error().contains(says), "{path}: {}", reply.error());
    }
}

#[tokio::test]
async fn what_no_table_can_hold_is_not_found_as_in_lila_tablebase() {
    let client = Client::new();
    for (fen, says) in [
        ("4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1", "castling"),
        ("4k3/pppp4/8/8/8/8/PPPP4/4K3_w_-_-_0_1", "10 men"),
    ] {
        for path in ["/standard", "/standard/mainline"] {
            let reply = client.get(&format!("{path}?fen={fen}")).await;
            assert_eq!(reply.status, StatusCode::NOT_FOUND, "{path} {fen}");
            assert!(reply.error().contains(says), "{}", reply.error());
            assert!(reply.json()["missing"].is_null(), "nothing can be built");
        }
    }
}

#[tokio::test]
async fn five_men_are_not_built_within_a_request() {
    let reply = Client::new()
        .get("/standard?fen=1K1k4/1P6/8/8/8/8/r7/2R5_w_-_-_0_1")
        .await;
    assert_eq!(reply.status, StatusCode::NOT_FOUND);
    assert_eq!(reply.json()["missing"], "KRPKR");
}

#[tokio::test]
async fn what_players_do_sums_to_one() {
    let reply = Client::new().get(&format!("/api/v1/choices?{WON}")).await;
    assert_eq!(reply.status, StatusCode::OK, "{}", reply.text);
    let choices = reply.json();
    let moves = choices["moves"].as_array().unwrap();
    for number in 0..choices["competences"].as_array().unwrap().len() {
        let chance = |m: &serde_json::Value| m["probabilities"][number].as_f64().unwrap();
        let sum: f64 = moves.iter().map(chance).sum();
        assert!((sum - 1.0).abs() < 1e-9);
        let kept: f64 = moves
            .iter()
            .filter(|m| m["keeps_value"] == true)
            .map(chance)
            .sum();
        assert!((kept - choices["keeps"][number].as_f64().unwrap()).abs() < 1e-12);
    }
}

#[tokio::test]
async fn nothing_is_where_nothing_is() {
    let client = Client::new();
    assert_eq!(
        client.get("/api/v1/nothing").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        client.get("/assets/../Cargo.toml").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        client.get("/assets/..%2fCargo.toml").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        client.delete("/standard").await.status,
        StatusCode::METHOD_NOT_ALLOWED
    );
}
