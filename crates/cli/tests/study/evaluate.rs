//! `errare evaluate`.

use std::{fs, io::Write, process::Stdio};

use serde_json::json;

use super::{Desk, GAMES, as_text, code, honest_peer, json, positions, text};

#[test]
fn games_are_evaluated_and_nothing_twice() {
    let (desk, peer) = (Desk::new(), honest_peer(3));
    let engine = peer.path();
    let arguments = [
        "evaluate",
        "games.pgn",
        "--store",
        "study.db",
        "--depth",
        "3",
    ];
    let arguments = [
        &arguments[..],
        &["--engine", as_text(&engine), "--workers", "2"],
    ]
    .concat();
    let first = desk.errare(&[&arguments[..], &["--json"]].concat());
    let report = json(&first);
    let expected = json!({
        "name": "Peer", "version": "1.0", "net": "peer.nnue", "depth": 3, "multi_pv": "all"
    });
    assert_eq!(report["engine"], expected);
    assert_eq!(
        (&report["games"], &report["new_games"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(report["bad_games"][0]["number"], 2);
    assert_eq!(report["positions"]["evaluated"], 10);
    assert_eq!(
        (&report["turns"], &report["excluded"]),
        (&json!(11), &json!({}))
    );
    let talk = text(&first.stderr);
    assert!(
        talk.contains("game 2 is skipped: Ke3 is not a legal move at 2."),
        "{talk}"
    );

    let again = desk.errare(&arguments);
    assert_eq!(code(&again), 0);
    let expected = "\
engine     Peer 1.0 (peer.nnue), depth 3, multi-PV all
games      2, 0 of them new; 1 bad one skipped
turns      11
positions  0 evaluated, 10 known already, 0 left
";
    assert_eq!(text(&again.stdout), expected);
    assert_eq!(peer.log().matches("go depth").count(), 10);
}

#[test]
fn games_come_from_standard_input_and_a_study_goes_on_by_itself() {
    let (desk, peer) = (Desk::new(), honest_peer(2));
    let engine = peer.path();
    let common = [
        "--store",
        "study.db",
        "--depth",
        "2",
        "--json",
        "--engine",
        as_text(&engine),
    ];
    let mut command = desk.command(&[&["evaluate", "-"], &common[..]].concat());
    let mut child = command.stdin(Stdio::piped()).spawn().expect("errare");
    let packed = zstd(GAMES);
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(&packed)
        .expect("written");
    let report = json(&child.wait_with_output().expect("errare"));
    assert_eq!(report["positions"]["evaluated"], 10);
    let report = json(&desk.errare(&[&["evaluate"], &common[..]].concat()));
    assert_eq!(
        (&report["games"], &report["positions"]["known"]),
        (&json!(2), &json!(10))
    );
}

#[test]
fn turns_that_are_left_out_are_counted() {
    let (desk, peer) = (Desk::new(), honest_peer(2));
    let engine = peer.path();
    fs::write(desk.path("short.pgn"), "1. e4 e5 2. Qh5 Nc6 *").expect("a file");
    let arguments = [
        "evaluate",
        "short.pgn",
        "--store",
        "study.db",
        "--depth",
        "2",
        "--json",
    ];
    let report = json(&desk.errare(&[&arguments[..], &["--engine", as_text(&engine)]].concat()));
    assert_eq!(report["excluded"], json!({ "opening": 4 }));
    assert_eq!(report["positions"]["evaluated"], 0);
}

fn zstd(text: &str) -> Vec<u8> {
    zstd::encode_all(text.as_bytes(), 3).expect("packed")
}

#[test]
fn an_engine_that_fails_is_told() {
    let (desk, peer) = (Desk::new(), honest_peer(2));
    let engine = peer.path();
    peer.answer_first(&positions()[3], "@exit\n");
    peer.answer(&positions()[7], "bestmove a1a1\n");
    let arguments = [
        "evaluate",
        "games.pgn",
        "--store",
        "study.db",
        "--depth",
        "2",
    ];
    let output = desk.errare(&[&arguments[..], &["--engine", as_text(&engine)]].concat());
    assert_eq!(code(&output), 2);
    let talk = text(&output.stderr);
    assert!(talk.contains("the engine ended"), "{talk}");
    assert!(talk.contains("the position is left out"), "{talk}");
    assert!(talk.contains("kept failing: 1;"), "{talk}");
    assert!(text(&output.stdout).contains("9 evaluated"), "{talk}");
}

#[test]
fn refusals() {
    let (desk, peer) = (Desk::new(), honest_peer(2));
    let engine = peer.path();
    let engine = as_text(&engine);
    fs::write(desk.path("none.pgn"), "").expect("a file");
    fs::write(desk.path("bad.jsonl"), "{}\n").expect("a file");
    let store = ["--store", "new.db"];
    let cases: [(&[&str], i32, &str); 9] = [
        (
            &["games.pgn", "--engine", "no-such-engine"],
            2,
            "apt-get install stockfish",
        ),
        // Without games, the error comes before an engine starts.
        (
            &["absent.pgn", "--engine", "no-such-engine"],
            2,
            "cannot read absent.pgn",
        ),
        (
            &["games.pgn", "--engine", "/bin/true"],
            2,
            "does not work as an engine",
        ),
        (&["games.pgn", "--depth", "0"], 2, "1..=100"),
        (
            &["absent.pgn", "--engine", engine],
            2,
            "cannot read absent.pgn",
        ),
        (&["none.pgn", "--engine", engine], 1, "no games"),
        (&["--import", "bad.jsonl"], 2, "line 1: missing field"),
        (
            &["--import", "bad.jsonl", "--queue", "jobs.db"],
            2,
            "cannot be used with",
        ),
        (&["--engine", engine], 2, "name games"),
    ];
    for (arguments, expected, message) in cases {
        let _ = fs::remove_file(desk.path("new.db"));
        let output = desk.errare(&[&["evaluate"], arguments, &store[..]].concat());
        let talk = text(&output.stderr);
        assert_eq!(code(&output), expected, "{arguments:?}: {talk}");
        assert!(talk.contains(message), "{arguments:?}: {talk}");
    }
    let output = desk.errare(&[
        "evaluate",
        "games.pgn",
        "--store",
        "games.pgn",
        "--engine",
        engine,
    ]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains("games.pgn holds games, and is no study"));
}
