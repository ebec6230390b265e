//! The OpenAPI description of the API.

use std::sync::{Arc, OnceLock};

use axum::{Router, body::Bytes, http::header::CONTENT_TYPE, response::IntoResponse, routing::get};
use utoipa::{
    Modify, OpenApi,
    openapi::{Content, Ref, Response, path::Operation},
};

use crate::{api, error::Failure, standard, state::App};

/// All routes of the server.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Errare",
        description = "Endgames, and the fallible players who play them: look-ups, practice, analysis. `/standard` answers as lila-tablebase does."
    ),
    modifiers(&UsualFailures),
    components(schemas(Failure)),
    paths(
        describe,
        standard::verdict,
        standard::mainline,
        api::position::choices,
        api::position::advise,
        api::endgames::statistics,
        api::endgames::tables,
        api::knowledge::papers,
        api::knowledge::population,
        api::practice::list_drills,
        api::practice::list_library,
        api::practice::begin,
        api::practice::resume,
        api::practice::act,
        api::practice::report,
        api::practice::pgn,
        api::rush::begin,
        api::rush::answer,
        api::history::progress,
        api::history::reviews,
        api::history::review,
        api::history::export,
        api::history::export_pgn,
        api::history::erase,
        api::collections::list,
        api::collections::collection,
        api::collections::erase,
        api::jobs::list,
        api::jobs::start,
        api::jobs::status,
        api::jobs::cancel,
        api::jobs::answer,
        api::jobs::events,
        api::engine::engine,
        api::engine::fleet,
    )
)]
struct Description;

/// Adds the failures that any route may return, which the routes themselves do not repeat.
struct UsualFailures;

/// Failures of every route.
const OF_ALL: [(&str, &str); 1] = [("503", "too much is going on, or it would take too long")];

/// Failures of routes that read a body.
const OF_BODIES: [(&str, &str); 5] = [
    ("400", "not JSON, or it makes no sense"),
    ("408", "the body does not arrive"),
    ("413", "more than 8 MiB"),
    ("415", "not sent as application/json"),
    (
        "422",
        "something is missing in the request, or of another type",
    ),
];

impl Modify for UsualFailures {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        for path in document.paths.paths.values_mut() {
            let operations = [&mut path.get, &mut path.post, &mut path.delete];
            for operation in operations.into_iter().flatten() {
                add_failures(operation);
            }
        }
    }
}

fn add_failures(operation: &mut Operation) {
    let of_bodies = match operation.request_body {
        Some(_) => &OF_BODIES[..],
        None => &[],
    };
    for (status, description) in OF_ALL.iter().chain(of_bodies) {
        let failure = Content::new(Some(Ref::from_schema_name("Failure")));
        let mut response = Response::new(*description);
        response
            .content
            .insert("application/json".to_owned(), failure.into());
        let responses = &mut operation.responses.responses;
        responses
            .entry((*status).to_owned())
            .or_insert_with(|| response.into());
    }
}

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/api/v1/openapi.json", get(describe))
}

/// This document
#[utoipa::path(get, path = "/api/v1/openapi.json", tag = "look-up", responses((status = 200, description = "OpenAPI", body = serde_json::Value)))]
async fn describe() -> impl IntoResponse {
    static TEXT: OnceLock<Bytes> = OnceLock::new();
    let text = TEXT.get_or_init(|| document().to_json().unwrap_or_default().into());
    ([(CONTENT_TYPE, "application/json")], text.clone())
}

/// The OpenAPI document.
pub fn document() -> utoipa::openapi::OpenApi {
    Description::openapi()
}
