//! Who may ask.

use axum::{body::Body, http::StatusCode};
use errare_web::Access;
use serde_json::json;

use crate::client::{Client, request};

const LIBRARY: &str = "/api/v1/practice/library";

#[tokio::test]
async fn other_names_and_other_sites_are_refused() {
    let client = Client::new();
    for (host, status) in [
        ("127.0.0.1:8651", StatusCode::OK),
        ("localhost:8651", StatusCode::OK),
        ("[::1]:8651", StatusCode::OK),
        ("evil.example:8651", StatusCode::MISDIRECTED_REQUEST),
        ("127.0.0.1:80", StatusCode::MISDIRECTED_REQUEST),
        ("192.168.1.5:8651", StatusCode::MISDIRECTED_REQUEST),
        ("localhost.evil.example", StatusCode::MISDIRECTED_REQUEST),
    ] {
        let asked = axum::http::Request::builder()
            .uri(LIBRARY)
            .header("host", host);
        assert_eq!(
            client.send(asked, Body::empty()).await.status,
            status,
            "{host}"
        );
    }
    for (origin, status) in [
        ("http://127.0.0.1:8651", StatusCode::OK),
        ("http://evil.example", StatusCode::FORBIDDEN),
        ("null", StatusCode::FORBIDDEN),
        ("http://127.0.0.1:8000", StatusCode::FORBIDDEN),
    ] {
        let asked = request("GET", LIBRARY).header("origin", origin);
        assert_eq!(
            client.send(asked, Body::empty()).await.status,
            status,
            "{origin}"
        );
    }
    // Without an origin: a form, a picture, a link.
    for (method, path, mode, status) in [
        ("POST", "/api/v1/jobs", "navigate", StatusCode::FORBIDDEN),
        ("GET", LIBRARY, "no-cors", StatusCode::FORBIDDEN),
        ("GET", "/explore", "navigate", StatusCode::OK),
    ] {
        for site in ["cross-site", "same-site"] {
            let asked = request(method, path)
                .header("sec-fetch-site", site)
                .header("sec-fetch-mode", mode);
            let reply = client.send(asked, Body::empty()).await;
            assert_eq!(reply.status, status, "{method} {path} {mode} {site}");
        }
    }
}

#[tokio::test]
async fn answers_are_protected() {
    let reply = Client::new().get("/").await;
    let policy = reply.headers["content-security-policy"].to_str().unwrap();
    assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"));
    assert_eq!(reply.headers["x-content-type-options"], "nosniff");
    assert_eq!(reply.headers["x-frame-options"], "DENY");
}

#[tokio::test]
async fn a_token_is_asked_for_and_becomes_a_cookie() {
    let client = Client::with_access(Access::Token("correcthorse".to_owned()));
    assert_eq!(client.get(LIBRARY).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(
        client.get("/?token=wronghorse00").await.status,
        StatusCode::UNAUTHORIZED
    );
    let bearer = request("GET", LIBRARY).header("authorization", "Bearer correcthorse");
    assert_eq!(
        client.send(bearer, Body::empty()).await.status,
        StatusCode::OK
    );
    let welcome = client.get("/explore?fen=8_w&token=correcthorse").await;
    assert_eq!(welcome.status, StatusCode::SEE_OTHER);
    assert_eq!(welcome.headers["location"], "/explore?fen=8_w");
    let cookie = welcome.headers["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"));
    let cookie = cookie.split(';').next().unwrap();
    let known = request("GET", LIBRARY).header("cookie", format!("a=b; {cookie}"));
    assert_eq!(
        client.send(known, Body::empty()).await.status,
        StatusCode::OK
    );
}

#[tokio::test]
async fn the_public_may_look_up_and_nothing_else() {
    let client = Client::with_access(Access::PublicReadOnly);
    let fen = "/standard?fen=8/8/8/8/8/2k5/8/K1Q5_b_-_-_0_1";
    // Nothing is built for the public.
    assert_eq!(client.get(fen).await.status, StatusCode::NOT_FOUND);
    let order = json!({ "verb": "build", "endgames": ["KQK"] });
    assert_eq!(
        client.post("/api/v1/jobs", &order).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(
        client.get("/api/v1/practice/drills").await.status,
        StatusCode::NOT_FOUND
    );
    for route in ["engine", "fleet", "jobs", "collections"] {
        let reply = client.get(&format!("/api/v1/{route}")).await;
        assert_eq!(reply.status, StatusCode::NOT_FOUND, "{route}");
    }
    assert_eq!(client.get(LIBRARY).await.status, StatusCode::OK);
    let page = client.get("/").await.text;
    assert!(page.contains("data-look-ups") || page.contains("this build has no pages"));
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused() {
    let asked = request("POST", "/api/v1/jobs").header("content-type", "application/json");
    let reply = Client::new().send(asked, vec![b' '; 9 << 20]).await;
    assert_eq!(reply.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn whoever_has_no_token_sees_a_page_that_asks_for_it() {
    let client = Client::with_access(Access::Token("correcthorse".to_owned()));
    let asked = request("GET", "/rush").header("accept", "text/html,*/*;q=0.8");
    let reply = client.send(asked, Body::empty()).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    assert!(reply.text.contains(r#"name="token""#), "{}", reply.text);
    let refused = "That is not the token";
    assert!(!reply.text.contains(refused), "{}", reply.text);
    let wrong = request("GET", "/rush?token=wronghorse00").header("accept", "text/html");
    let reply = client.send(wrong, Body::empty()).await;
    assert_eq!(reply.status, StatusCode::UNAUTHORIZED);
    assert!(reply.text.contains(refused), "{}", reply.text);
    // Browsers fetch the manifest without cookies.
    for open in ["/manifest.webmanifest", "/assets/app.css"] {
        assert_ne!(client.get(open).await.status, StatusCode::UNAUTHORIZED);
    }
    // The address after signing in stays on this machine.
    let welcome = client.get("//evil.example/?token=correcthorse").await;
    assert_eq!(welcome.headers["location"], "/evil.example/");
}

#[tokio::test]
async fn nothing_outside_the_bundle_is_served() {
    let client = Client::new();
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/assets/%2e%2e/%2e%2e/etc/passwd",
        "/assets//etc/passwd",
        "/api/v1/endgames/..%2f..%2fetc/statistics",
        "/api/v1/practice/games/..%2f..%2fetc%2fpasswd",
        "/api/v1/jobs/..%2f..%2fetc",
    ] {
        let reply = client.get(path).await;
        assert!(reply.status.is_client_error(), "{path}: {}", reply.status);
        assert!(!reply.text.contains("root:"), "{path}");
    }
}
