//! Practice: games against an opponent that fights back, and the choice of starts.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, State, rejection::JsonRejection},
    http::{HeaderName, StatusCode, header::CONTENT_TYPE},
    response::IntoResponse,
    routing::{get, post},
};
use errare_core::{Material, parse_position};
use errare_service::{
    library::{self, LibraryEntry},
    practice::{self, Act, Answer, Drill, Report, Request, Session, Start, drills},
};
use shakmaty::Position;

use super::jobs::must_leave_engine_open;
use crate::{error::Failure, state::App};

/// The content type of PGN.
pub(super) const PGN: [(HeaderName, &str); 1] = [(CONTENT_TYPE, "application/x-chess-pgn")];

/// Read-only lists to choose from.
pub(super) fn lookups() -> Router<Arc<App>> {
    Router::new().route("/practice/library", get(list_library))
}

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/practice/drills", get(list_drills))
        .route("/practice/games", post(begin))
        .route("/practice/games/{id}", get(resume))
        .route("/practice/games/{id}/acts", post(act))
        .route("/practice/games/{id}/report", get(report))
        .route("/practice/games/{id}/pgn", get(pgn))
}

/// Classic positions to practise
#[utoipa::path(get, path = "/api/v1/practice/drills", tag = "practice", responses((status = 200, body = Vec<Drill>)))]
pub(crate) async fn list_drills() -> Json<&'static [Drill]> {
    Json(drills())
}

/// Endgames to practise, easiest first
#[utoipa::path(get, path = "/api/v1/practice/library", tag = "practice", responses((status = 200, body = Vec<LibraryEntry>)))]
pub(crate) async fn list_library() -> Json<&'static [LibraryEntry]> {
    Json(library::entries())
}

/// Begins a game
///
/// If it is the opponent's turn, the opponent moves at once.
#[utoipa::path(
    post, path = "/api/v1/practice/games", tag = "practice", request_body = Request,
    responses(
        (status = 201, description = "the game", body = Answer),
        (status = 400, description = "no such start, side or opponent", body = Failure),
        (status = 404, description = "the tables are missing", body = Failure),
    )
)]
pub(crate) async fn begin(
    State(app): State<Arc<App>>,
    request: Result<Json<Request>, JsonRejection>,
) -> Result<(StatusCode, Json<Answer>), Failure> {
    let Json(request) = request?;
    if let Some(Ok(opponent)) = request.opponent.as_deref().map(str::parse) {
        must_leave_engine_open(&opponent)?;
    }
    let endgame = endgame(&request.start)?;
    let games = app.games().clone();
    let answer = app
        .look_up(endgame, move |service, watch| {
            let answer = practice::begin(service, &request, watch)?;
            games.keep(&answer)?;
            Ok(answer)
        })
        .await?;
    Ok((StatusCode::CREATED, Json(answer)))
}

/// The current state of a game
#[utoipa::path(
    get, path = "/api/v1/practice/games/{id}", tag = "practice",
    params(("id" = String, Path, description = "the game")),
    responses(
        (status = 200, body = Answer),
        (status = 404, description = "no such game", body = Failure),
    )
)]
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Answer>, Failure> {
    Ok(Json(standing(&app, id).await?))
}

/// Performs an action in a game: a move, a hint, a takeback, a draw offer
#[utoipa::path(
    post, path = "/api/v1/practice/games/{id}/acts", tag = "practice", request_body = Act,
    params(("id" = String, Path, description = "the game")),
    responses(
        (status = 200, description = "the game as it then is, and what happened", body = Answer),
        (status = 400, description = "that cannot be done", body = Failure),
        (status = 404, description = "no such game", body = Failure),
    )
)]
pub(crate) async fn act(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    act: Result<Json<Act>, JsonRejection>,
) -> Result<Json<Answer>, Failure> {
    let Json(act) = act?;
    let session = found(&app, id).await?;
    let games = app.games().clone();
    let answer = app
        .look_up(session.setup.endgame, move |service, watch| {
            let answer = practice::act(service, &session, &act, watch)?;
            games.keep(&answer)?;
            Ok(answer)
        })
        .await?;
    Ok(Json(answer))
}

/// The report on a game in words, and what to practise next
#[utoipa::path(
    get, path = "/api/v1/practice/games/{id}/report", tag = "practice",
    params(("id" = String, Path, description = "the game")),
    responses((status = 200, body = Report), (status = 404, description = "no such game", body = Failure))
)]
pub(crate) async fn report(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Json<Report>, Failure> {
    let answer = standing(&app, id).await?;
    let kept = app.games().history().is_ok();
    Ok(Json(practice::report(&answer, kept)))
}

/// A game as annotated PGN
#[utoipa::path(
    get, path = "/api/v1/practice/games/{id}/pgn", tag = "practice",
    params(("id" = String, Path, description = "the game")),
    responses(
        (status = 200, description = "the game", content_type = "application/x-chess-pgn", body = String),
        (status = 404, description = "no such game", body = Failure),
    )
)]
pub(crate) async fn pgn(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<impl IntoResponse, Failure> {
    let session = found(&app, id).await?;
    Ok((PGN, errare_report::practice::pgn(&session)))
}

/// The game with this id.
async fn found(app: &App, id: String) -> Result<Session, Failure> {
    let games = app.games().clone();
    let session = app.run(move |_, _| games.find(&id)).await?;
    session.ok_or_else(|| Failure::not_found("there is no such game"))
}

/// The current state of the game with this id.
async fn standing(app: &App, id: String) -> Result<Answer, Failure> {
    let session = found(app, id).await?;
    app.look_up(session.setup.endgame, move |service, watch| {
        practice::resume(service, &session, watch)
    })
    .await
}

/// The endgame whose tables a start needs.
fn endgame(start: &Start) -> Result<Material, Failure> {
    match start {
        Start::Random { endgame, .. } | Start::Tricky { endgame, .. } => Ok(*endgame),
        Start::Drill { name } => Ok(Drill::named(name)?.endgame()),
        Start::Position { fen } => {
            let position = parse_position(fen);
            let position = position.map_err(|error| Failure::bad_request(error.to_string()))?;
            Ok(Material::of(position.board()).0)
        }
    }
}
