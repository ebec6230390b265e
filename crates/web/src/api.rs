//! `/api/v1`: the API behind the pages. One file per subject; each provides routes.

pub(crate) mod collections;
pub(crate) mod endgames;
pub(crate) mod engine;
pub(crate) mod history;
pub(crate) mod jobs;
pub(crate) mod knowledge;
pub(crate) mod position;
pub(crate) mod practice;
pub(crate) mod rush;

use std::sync::Arc;

use axum::Router;

use crate::state::App;

/// Read-only lookups, which may be offered to the public.
pub(crate) fn lookups() -> Router<Arc<App>> {
    Router::new()
        .merge(endgames::routes())
        .merge(position::routes())
        .merge(knowledge::routes())
        .merge(practice::lookups())
}

/// Routes that take long or store something.
pub(crate) fn everything_else() -> Router<Arc<App>> {
    Router::new()
        .merge(jobs::routes())
        .merge(collections::routes())
        .merge(engine::routes())
        .merge(practice::routes())
        .merge(history::routes())
        .merge(rush::routes())
}
