//! Positions: the choices of players of every competence.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Query, State, rejection::QueryRejection},
    routing::get,
};
use errare_core::{Competence, Metric};
use errare_service::{
    advise::{self, AdviseSettings},
    choices,
    model::Model,
};
use serde::Deserialize;
use utoipa::IntoParams;

use crate::{error::Failure, standard::Question, state::App};

/// The competences of a curve.
const CURVE: std::ops::RangeInclusive<u16> = 0..=60;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/choices", get(choices))
        .route("/advise", get(advise))
}

/// An opponent of known competence.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Against {
    /// The position; underscores may stand for spaces.
    #[param(example = "K3r3/8/5k2/Q7/8/8/8/8_w_-_-_0_1")]
    fen: String,
    /// The metric in which depth counts: dtm, dtc, dtz or dtr.
    #[serde(default)]
    metric: Option<String>,
    /// The opponent's competence c.
    skill: f64,
}

/// The move that sets an opponent of this competence the hardest task
#[utoipa::path(
    get, path = "/api/v1/advise", tag = "look-up", params(Against),
    responses(
        (status = 200, description = "every move, the best first", body = advise::Answer),
        (status = 400, description = "no such position, metric or competence", body = Failure),
        (status = 404, description = "no table for this position", body = Failure),
    )
)]
pub(crate) async fn advise(
    State(app): State<Arc<App>>,
    against: Result<Query<Against>, QueryRejection>,
) -> Result<Json<advise::Answer>, Failure> {
    let Query(Against { fen, metric, skill }) = against?;
    let question = Question { fen, metric };
    let skill = Competence::new(skill)
        .ok_or_else(|| Failure::bad_request("a competence is a number from -10000 to 10000"))?;
    let endgame = question.endgame()?;
    let metric: Metric = question.metric()?;
    let request = advise::Request {
        fen: question.fen,
        settings: AdviseSettings {
            skill: Some(skill),
            observed: None,
            opponent: None,
            prior: AdviseSettings::prior(),
            plies: AdviseSettings::plies(),
            hunter: false,
            model: Model {
                metric,
                ..Model::default()
            },
        },
    };
    app.look_up(endgame, move |service, watch| {
        advise::answer(service, &request, watch)
    })
    .await
    .map(Json)
}

/// The probability of each move for players of competence 0 to 60, and its cost
#[utoipa::path(
    get, path = "/api/v1/choices", tag = "look-up", params(Question),
    responses(
        (status = 200, body = choices::Answer),
        (status = 400, description = "no such position or metric", body = Failure),
        (status = 404, description = "no table for this position", body = Failure),
    )
)]
pub(crate) async fn choices(
    State(app): State<Arc<App>>,
    question: Result<Query<Question>, QueryRejection>,
) -> Result<Json<choices::Answer>, Failure> {
    let Query(question) = question?;
    let endgame = question.endgame()?;
    let request = choices::Request {
        metric: question.metric()?,
        fen: question.fen,
        competences: CURVE.map(f64::from).collect(),
    };
    app.look_up(endgame, move |service, watch| {
        choices::answer(service, &request, watch)
    })
    .await
    .map(Json)
}
