//! The pages, bundled by the build script and embedded in the binary.
//!
//! Every page is the same document, which decides by its address what to show. If the pages could not be built,
//! the document says how to get them; the API works nevertheless.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, State},
    http::{
        HeaderMap, HeaderValue, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
    },
    response::{Html, IntoResponse, Response},
    routing::get,
};

use crate::state::App;

/// A file of the bundle.
struct Asset {
    name: &'static str,
    /// A hash of the content.
    tag: &'static str,
    bytes: &'static [u8],
}

include!(concat!(env!("OUT_DIR"), "/assets.rs"));

/// The message about a wrong token, on the page that asks for it.
const REFUSED: &str =
    r#"<p class="small lost-text" role="alert">That is not the token of this server.</p>"#;

/// The addresses of pages.
const PAGES: [&str; 12] = [
    "/",
    "/practise",
    "/practise/{game}",
    "/rush",
    "/review",
    "/history",
    "/explore",
    "/analyse",
    "/analyse/{id}",
    "/endgames",
    "/lab",
    "/papers",
];

pub(crate) fn routes() -> Router<Arc<App>> {
    let mut routes = Router::new().route("/assets/{name}", get(asset));
    for page in PAGES {
        routes = routes.route(page, get(document));
    }
    routes
        .route("/endgames/{name}", get(document))
        .route("/favicon.ico", get(icon))
        .route("/manifest.webmanifest", get(manifest))
        .route("/worker.js", get(worker))
}

async fn document(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    match find("index.html") {
        Some(page) if app.guard().access().is_read_only() => look_ups_alone(page),
        Some(page) => send(page, &headers),
        None => (StatusCode::OK, Html(include_str!("without_pages.html"))).into_response(),
    }
}

/// The document for a read-only server, marked so that the pages offer nothing that this server refuses.
fn look_ups_alone(page: &Asset) -> Response {
    let text = String::from_utf8_lossy(page.bytes);
    Html(text.replacen("<html", "<html data-look-ups", 1)).into_response()
}

/// The page that asks for the token; it says so if another one was refused.
pub(crate) fn sign_in(refused: bool) -> Response {
    let page = include_str!("sign_in.html");
    let page = match refused {
        true => page.replacen("<!-- refused -->", REFUSED, 1),
        false => page.to_owned(),
    };
    (StatusCode::UNAUTHORIZED, Html(page)).into_response()
}

/// Is an address one of the bundle's files, which are the same for everybody?
pub(crate) fn is_asset(path: &str) -> bool {
    path.starts_with("/assets/")
        || ["/favicon.ico", "/manifest.webmanifest", "/worker.js"].contains(&path)
}

async fn asset(Path(name): Path<String>, headers: HeaderMap) -> Response {
    named(&name, &headers)
}

async fn icon(headers: HeaderMap) -> Response {
    named("icon.svg", &headers)
}

async fn manifest(headers: HeaderMap) -> Response {
    named("manifest.webmanifest", &headers)
}

async fn worker(headers: HeaderMap) -> Response {
    named("worker.js", &headers)
}

fn named(name: &str, headers: &HeaderMap) -> Response {
    match find(name) {
        Some(asset) => send(asset, headers),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

fn send(asset: &'static Asset, headers: &HeaderMap) -> Response {
    let fresh = headers
        .get(IF_NONE_MATCH)
        .is_some_and(|known| known == asset.tag);
    let fixed = [
        (ETAG, HeaderValue::from_static(asset.tag)),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (CONTENT_TYPE, HeaderValue::from_static(kind(asset.name))),
    ];
    match fresh {
        true => (StatusCode::NOT_MODIFIED, fixed).into_response(),
        false => (fixed, asset.bytes).into_response(),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("woff2") => "font/woff2",
        Some("png") => "image/png",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
