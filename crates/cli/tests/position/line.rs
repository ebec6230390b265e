//! Lines of best play.

use crate::{DEEPEST, json, output};

#[test]
fn a_line_is_pgn() {
    insta::assert_snapshot!(output(&["line", DEEPEST]));
}

#[test]
fn a_line_in_dtm_is_as_long_as_its_depth() {
    let line = json(&["line", "--metric", "dtm", "--json", DEEPEST]);
    let depths: Vec<i64> = line["mainline"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["dtm"].as_i64().unwrap().abs())
        .collect();
    assert_eq!(depths, (0..69).rev().collect::<Vec<_>>());
    assert_eq!(line["winner"], "white");
}

#[test]
fn a_line_may_stop_at_the_conversion() {
    let line = json(&["line", "--to-conversion", "--json", DEEPEST]);
    let moves = line["mainline"].as_array().unwrap();
    assert_eq!(moves.len(), 61);
    assert_eq!(moves[60]["endgame"], "KQK");
    let pgn = output(&["line", "--to-conversion", DEEPEST]);
    assert!(pgn.contains("[Result \"*\"]"));
}

/// If it ignored the clock, play in DTR would shuffle about: many positions have the same DTR.
#[test]
fn a_line_in_dtr_zeroes_in_time() {
    let line = json(&[
        "line",
        "--metric",
        "dtr",
        "--json",
        "8/8/8/8/5K2/2p5/8/1k6 w - - 0 1",
    ]);
    assert_eq!(line["dtr"], -14);
    let moves = line["mainline"].as_array().unwrap();
    let mut phases = moves.split_inclusive(|m| m["zeroing"] == true);
    assert!(phases.all(|phase| phase.len() <= 14));
    assert_eq!(moves.last().unwrap()["checkmate"], true);
}

#[test]
fn a_drawn_position_has_no_line() {
    insta::assert_snapshot!(output(&["line", "k7/8/K7/P7/8/8/8/8 w - - 0 1"]));
}
