//! Memory stays bounded however many requests there are. A separate process, so that nothing else counts.
//!
//! `crates/web/benches/soak.sh ERRARE` runs for an hour.
#![cfg(target_os = "linux")]

#[path = "suite/client.rs"]
#[allow(dead_code, unused_imports)]
mod client;
#[path = "suite/server.rs"]
mod server;

use std::{fs, io::Write};

use server::Server;

/// As much as a new thread or two, and what the allocator keeps, may take; a leak of 20 KiB a request takes more.
const SLACK: usize = 48 << 20;
const REQUESTS: usize = 2400;

/// The memory of this process in bytes.
fn memory() -> usize {
    let pages = fs::read_to_string("/proc/self/statm").unwrap();
    let resident: usize = pages.split(' ').nth(1).unwrap().parse().unwrap();
    resident * 4096
}

/// Asks about positions of KQK, some of them impossible; begins games, and jobs that fail.
fn ask(server: &Server, number: usize) {
    let square = |n: usize| {
        let (file, rank) = (n % 8, n / 8 % 8);
        (file, rank)
    };
    let (queen, king) = (square(number * 7 + 3), square(number * 13 + 20));
    let rank = |rank| {
        let man = |file| match (file, rank) {
            (0, 0) => 'K',
            at if at == king => 'k',
            at if at == queen => 'Q',
            _ => '1',
        };
        (0..8).map(man).collect::<String>()
    };
    let board: Vec<String> = (0..8).rev().map(rank).collect();
    let (status, _) = server.get(&format!("/standard?fen={}_w_-_-_0_1", board.join("/")));
    assert!(
        status.ends_with("200 OK") || status.ends_with("400 Bad Request"),
        "{status}"
    );
    let (path, body) = match number % 2 {
        0 => (
            "practice/games",
            r#"{"start":{"kind":"position","fen":"k7/8/1K6/8/8/8/8/7R w - - 0 1"}}"#,
        ),
        _ => ("jobs", r#"{"verb":"minimax","fen":"rubbish","depth":3}"#),
    };
    let mut stream = server.connect();
    write!(
        stream,
        "POST /api/v1/{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    )
    .unwrap();
    std::io::copy(&mut stream, &mut std::io::sink()).unwrap();
}

#[test]
fn memory_stays_bounded() {
    let server = Server::start();
    // Tables are built, threads started, lists of games and jobs filled.
    for number in 0..REQUESTS / 2 {
        ask(&server, number);
    }
    let before = memory();
    for number in 0..REQUESTS {
        ask(&server, number);
    }
    let after = memory();
    let grown = after.saturating_sub(before);
    assert!(
        grown < SLACK,
        "{grown} bytes more after {REQUESTS} requests"
    );
}
