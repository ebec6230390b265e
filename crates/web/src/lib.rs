//! The workbench: an HTTP API over `errare-service`, and the pages that use it.
//!
//! The key decision is that handlers only translate: a request in, a function of the service, its answer out. What a page
//! shows is what `errare --json` prints, and other programs can have it too: [`document`] describes the whole API.
//!
//! [`router`] is the application as a function, which tests call without a socket; [`serve`] binds it to an address, and
//! [`Site`] says which, and who may visit it. `guard` controls access, `gate` limits concurrency, and `jobs` has long work,
//! which is followed and cancelled by its id.
//!
//! ```
//! use std::sync::Arc;
//! use axum::{body::Body, http::Request};
//! use errare_service::{Service, Supply};
//! use errare_tables::Store;
//! use errare_web::{Access, App, Guard, router};
//! use tower::ServiceExt;
//!
//! # let directory = errare_testing::scratch_directory();
//! let service = Service { tables: Supply::new(Store::open(directory, 16 << 20)) };
//! let guard = Guard::new(Access::ThisMachine, "127.0.0.1:8651".parse()?, Vec::new());
//! let application = router(Arc::new(App::new(service, guard)));
//! let question = Request::get("/standard?fen=8/8/8/8/8/2k5/7Q/K7_w_-_-_0_1")
//!     .header("host", "127.0.0.1:8651")
//!     .body(Body::empty())?;
//! let runtime = tokio::runtime::Runtime::new()?;
//! let answer = runtime.block_on(application.oneshot(question))?;
//! assert_eq!(answer.status(), 200);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod api;
mod browser;
mod error;
mod evaluation;
mod games;
mod gate;
mod guard;
mod jobs;
mod openapi;
mod pages;
mod patience;
mod server;
mod site;
mod standard;
mod state;

pub use evaluation::EvaluationChoice;
pub use guard::{Access, Guard};
pub use openapi::document;
pub use server::serve;
pub use site::{AccessError, FirstPage, Furniture, Site};
pub use state::App;

use std::{sync::Arc, time::Duration};

use axum::{Router, extract::DefaultBodyLimit, http::StatusCode, middleware};
use tower_http::{compression::CompressionLayer, timeout::TimeoutLayer};

/// Maximum size of a request's body: a PGN of some thousand games.
const LARGEST_BODY: usize = 8 << 20;
/// The time limit of a request; longer work is a job.
const LONGEST_REQUEST: Duration = Duration::from_secs(30);
/// The total time limit of a request, including receiving its body and waiting for its turn.
const LONGEST_STAY: Duration = Duration::from_secs(90);

/// The application.
pub fn router(app: Arc<App>) -> Router {
    let read_only = app.guard().access().is_read_only();
    let mut routes = Router::new()
        .merge(pages::routes())
        .merge(standard::routes())
        .merge(openapi::routes())
        .nest("/api/v1", api::lookups());
    if !read_only {
        routes = routes.nest("/api/v1", api::everything_else());
    }
    routes
        .fallback(error::no_such_route)
        .method_not_allowed_fallback(error::no_such_method)
        .with_state(app.clone())
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::REQUEST_TIMEOUT,
            LONGEST_STAY,
        ))
        .layer(CompressionLayer::new().gzip(true))
        .layer(middleware::from_fn_with_state(app, guard::check))
}
