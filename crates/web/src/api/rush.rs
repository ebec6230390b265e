//! A rush: positions against the clock. It is plain data that the page keeps and sends back with each answer; its slips go into the
//! history.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{State, rejection::JsonRejection},
    http::StatusCode,
    routing::post,
};
use errare_service::practice::{
    Rush, RushRequest, RushResult, answer_rush, begin_rush, history::now,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{error::Failure, state::App};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/practice/rush", post(begin))
        .route("/practice/rush/answers", post(answer))
}

/// A rush and its result so far.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct RushStanding {
    /// The rush.
    rush: Rush,
    /// Its result so far.
    result: RushResult,
}

/// An answer to the next position.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct RushMove {
    /// The rush so far.
    rush: Rush,
    /// The move, as typed.
    text: String,
    /// Seconds since the rush began.
    at: f64,
}

/// Draws the positions of a rush
#[utoipa::path(
    post, path = "/api/v1/practice/rush", tag = "practice", request_body = RushRequest,
    responses(
        (status = 201, body = RushStanding),
        (status = 400, description = "no such rush", body = Failure),
        (status = 404, description = "tables are missing", body = Failure),
    )
)]
pub(crate) async fn begin(
    State(app): State<Arc<App>>,
    request: Result<Json<RushRequest>, JsonRejection>,
) -> Result<(StatusCode, Json<RushStanding>), Failure> {
    let Json(request) = request?;
    let greatest = request.endgames.iter().max_by_key(|endgame| endgame.men());
    let Some(greatest) = greatest.copied() else {
        return Err(Failure::bad_request("a rush needs an endgame"));
    };
    let rush = app.look_up(greatest, move |service, watch| {
        begin_rush(service, &request, watch)
    });
    Ok((StatusCode::CREATED, Json(stands(rush.await?))))
}

/// Answers the next position of a rush
#[utoipa::path(
    post, path = "/api/v1/practice/rush/answers", tag = "practice", request_body = RushMove,
    responses(
        (status = 200, body = RushStanding),
        (status = 400, description = "not a legal move, or the rush is over", body = Failure),
    )
)]
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    request: Result<Json<RushMove>, JsonRejection>,
) -> Result<Json<RushStanding>, Failure> {
    let Json(RushMove { rush, text, at }) = request?;
    if rush.answers.len() > rush.positions.len() {
        return Err(Failure::bad_request("a rush has an answer a position"));
    }
    let Some(endgame) = rush.next().map(|position| position.endgame) else {
        return Err(Failure::bad_request("the rush is over"));
    };
    let history = app.games().history().ok();
    let rush = app.look_up(endgame, move |service, watch| {
        let next = answer_rush(service, &rush, &text, at, watch)?;
        if let Some(history) = history.filter(|_| next.answers.len() > rush.answers.len()) {
            history.save_rush(&next, now())?;
        }
        Ok(next)
    });
    Ok(Json(stands(rush.await?)))
}

fn stands(rush: Rush) -> RushStanding {
    RushStanding {
        result: rush.result(),
        rush,
    }
}
