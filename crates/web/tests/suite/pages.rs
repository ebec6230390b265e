//! The pages, or what stands in for them where Node.js was missing.

use axum::http::StatusCode;

use crate::client::Client;

#[tokio::test]
async fn every_address_of_a_page_answers() {
    let client = Client::new();
    for page in [
        "/",
        "/practise",
        "/practise/0123",
        "/rush",
        "/explore",
        "/analyse",
        "/endgames",
        "/endgames/KQKR",
        "/lab",
        "/papers",
    ] {
        let reply = client.get(page).await;
        assert_eq!(reply.status, StatusCode::OK, "{page}");
        assert!(reply.text.contains("Errare"), "{page}");
    }
}
