//! Data that needs no computation: the papers' numbers, and the competence of rated players.

use std::sync::Arc;

use axum::{Json, Router, routing::get};
use errare_service::{
    analyse::rated::Typical,
    anchor,
    model::ValueRule,
    reproduce::{PrintedClaim, claims},
};
use serde::Serialize;
use utoipa::ToSchema;

use crate::state::App;

pub(super) fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/papers", get(papers))
        .route("/population", get(population))
}

/// The competence of rated players in their games.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct Population {
    /// The games from which `typical` was measured.
    games: &'static str,
    /// By rating, if moves that lose value are left out.
    typical: &'static [Typical],
    /// The games from which `typical_at_risk` was measured.
    games_at_risk: &'static str,
    /// By rating, if they count as errors: the scale of practice.
    typical_at_risk: &'static [Typical],
}

/// The numbers printed in the five papers, and how they compare
#[utoipa::path(get, path = "/api/v1/papers", tag = "look-up", responses((status = 200, body = Vec<PrintedClaim>)))]
pub(crate) async fn papers() -> Json<Vec<PrintedClaim>> {
    Json(claims())
}

/// The competence of rated players in their games
#[utoipa::path(get, path = "/api/v1/population", tag = "look-up", responses((status = 200, body = Population)))]
pub(crate) async fn population() -> Json<Population> {
    let [keep, risk] = [ValueRule::Keep, ValueRule::Risk].map(anchor::source);
    Json(Population {
        games: &keep.games,
        typical: &keep.population.typical,
        games_at_risk: &risk.games,
        typical_at_risk: &risk.population.typical,
    })
}
