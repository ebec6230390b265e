//! The atlas: statistics of endgames, and the tables available.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, Query, State, rejection::QueryRejection},
    routing::get,
};
use errare_core::{Material, Metric};
use errare_service::tables::{list, stats};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::{error::Failure, state::App};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/endgames/{name}/statistics", get(statistics))
        .route("/tables", get(tables))
}

/// The metric of depths.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct InMetric {
    /// dtm, dtc, dtz or dtr.
    #[serde(default)]
    metric: Option<String>,
}

/// An available table.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Table {
    /// The endgame.
    endgame: Material,
    /// The metric, or `dtz50`.
    metric: String,
    /// Its size in bytes.
    bytes: u64,
    /// Its state.
    state: list::TableState,
}

/// Numbers and depths of the won, drawn and lost positions of an endgame
#[utoipa::path(
    get, path = "/api/v1/endgames/{name}/statistics", tag = "look-up",
    params(("name" = String, Path, description = "the endgame, as KQKR", example = "KQKR"), InMetric),
    responses(
        (status = 200, body = stats::Answer),
        (status = 400, description = "no such endgame or metric", body = Failure),
        (status = 404, description = "its table is missing", body = Failure),
    )
)]
pub(crate) async fn statistics(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    query: Result<Query<InMetric>, QueryRejection>,
) -> Result<Json<stats::Answer>, Failure> {
    let endgame: Material = name
        .parse()
        .map_err(|error: errare_core::ParseMaterialError| {
            Failure::bad_request(error.to_string())
        })?;
    let metric = match query?.0.metric {
        None => Metric::Dtc,
        Some(name) => name
            .parse()
            .map_err(|error: errare_core::ParseMetricError| {
                Failure::bad_request(error.to_string())
            })?,
    };
    let request = stats::Request { endgame, metric };
    app.look_up(endgame, move |service, watch| {
        stats::answer(service, &request, watch)
    })
    .await
    .map(Json)
}

/// The tables available
#[utoipa::path(get, path = "/api/v1/tables", tag = "look-up", responses((status = 200, body = Vec<Table>)))]
pub(crate) async fn tables(State(app): State<Arc<App>>) -> Result<Json<Vec<Table>>, Failure> {
    let files = app.run(|service, _| list::answer(service)).await?;
    let tables = files.into_iter().map(|file| Table {
        endgame: file.endgame,
        metric: file.metric.to_string(),
        bytes: file.bytes,
        state: file.state,
    });
    Ok(Json(tables.collect()))
}
