//! The history of practice: how it has been going, slips that are due, everything as a file, and the eraser.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, State, rejection::JsonRejection},
    http::StatusCode,
    response::IntoResponse,
    routing::{get, post},
};
use errare_service::practice::{
    Judgement, Session,
    history::{Grade, NextReview, Progress, Slip, now},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

/// Slips that come back.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Reviews {
    /// Those that are due, the gravest first.
    due: Vec<Slip>,
    /// The next one to come back, if none is due.
    next: Option<Slip>,
}

/// A try at a slip.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Try {
    /// The move, as people type it.
    text: String,
    /// Whether a hint was given.
    #[serde(default)]
    hinted: bool,
    /// The seconds that it took.
    #[serde(default)]
    seconds: Option<f64>,
}

/// What came of a try.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Reviewed {
    /// What the move was worth.
    judgement: Judgement,
    /// The same as a sentence, with what was best.
    words: String,
    /// How well that was done.
    grade: Grade,
    /// When the slip comes back.
    next: Option<NextReview>,
}

/// Everything that is kept.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Export {
    /// The games, the oldest first.
    sessions: Vec<Session>,
    /// The slips, the next to come back first.
    slips: Vec<Slip>,
}

/// How practice has been going
#[utoipa::path(get, path = "/api/v1/practice/progress", tag = "history", responses((status = 200, body = Progress), (status = 404, description = "no history is kept", body = Failure)))]
pub(crate) async fn progress(State(app): State<Arc<App>>) -> Result<Json<Progress>, Failure> {
    let history = app.games().history()?;
    let progress = app.run(move |_, _| Ok(history.progress(now())?)).await?;
    Ok(Json(progress))
}

/// The slips that are due
#[utoipa::path(get, path = "/api/v1/practice/reviews", tag = "history", responses((status = 200, body = Reviews), (status = 404, description = "no history is kept", body = Failure)))]
pub(crate) async fn reviews(State(app): State<Arc<App>>) -> Result<Json<Reviews>, Failure> {
    let history = app.games().history()?;
    let reviews = app.run(move |_, _| {
        let due = history.due(now())?;
        let next = match due.is_empty() {
            true => history.slips()?.into_iter().next(),
            false => None,
        };
        Ok(Reviews { due, next })
    });
    Ok(Json(reviews.await?))
}

/// Tries a slip again, and says when it comes back
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
        let judgement = slip.judge(service, &tried.text, watch)?;
        let grade = Grade::of(&judgement, tried.hinted, tried.seconds);
        Ok(Reviewed {
            words: judgement.sentence(),
            judgement,
            grade,
            next: history.grade(id, grade, now())?,
        })
    });
    Ok(Json(reviewed.await?))
}

/// Everything that is kept, as JSON
#[utoipa::path(get, path = "/api/v1/practice/history", tag = "history", responses((status = 200, body = Export), (status = 404, description = "no history is kept", body = Failure)))]
pub(crate) async fn export(State(app): State<Arc<App>>) -> Result<Json<Export>, Failure> {
    let history = app.games().history()?;
    let export = app.run(move |_, _| {
        Ok(Export {
            sessions: history.sessions()?,
            slips: history.slips()?,
        })
    });
    Ok(Json(export.await?))
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

/// Forgets all games, slips and reviews
#[utoipa::path(delete, path = "/api/v1/practice/history", tag = "history", responses((status = 204, description = "nothing is left")))]
pub(crate) async fn erase(State(app): State<Arc<App>>) -> Result<StatusCode, Failure> {
    let games = app.games().clone();
    app.run(move |_, _| games.erase()).await?;
    Ok(StatusCode::NO_CONTENT)
}
