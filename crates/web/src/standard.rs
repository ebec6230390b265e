//! lila-tablebase's HTTP interface, so that its clients work unchanged, with additional fields.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Query, State, rejection::QueryRejection},
    routing::get,
};
use errare_core::{Colour, Material, Metric, parse_position};
use errare_service::{line, probe};
use serde::{Deserialize, Serialize};
use shakmaty::Position;
use utoipa::{IntoParams, ToSchema};

use crate::{error::Failure, state::App};

/// Seconds after which a comparison in DTR returns bounds. Comparisons in other metrics do not wait for DTR at all.
const LONGEST_COMPARISON: f64 = 5.0;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/standard", get(verdict))
        .route("/standard/mainline", get(mainline))
}

/// A position, and how to compare its moves.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Question {
    /// The position; underscores may stand for spaces.
    #[param(example = "K3r3/8/5k2/Q7/8/8/8/8_w_-_-_0_1")]
    pub(crate) fen: String,
    /// The metric in which moves are compared: dtm, dtc, dtz or dtr.
    #[serde(default)]
    #[param(example = "dtc")]
    pub(crate) metric: Option<String>,
}

impl Question {
    /// The endgame on the board.
    pub(crate) fn endgame(&self) -> Result<Material, Failure> {
        let position = parse_position(&self.fen);
        let position = position.map_err(|error| Failure::bad_request(error.to_string()))?;
        Ok(Material::of(position.board()).0)
    }

    pub(crate) fn metric(&self) -> Result<Metric, Failure> {
        self.metric_or(Metric::Dtc)
    }

    fn metric_or(&self, usual: Metric) -> Result<Metric, Failure> {
        match &self.metric {
            None => Ok(usual),
            Some(name) => name
                .parse()
                .map_err(|error: errare_core::ParseMetricError| {
                    Failure::bad_request(error.to_string())
                }),
        }
    }
}

/// The value of a position and of each of its moves
///
/// A superset of lila-tablebase's answer. Depths are signed plies for the side to move; a move is described by the
/// position after it. `moves_to` has the winner's moves, `mark` and `ceded` compare moves in the metric.
#[utoipa::path(
    get, path = "/standard", tag = "look-up", params(Question),
    responses(
        (status = 200, description = "the verdict", body = probe::Answer),
        (status = 400, description = "no such position or metric", body = Failure),
        (status = 404, description = "no table for this position", body = Failure),
    )
)]
pub(crate) async fn verdict(
    State(app): State<Arc<App>>,
    question: Result<Query<Question>, QueryRejection>,
) -> Result<Json<probe::Answer>, Failure> {
    let Query(question) = question?;
    let metric = question.metric()?;
    let request = probe::Request {
        metric,
        seconds: Some(match metric {
            Metric::Dtr => LONGEST_COMPARISON,
            _ => 0.0,
        }),
        ..probe::Request::new(&question.fen)
    };
    app.look_up(question.endgame()?, move |service, watch| {
        probe::answer(service, &request, watch)
    })
    .await
    .map(Json)
    .map_err(unheld)
}

/// A position that no table can hold, with castling rights or too many men, is not found, as in lila-tablebase.
fn unheld(failure: Failure) -> Failure {
    match failure.is_bad_request() {
        true => Failure::not_found(failure.error),
        false => failure,
    }
}

/// A line of best play, as in lila-tablebase.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Mainline {
    /// The starting position.
    fen: String,
    /// The verdict on it.
    #[serde(flatten)]
    position: probe::PositionVerdict,
    /// The tables it comes from.
    source: probe::Authority,
    /// The metric in which play is best.
    metric: Metric,
    /// The side that mates, `w` or `b`; null for a draw, including a win spoilt by the 50-move rule.
    winner: Option<&'static str>,
    /// The result of the line, as in PGN.
    result: String,
    /// The moves, each with the verdict on the position after it.
    mainline: Vec<probe::ProbedMove>,
}

impl From<line::Answer> for Mainline {
    fn from(line: line::Answer) -> Mainline {
        Mainline {
            fen: line.fen,
            position: line.position,
            source: line.source,
            metric: line.metric,
            winner: line.winner.map(|winner| match winner {
                Colour::White => "w",
                Colour::Black => "b",
            }),
            result: line.result,
            mainline: line.mainline,
        }
    }
}

/// A line of best play
///
/// Each side plays the first move of its verdict in the metric (DTZ by default), to mate or until a draw can be claimed
/// by the 50-move rule. A drawn position has no moves in its line.
#[utoipa::path(
    get, path = "/standard/mainline", tag = "look-up", params(Question),
    responses(
        (status = 200, description = "the line", body = Mainline),
        (status = 400, description = "no such position or metric", body = Failure),
        (status = 404, description = "no table for this position", body = Failure),
    )
)]
pub(crate) async fn mainline(
    State(app): State<Arc<App>>,
    question: Result<Query<Question>, QueryRejection>,
) -> Result<Json<Mainline>, Failure> {
    let Query(question) = question?;
    let request = line::Request {
        metric: question.metric_or(Metric::Dtz)?,
        to_conversion: false,
        syzygy: Vec::new(),
        fen: question.fen.clone(),
    };
    let line = app
        .look_up(question.endgame()?, move |service, watch| {
            line::answer(service, &request, watch)?.with_claims()
        })
        .await
        .map_err(unheld)?;
    Ok(Json(line.into()))
}
