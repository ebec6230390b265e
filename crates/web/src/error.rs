//! Errors as HTTP responses: the one mapping from kinds to status codes.

use axum::{
    Json,
    extract::rejection::{BytesRejection, JsonRejection, QueryRejection},
    http::{HeaderValue, Method, StatusCode, Uri, header::RETRY_AFTER},
    response::{IntoResponse, Response},
};
use errare_core::{FaultKind, with_causes};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// `Retry-After` in seconds.
const LATER: HeaderValue = HeaderValue::from_static("2");

/// Why a request failed.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Failure {
    #[serde(skip)]
    #[schema(ignore)]
    status: u16,
    /// What went wrong, in a sentence.
    pub(crate) error: String,
    /// The endgame whose table is missing, if that is the reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) missing: Option<String>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, error: impl Into<String>) -> Failure {
        Failure {
            status: status.as_u16(),
            error: error.into(),
            missing: None,
        }
    }

    pub(crate) fn bad_request(error: impl Into<String>) -> Failure {
        Failure::new(StatusCode::BAD_REQUEST, error)
    }

    pub(crate) fn not_found(error: impl Into<String>) -> Failure {
        Failure::new(StatusCode::NOT_FOUND, error)
    }

    /// The server is overloaded.
    pub(crate) fn overloaded() -> Failure {
        Failure::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "the server is busy; ask again in a moment",
        )
    }

    /// Adds the endgame whose tables are missing.
    pub(crate) fn without_tables(self, endgame: impl Into<String>) -> Failure {
        Failure {
            missing: Some(endgame.into()),
            ..self
        }
    }

    /// Would a token help?
    pub(crate) fn wants_token(&self) -> bool {
        self.status == StatusCode::UNAUTHORIZED
    }

    /// Does the request make no sense?
    pub(crate) fn is_bad_request(&self) -> bool {
        self.status == StatusCode::BAD_REQUEST
    }

    /// Is something missing?
    pub(crate) fn is_missing(&self) -> bool {
        self.status == StatusCode::NOT_FOUND
    }
}

impl From<errare_service::Error> for Failure {
    fn from(error: errare_service::Error) -> Failure {
        let status = match error.kind() {
            FaultKind::BadRequest => StatusCode::BAD_REQUEST,
            FaultKind::Missing => StatusCode::NOT_FOUND,
            FaultKind::Busy | FaultKind::Stopped => StatusCode::SERVICE_UNAVAILABLE,
            FaultKind::Damaged | FaultKind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let stopped = error.kind() == FaultKind::Stopped;
        Failure::new(
            status,
            match stopped {
                true => "this takes too long for one request; start a job".to_owned(),
                false => with_causes(&error),
            },
        )
    }
}

impl From<QueryRejection> for Failure {
    fn from(rejection: QueryRejection) -> Failure {
        Failure::bad_request(in_plain_words(rejection.body_text()))
    }
}

impl From<JsonRejection> for Failure {
    fn from(rejection: JsonRejection) -> Failure {
        Failure::new(rejection.status(), in_plain_words(rejection.body_text()))
    }
}

/// Axum's words before the reason, and ours instead.
const PREFACES: [(&str, &str); 3] = [
    ("Failed to deserialize query string: ", ""),
    (
        "Failed to deserialize the JSON body into the target type: ",
        "",
    ),
    ("Failed to parse the request body as JSON: ", "not JSON: "),
];

/// Why a request cannot be read, for visitors: without a parser's terms, and without a location in a text that they
/// did not write.
fn in_plain_words(text: String) -> String {
    let found = PREFACES.iter().find_map(|(preface, ours)| {
        let reason = text.strip_prefix(preface)?;
        let reason = reason.rsplit_once(" at line ").map_or(reason, |(it, _)| it);
        Some(format!("{ours}{reason}"))
    });
    found.unwrap_or(text)
}

impl From<BytesRejection> for Failure {
    fn from(rejection: BytesRejection) -> Failure {
        Failure::new(rejection.status(), rejection.body_text())
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, Json(self)).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response.headers_mut().insert(RETRY_AFTER, LATER);
        }
        response
    }
}

pub(crate) async fn no_such_route(uri: Uri) -> Failure {
    Failure::not_found(format!("there is nothing at {}", uri.path()))
}

pub(crate) async fn no_such_method(method: Method, uri: Uri) -> Failure {
    Failure::new(
        StatusCode::METHOD_NOT_ALLOWED,
        format!("{} does not support {method}", uri.path()),
    )
}
