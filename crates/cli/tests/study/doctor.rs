//! `errare doctor`.

use std::fs;

use serde_json::Value;

use super::{Desk, as_text, code, json, peer::Peer, text};

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";

#[test]
fn the_real_engine_is_found() {
    let desk = Desk::new();
    let findings = json(&desk.errare(&["doctor", "--json"]));
    assert_eq!(findings["engine"]["name"], "Stockfish");
    assert!(findings["engine"]["seconds"].as_f64().expect("a number") > 0.0);
    let tables = desk.path("tables");
    assert_eq!(findings["tables"]["directory"], as_text(&tables));
    assert_eq!(findings["problems"], Value::Array(Vec::new()));
}

#[test]
fn trouble_is_named() {
    let (desk, peer) = (Desk::new(), Peer::new());
    let engine = peer.path();
    peer.answer(INITIAL, "bestmove e2e4\n");
    let cases = [
        ("no-such-engine", "apt-get install stockfish"),
        (as_text(&engine), "the engine evaluated 0 of 20 moves"),
        ("/bin/true", "the engine ended"),
    ];
    for (engine, expected) in cases {
        let output = desk.errare(&["doctor", "--engine", engine]);
        assert_eq!(code(&output), 1);
        assert!(text(&output.stdout).contains("engine   none that works"));
        let talk = text(&output.stderr);
        assert!(talk.contains(expected), "{talk}");
    }
    fs::create_dir(desk.path("tables")).expect("a directory");
    fs::write(desk.path("tables/KQK.dtm.errare"), "damaged").expect("a file");
    let output = desk.errare(&["doctor"]);
    assert_eq!(code(&output), 1);
    assert!(
        text(&output.stderr).contains("KQK.dtm.errare"),
        "{output:?}"
    );
    // Tables and endgames are counted separately.
    let said = text(&output.stdout);
    assert!(said.contains(" for ") && !said.contains(" of "), "{said}");
}
