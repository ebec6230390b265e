//! Many clients, and bad ones.

use std::{io::Write, net::TcpStream};

use axum::http::StatusCode;
use futures::future::join_all;

use crate::{client::Client, server::Server};

const VERDICT: &str = "/standard?fen=8/8/8/8/8/2k5/8/K1Q5_b_-_-_0_1";

/// Four kinds of clients, all of which hold a connection and finish no request.
fn bad_clients(server: &Server, number: usize) -> Vec<TcpStream> {
    let host = server.address;
    let client = |kind: usize| {
        let mut stream = server.connect();
        let said = match kind % 4 {
            // Sends nothing.
            0 => String::new(),
            // Does not finish its request,
            1 => format!("GET {VERDICT} HTTP/1.1\r\nHost: {host}\r\nX-Slow: "),
            // or of its body.
            2 => format!(
                "POST /api/v1/jobs HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
                 Content-Length: 100\r\n\r\n{{"
            ),
            // Requests a lot and does not read it.
            _ => format!("GET /api/v1/openapi.json HTTP/1.1\r\nHost: {host}\r\n\r\n").repeat(20),
        };
        stream.write_all(said.as_bytes()).unwrap();
        stream
    };
    (0..number).map(client).collect()
}

#[test]
fn a_thousand_slow_or_silent_clients_do_not_stop_others() {
    let server = Server::start();
    let (status, first) = server.get(VERDICT);
    assert_eq!(status, "HTTP/1.1 200 OK");
    let bad = bad_clients(&server, 1000);
    for _ in 0..20 {
        let (status, answer) = server.get(VERDICT);
        assert_eq!(status, "HTTP/1.1 200 OK");
        assert_eq!(answer, first);
    }
    drop(bad);
}

#[test]
fn a_server_that_is_stopped_ends_though_clients_and_jobs_are_there() {
    let server = Server::start();
    let mut job = server.connect();
    let order = r#"{"verb":"build","endgames":["KRPKR"]}"#;
    write!(
        job,
        "POST /api/v1/jobs HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{order}",
        server.address,
        order.len()
    )
    .unwrap();
    while !server.get("/api/v1/jobs").1.contains("running") {}
    let silent = bad_clients(&server, 3);
    drop(server);
    drop(silent);
}

#[tokio::test]
async fn more_than_can_wait_are_told_to_come_back() {
    let client = Client::new();
    let cores = std::thread::available_parallelism().map_or(2, |cores| cores.get().max(2));
    // Each core has one request at work and 64 in the queue; further requests are turned away.
    let (places, more) = (65 * cores, 20);
    let replies = join_all((0..places + more).map(|_| client.get(VERDICT))).await;
    let (answered, refused): (Vec<_>, Vec<_>) = replies
        .iter()
        .partition(|reply| reply.status == StatusCode::OK);
    assert_eq!((answered.len(), refused.len()), (places, more));
    for reply in refused {
        assert_eq!(reply.status, StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(reply.headers["retry-after"], "2");
        assert!(!reply.error().is_empty());
    }
    // And it ends when they do.
    assert_eq!(client.get(VERDICT).await.status, StatusCode::OK);
}
