//! The engines that evaluate games: the server's own, and the fleet that it shares with others.

use std::sync::Arc;

use axum::{Json, Router, extract::State, routing::get};
use errare_service::{
    fleet::status::{self, Status},
    rate::ready,
};

use crate::{error::Failure, state::App};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/engine", get(engine))
        .route("/fleet", get(fleet))
}

/// The engine that rates and screens, and the depths for which it has a calibration
#[utoipa::path(
    get, path = "/api/v1/engine", tag = "jobs",
    responses(
        (status = 200, body = ready::Answer),
        (status = 404, description = "no engine", body = Failure),
    )
)]
pub(crate) async fn engine(State(app): State<Arc<App>>) -> Result<Json<ready::Answer>, Failure> {
    let evaluation = app.evaluation()?.clone();
    app.run(move |_, _| ready::answer(&evaluation.engine))
        .await
        .map(Json)
}

/// The queue whose workers evaluate games: its batches, its workers, its dead jobs
#[utoipa::path(
    get, path = "/api/v1/fleet", tag = "jobs",
    responses(
        (status = 200, body = Status),
        (status = 404, description = "this server uses no queue, or it is gone", body = Failure),
    )
)]
pub(crate) async fn fleet(State(app): State<Arc<App>>) -> Result<Json<Status>, Failure> {
    let queue = app.evaluation()?.queue().cloned();
    let queue = queue.ok_or_else(|| {
        Failure::not_found("this server uses no queue; errare serve --queue names one")
    })?;
    app.run(move |_, _| status::answer(&queue)).await.map(Json)
}
