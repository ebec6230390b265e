//! `errare export`.

use std::fs;

use super::{Desk, as_text, code, honest_peer, json, text};

#[test]
fn tables_are_written() {
    let (desk, peer) = (Desk::new(), honest_peer(3));
    let engine = peer.path();
    let evaluate = [
        "evaluate",
        "games.pgn",
        "--store",
        "study.db",
        "--depth",
        "3",
    ];
    json(&desk.errare(&[&evaluate[..], &["--json", "--engine", as_text(&engine)]].concat()));

    let report = json(&desk.errare(&["export", "study.db", "--csv", "out", "--json"]));
    assert_eq!(
        (&report["turns"], &report["engine"]["depth"]),
        (&11.into(), &3.into())
    );
    let turns = fs::read_to_string(desk.path("out/turns.csv")).expect("a file");
    assert_eq!(turns.lines().count(), 12);
    let header: Vec<&str> = turns.lines().next().expect("a header").split(',').collect();
    for column in ["engine", "depth", "cost", "san", "round", "site"] {
        assert!(header.contains(&column), "{column}: {header:?}");
    }
    let played = fs::read_to_string(desk.path("out/moves.csv")).expect("a file");
    let played = played.lines().filter(|line| line.contains(",true,"));
    assert_eq!(played.count(), 11, "one move of each turn was played");

    let shallow = desk.errare(&["export", "study.db", "--csv", "shallow", "--depth", "2"]);
    assert!(text(&shallow.stdout).starts_with("Peer 1.0 (peer.nnue), depth 2"));
    let header = fs::read_to_string(desk.path("shallow/moves.csv")).expect("a file");
    assert!(
        header
            .lines()
            .next()
            .expect("a header")
            .ends_with("cp_1,cp_2")
    );
}

#[test]
fn refusals() {
    let (desk, peer) = (Desk::new(), honest_peer(2));
    let engine = peer.path();
    let evaluate = [
        "evaluate",
        "games.pgn",
        "--store",
        "study.db",
        "--depth",
        "2",
    ];
    json(&desk.errare(&[&evaluate[..], &["--json", "--engine", as_text(&engine)]].concat()));
    let cases: [(&[&str], &str); 6] = [
        (
            &["absent.db", "--csv", "out"],
            "there is no study absent.db",
        ),
        (
            &["games.pgn", "--csv", "out"],
            "make a study of them: `errare evaluate games.pgn --store games.pgn.db`",
        ),
        (&["study.db"], "--csv <DIR>"),
        (&["study.db", "--csv", "out", "--depth", "9"], "only to 2"),
        (&["study.db", "--csv", "out", "--engine", "Rybka"], "Rybka"),
        (
            &["study.db", "--csv", "games.pgn"],
            "cannot write games.pgn",
        ),
    ];
    for (arguments, message) in cases {
        let output = desk.errare(&[&["export"], arguments].concat());
        let talk = text(&output.stderr);
        assert_eq!(code(&output), 2, "{arguments:?}: {talk}");
        assert!(talk.contains(message), "{arguments:?}: {talk}");
    }
    let output = desk.errare(&["export", "study.db", "--parquet", "out"]);
    if cfg!(feature = "parquet") {
        assert_eq!(code(&output), 0, "{}", text(&output.stderr));
    } else {
        assert_eq!(code(&output), 2);
        assert!(text(&output.stderr).contains("--features parquet"));
    }
}
