//! Every failure that the description promises is provoked, and says why in JSON.

use std::collections::BTreeSet;

use axum::body::Body;
use serde_json::json;

use crate::client::{Client, request};

/// A position that is won, and one whose five men are in no table here.
const WON: &str = "k7/8/1K6/8/8/8/8/7R_w_-_-_0_1";
const FIVE: &str = "1K1k4/1P6/8/8/8/8/r7/2R5_w_-_-_0_1";
/// Failures that a request's content can provoke; the others come from load and from bodies.
const OWN: [&str; 2] = ["400", "404"];

/// A case: the route, the status, the path, the body, and a part of the sentence.
type Case = (
    &'static str,
    u16,
    String,
    Option<&'static str>,
    &'static str,
);

/// The cases for a server that keeps a history and has a game, `id`, in it.
fn cases(id: &str) -> Vec<Case> {
    let case =
        |route, status, path: &str, says| -> Case { (route, status, path.to_owned(), None, says) };
    let with = |route, status, path: String, body, says| -> Case {
        (route, status, path, Some(body), says)
    };
    let mut cases = Vec::new();
    for (route, more) in [
        ("get /standard", ""),
        ("get /standard/mainline", ""),
        ("get /api/v1/choices", ""),
        ("get /api/v1/advise", "&skill=20"),
    ] {
        let path = route.trim_start_matches("get ");
        for (fen, status, says) in [("rubbish", 400, "is not a FEN"), (FIVE, 404, "KRPKR")] {
            cases.push(case(
                route,
                status,
                &format!("{path}?fen={fen}{more}"),
                says,
            ));
        }
        let metric = format!("{path}?fen={WON}{more}&metric=dtx");
        cases.push(case(route, 400, &metric, "dtx"));
        cases.push(case(route, 400, path, "fen"));
    }
    let api = |path: &str| format!("/api/v1/{path}");
    let statistics = "get /api/v1/endgames/{name}/statistics";
    let games = "post /api/v1/practice/games";
    let acts = "post /api/v1/practice/games/{id}/acts";
    let review = "post /api/v1/practice/reviews/{slip}";
    let rush = "post /api/v1/practice/rush";
    let answers = "post /api/v1/practice/rush/answers";
    cases.extend([
        case("get /api/v1/advise", 400, &api(&format!("advise?fen={WON}&skill=1e9")), "competence"),
        case(statistics, 400, &api("endgames/KXK/statistics"), "KXK"),
        case(statistics, 400, &api("endgames/KQK/statistics?metric=dtx"), "dtx"),
        case(statistics, 404, &api("endgames/KRPKR/statistics"), "KRPKR"),
        case("get /api/v1/jobs/{id}", 404, &api("jobs/none"), "no such job"),
        case("delete /api/v1/jobs/{id}", 404, &api("jobs/none"), "no such job"),
        case("get /api/v1/jobs/{id}/events", 404, &api("jobs/none/events"), "no such job"),
        case("get /api/v1/jobs/{id}/answer", 404, &api("jobs/none/answer"), "no such job"),
        case("get /api/v1/collections/{id}", 404, &api("collections/none"), "not here"),
        case("delete /api/v1/collections/{id}", 404, &api("collections/none"), "not here"),
        with("post /api/v1/jobs", 400, api("jobs"), "{", "JSON"),
        with("post /api/v1/jobs", 422, api("jobs"), r#"{"verb":"fly"}"#, "fly"),
        with(games, 400, api("practice/games"), r#"{"start":{"kind":"drill","name":"none"}}"#, "no drill"),
        with(games, 404, api("practice/games"), r#"{"start":{"kind":"drill","name":"lucena"}}"#, "KRPKR"),
        case("get /api/v1/practice/games/{id}", 404, &api("practice/games/none"), "no such game"),
        case("get /api/v1/practice/games/{id}/report", 404, &api("practice/games/none/report"), "no such game"),
        case("get /api/v1/practice/games/{id}/pgn", 404, &api("practice/games/none/pgn"), "no such game"),
        with(acts, 404, api("practice/games/none/acts"), r#"{"act":"hint"}"#, "no such game"),
        with(acts, 400, api(&format!("practice/games/{id}/acts")), r#"{"act":"move","text":"Qz9"}"#, "Qz9"),
        with(review, 400, api("practice/reviews/1"), r#"{"text":"Qz9"}"#, "Qz9"),
        with(review, 404, api("practice/reviews/77"), r#"{"text":"Rh8"}"#, "no such slip"),
        with(rush, 400, api("practice/rush"), r#"{"endgames":[],"task":"win"}"#, "needs an endgame"),
        with(rush, 404, api("practice/rush"), r#"{"endgames":["KRPKR"],"task":"win"}"#, "KRPKR"),
        with(answers, 400, api("practice/rush/answers"), r#"{"rush":{"metric":"dtc","seed":1,"seconds":9,"positions":[],"answers":[],"out_of_time":false},"text":"Qz9","at":1}"#, "over"),
        case("get /api/v1/fleet", 404, &api("fleet"), "--queue"),
    ]);
    cases
}

/// Requests that fail without a history and an engine.
fn lacking() -> Vec<Case> {
    [
        ("progress", "history"),
        ("reviews", "history"),
        ("history", "history"),
        ("history.pgn", "history"),
    ]
    .map(|(path, says)| -> Case {
        let route = match path {
            "progress" => "get /api/v1/practice/progress",
            "reviews" => "get /api/v1/practice/reviews",
            "history" => "get /api/v1/practice/history",
            _ => "get /api/v1/practice/history.pgn",
        };
        (route, 404, format!("/api/v1/practice/{path}"), None, says)
    })
    .into_iter()
    .chain([(
        "get /api/v1/engine",
        404,
        "/api/v1/engine".to_owned(),
        None,
        "evaluates no games",
    )])
    .collect()
}

async fn provoke(client: &Client, cases: Vec<Case>, provoked: &mut BTreeSet<String>) {
    for (route, status, path, body, says) in cases {
        let (method, _) = route.split_once(' ').unwrap();
        let asked = request(&method.to_uppercase(), &path);
        let reply = match body {
            Some(body) => {
                let asked = asked.header("content-type", "application/json");
                client.send(asked, body).await
            }
            None => client.send(asked, Body::empty()).await,
        };
        assert_eq!(reply.status, status, "{route} {path}: {}", reply.text);
        assert!(
            reply.error().contains(says),
            "{route} {path}: {}",
            reply.text
        );
        provoked.insert(format!("{route} {status}"));
    }
}

#[tokio::test]
async fn every_failure_of_the_description_is_provoked() {
    let client = Client::new();
    let start = json!({ "start": { "kind": "position", "fen": WON.replace('_', " ") } });
    let begun = client.post("/api/v1/practice/games", &start).await.json();
    let id = begun["session"]["id"].as_str().unwrap();
    // A slip, to be reviewed.
    let acts = format!("/api/v1/practice/games/{id}/acts");
    let slip = json!({ "act": "move", "text": "Ka6" });
    client.post(&acts, &slip).await;
    let mut provoked = BTreeSet::new();
    provoke(&client, cases(id), &mut provoked).await;
    provoke(&Client::bare(), lacking(), &mut provoked).await;
    let document = client.get("/api/v1/openapi.json").await.json();
    let mut promised = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            for status in operation["responses"].as_object().unwrap().keys() {
                if OWN.contains(&status.as_str()) {
                    promised.insert(format!("{method} {path} {status}"));
                }
            }
        }
    }
    let missed: Vec<_> = promised.difference(&provoked).collect();
    assert!(missed.is_empty(), "not provoked: {missed:?}");
}

/// Every route that reads a body refuses one of another type, or a missing one.
#[tokio::test]
async fn bodies_that_are_no_json_are_refused_everywhere() {
    let client = Client::new();
    let document = client.get("/api/v1/openapi.json").await.json();
    let mut asked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        if methods["post"]["requestBody"].is_null() {
            continue;
        }
        let path = path.replace("{id}", "none").replace("{slip}", "1");
        for (kind, body, status) in [
            ("text/plain", "{}", 415),
            ("application/json", "{", 400),
            ("application/json", "[]", 422),
        ] {
            let post = request("POST", &path).header("content-type", kind);
            let reply = client.send(post, body).await;
            assert_eq!(reply.status, status, "{path} {kind} {body}: {}", reply.text);
            assert!(!reply.error().is_empty());
            asked += 1;
        }
    }
    assert!(asked >= 18, "{asked}");
}
