//! `/api/v1`: what the pages ask for. A file a subject; each offers routes.

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

/// What only looks things up, and may be offered to the public.
pub(crate) fn lookups() -> Router<Arc<App>> {
    Router::new()
        .merge(endgames::routes())
        .merge(position::routes())
        .merge(knowledge::routes())
        .merge(practice::lookups())
}

/// What takes long, or keeps something.
pub(crate) fn everything_else() -> Router<Arc<App>> {
    Router::new()
        .merge(jobs::routes())
        .merge(engine::routes())
        .merge(practice::routes())
        .merge(history::routes())
        .merge(rush::routes())
}
