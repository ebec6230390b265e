//! Games that were sent for analysis, so that the address of an analysis can be opened again.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::get,
};
use errare_service::practice::history::{Collection, CollectionSummary};

use crate::{error::Failure, state::App};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/collections", get(list))
        .route("/collections/{id}", get(collection).delete(erase))
}

fn missing() -> Failure {
    Failure::not_found("these games are not here: only the last that were sent are kept")
}

/// The games that were sent for analysis, the last first
#[utoipa::path(get, path = "/api/v1/collections", tag = "jobs", responses((status = 200, body = Vec<CollectionSummary>)))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
) -> Result<Json<Vec<CollectionSummary>>, Failure> {
    let history = app.games().collections();
    let all = app.run(move |_, _| Ok(history.collections()?)).await?;
    Ok(Json(all))
}

/// Games that were sent for analysis
#[utoipa::path(
    get, path = "/api/v1/collections/{id}", tag = "jobs", params(("id" = String, Path, description = "the collection of a job's status")),
    responses((status = 200, body = Collection), (status = 404, description = "not kept, or not any longer", body = Failure))
)]
pub(crate) async fn collection(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Collection>, Failure> {
    let history = app.games().collections();
    let found = app.run(move |_, _| Ok(history.collection(&id)?)).await?;
    found.map(Json).ok_or_else(missing)
}

/// Deletes games that were sent for analysis, and what came of it
#[utoipa::path(
    delete, path = "/api/v1/collections/{id}", tag = "jobs", params(("id" = String, Path, description = "the collection")),
    responses((status = 204, description = "nothing is left"), (status = 404, description = "not kept, or not any longer", body = Failure))
)]
pub(crate) async fn erase(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<StatusCode, Failure> {
    app.jobs().forget_collections(Some(&id));
    let history = app.games().collections();
    let erased = app.run(move |_, _| Ok(history.erase_collection(&id)?));
    match erased.await? {
        true => Ok(StatusCode::NO_CONTENT),
        false => Err(missing()),
    }
}
