//! Requests to the application as a function.

use std::{net::SocketAddr, path::Path, sync::Arc};

use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode, request::Builder},
};
use errare_service::{
    EngineChoice, Service, Supply, fleet::QueueChoice, practice::history::History,
};
use errare_tables::Store;
use errare_web::{Access, App, EvaluationChoice, Guard, router};
use http_body_util::BodyExt;
use serde_json::Value;
use tempfile::TempDir;
use tower::ServiceExt;

/// The application with its own tables.
pub(crate) struct Client {
    router: Router,
    directory: TempDir,
}

/// The response.
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) text: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }

    /// The sentence of a failure.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().expect("an error").to_owned()
    }
}

impl Client {
    pub(crate) fn new() -> Client {
        Client::with_access(Access::ThisMachine)
    }

    pub(crate) fn with_access(access: Access) -> Client {
        let (app, directory) = application(guard(access));
        Client {
            router: router(Arc::new(app)),
            directory,
        }
    }

    /// Without history and engine.
    pub(crate) fn bare() -> Client {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path().join("tables"), 1 << 24);
        let service = Service {
            tables: Supply::new(store),
        };
        let app = App::new(service, guard(Access::ThisMachine));
        Client {
            router: router(Arc::new(app)),
            directory,
        }
    }

    /// With a given engine instead of the one that only identifies itself.
    pub(crate) fn with_engine(engine: EngineChoice) -> Client {
        Client::evaluating(|_| engine)
    }

    /// With a queue that is empty.
    pub(crate) fn with_queue() -> Client {
        Client::evaluating(|directory| {
            let queue = QueueChoice {
                address: directory.join("fleet.jobs").display().to_string(),
                ..QueueChoice::default()
            };
            queue.open().unwrap();
            queued(queue)
        })
    }

    /// With the queue at an address.
    pub(crate) fn with_queue_at(address: &str) -> Client {
        let queue = QueueChoice {
            address: address.to_owned(),
            ..QueueChoice::default()
        };
        Client::evaluating(|_| queued(queue))
    }

    fn evaluating(engine: impl FnOnce(&Path) -> EngineChoice) -> Client {
        let (app, directory) = application(guard(Access::ThisMachine));
        let app = app.with_evaluation(EvaluationChoice {
            engine: engine(directory.path()),
            study: directory.path().join("evaluations.db"),
        });
        Client {
            router: router(Arc::new(app)),
            directory,
        }
    }

    /// The directory with all its files.
    pub(crate) fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// The file of its history.
    pub(crate) fn history(&self) -> History {
        History::open(self.directory.path().join("practice.sqlite")).unwrap()
    }

    pub(crate) async fn send(&self, request: Builder, body: impl Into<Body>) -> Reply {
        let request = request.body(body.into()).unwrap();
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        Reply {
            status,
            headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Reply {
        self.send(request("GET", path), Body::empty()).await
    }

    pub(crate) async fn delete(&self, path: &str) -> Reply {
        self.send(request("DELETE", path), Body::empty()).await
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Reply {
        let request = request("POST", path).header("content-type", "application/json");
        self.send(request, body.to_string()).await
    }
}

fn guard(access: Access) -> Guard {
    let address = match access {
        Access::ThisMachine => "127.0.0.1:8651",
        _ => "0.0.0.0:8651",
    };
    let address: SocketAddr = address.parse().unwrap();
    Guard::new(access, address, Vec::new())
}

/// An engine whose positions the workers of a queue evaluate.
fn queued(queue: QueueChoice) -> EngineChoice {
    EngineChoice {
        queue: Some(queue),
        ..namesake()
    }
}

/// An engine that identifies itself as Stockfish, and does nothing else.
fn namesake() -> EngineChoice {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite/stockfish.sh");
    EngineChoice {
        path: Some(path),
        silence: Some(5),
        ..EngineChoice::default()
    }
}

/// The application with its own tables and history.
pub(crate) fn application(guard: Guard) -> (App, TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("tables"), 1 << 24);
    let tables = Supply::new(store).with_memory(1 << 30);
    let history = History::open(directory.path().join("practice.sqlite")).unwrap();
    let app = App::new(Service { tables }, guard)
        .with_history(history)
        .with_evaluation(EvaluationChoice {
            engine: namesake(),
            study: directory.path().join("evaluations.db"),
        });
    (app, directory)
}

/// A request from one of the server's own pages.
pub(crate) fn request(method: &str, path: &str) -> Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", "127.0.0.1:8651")
}
