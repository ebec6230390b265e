//! The description of the API.

use std::collections::BTreeSet;

use axum::http::StatusCode;

use crate::client::Client;

/// The routes that clients rely on. A new route is added here; removing or renaming one breaks them.
const ROUTES: [&str; 35] = [
    "delete /api/v1/jobs/{id}",
    "delete /api/v1/practice/history",
    "get /api/v1/practice/games/{id}/pgn",
    "get /api/v1/practice/games/{id}/report",
    "get /api/v1/practice/history",
    "get /api/v1/practice/history.pgn",
    "get /api/v1/practice/progress",
    "get /api/v1/practice/reviews",
    "post /api/v1/practice/reviews/{slip}",
    "post /api/v1/practice/rush",
    "post /api/v1/practice/rush/answers",
    "get /api/v1/advise",
    "get /api/v1/choices",
    "get /api/v1/endgames/{name}/statistics",
    "get /api/v1/engine",
    "get /api/v1/fleet",
    "get /api/v1/jobs",
    "get /api/v1/jobs/{id}",
    "get /api/v1/jobs/{id}/answer",
    "get /api/v1/jobs/{id}/events",
    "get /api/v1/papers",
    "get /api/v1/population",
    "get /api/v1/practice/drills",
    "get /api/v1/practice/games/{id}",
    "get /api/v1/practice/library",
    "get /api/v1/tables",
    "get /standard",
    "get /standard/mainline",
    "post /api/v1/jobs",
    "post /api/v1/practice/games",
    "post /api/v1/practice/games/{id}/acts",
    "get /api/v1/collections",
    "get /api/v1/collections/{id}",
    "delete /api/v1/collections/{id}",
    "get /api/v1/openapi.json",
];

#[tokio::test]
async fn the_document_describes_every_route() {
    let reply = Client::new().get("/api/v1/openapi.json").await;
    assert_eq!(reply.status, StatusCode::OK);
    let document = reply.json();
    let described: BTreeSet<String> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().keys();
            methods.map(move |method| format!("{method} {path}"))
        })
        .collect();
    let expected: BTreeSet<String> = ROUTES.map(str::to_owned).into();
    assert_eq!(described, expected);
}

/// Clients are generated from it. `INSTA_UPDATE=always cargo test -p errare-web` accepts an intended
/// change.
#[tokio::test]
async fn the_document_changes_only_on_purpose() {
    let document = Client::new().get("/api/v1/openapi.json").await.json();
    insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
}

/// Every reference leads somewhere.
#[tokio::test]
async fn the_document_is_closed() {
    let text = Client::new().get("/api/v1/openapi.json").await.text;
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    for part in text.split("\"#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(
            !document["components"]["schemas"][name].is_null(),
            "{name} is not described"
        );
    }
}
