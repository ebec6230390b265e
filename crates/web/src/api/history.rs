//! The history of practice: progress, due slips, export and deletion.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, State, rejection::JsonRejection},
    http::StatusCode,
    response::IntoResponse,
    routing::{get, post},
};
use errare_service::practice::history::{Export, Progress, Reviewed, Reviews, Try, now};

use super::practice::PGN;
use crate::{error::Failure, state::App};

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/practice/progress", get(progress))
        .route("/practice/reviews", get(reviews))
        .route("/practice/reviews/{slip}", post(review))
        .route("/practice/history", get(export).delete(erase))
        .route("/practice/history.pgn", get(export_pgn))
}

/// Progress in practice
#[utoipa::path(get, path = "/api/v1/practice/progress", tag = "history", responses((status = 200, body = Progress), (status = 404, description = "no history is kept", body = Failure)))]
pub(crate) async fn progress(State(app): State<Arc<App>>) -> Result<Json<Progress>, Failure> {
    let history = app.games().history()?;
    let progress = app.run(move |_, _| Ok(history.progress(now())?)).await?;
    Ok(Json(progress))
}

/// The slips due for review
#[utoipa::path(get, path = "/api/v1/practice/reviews", tag = "history", responses((status = 200, body = Reviews), (status = 404, description = "no history is kept", body = Failure)))]
pub(crate) async fn reviews(State(app): State<Arc<App>>) -> Result<Json<Reviews>, Failure> {
    let history = app.games().history()?;
    let reviews = app.run(move |_, _| Ok(history.reviews(now())?)).await?;
    Ok(Json(reviews))
}

/// Reviews a slip and schedules its next review
#[utoipa::path(
    post, path = "/api/v1/practice/reviews/{slip}", tag = "history", request_body = Try,
    params(("slip" = i64, Path, description = "the slip's number")),
    responses(
        (status = 200, body = Reviewed),
        (status = 400, description = "not a legal move", body = Failure),
        (status = 404, description = "no such slip", body = Failure),
    )
)]
pub(crate) async fn review(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    tried: Result<Json<Try>, JsonRejection>,
) -> Result<Json<Reviewed>, Failure> {
    let Json(tried) = tried?;
    let missing = || Failure::not_found("there is no such slip");
    let id: i64 = id.parse().map_err(|_| missing())?;
    let history = app.games().history()?;
    let slips = {
        let history = history.clone();
        app.run(move |_, _| Ok(history.slips()?)).await?
    };
    let slip = slips.into_iter().find(|slip| slip.id == id);
    let slip = slip.ok_or_else(missing)?;
    let reviewed = app.look_up(slip.endgame, move |service, watch| {
        history.review(service, &slip, &tried, now(), watch)
    });
    Ok(Json(reviewed.await?))
}

/// The whole history, as JSON
#[utoipa::path(get, path = "/api/v1/practice/history", tag = "history", responses((status = 200, body = Export), (status = 404, description = "no history is kept", body = Failure)))]
pub(crate) async fn export(State(app): State<Arc<App>>) -> Result<Json<Export>, Failure> {
    let history = app.games().history()?;
    let export = app.run(move |_, _| Ok(history.export()?)).await?;
    Ok(Json(export))
}

/// All games, as annotated PGN
#[utoipa::path(
    get, path = "/api/v1/practice/history.pgn", tag = "history",
    responses(
        (status = 200, description = "the games", content_type = "application/x-chess-pgn", body = String),
        (status = 404, description = "no history is kept", body = Failure),
    )
)]
pub(crate) async fn export_pgn(
    State(app): State<Arc<App>>,
) -> Result<impl IntoResponse + use<>, Failure> {
    let history = app.games().history()?;
    let sessions = app.run(move |_, _| Ok(history.sessions()?)).await?;
    let games: Vec<String> = sessions.iter().map(errare_report::practice::pgn).collect();
    Ok((PGN, games.join("\n")))
}

/// Deletes all games, slips, reviews, and games that were sent for analysis
#[utoipa::path(delete, path = "/api/v1/practice/history", tag = "history", responses((status = 204, description = "nothing is left")))]
pub(crate) async fn erase(State(app): State<Arc<App>>) -> Result<StatusCode, Failure> {
    app.jobs().forget_collections(None);
    let games = app.games().clone();
    app.run(move |_, _| games.erase()).await?;
    Ok(StatusCode::NO_CONTENT)
}
