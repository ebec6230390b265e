//! Refused requests and their messages. Nothing goes to standard output.

use std::fs;

use crate::errare;

/// The message and the exit code of a run that fails.
fn failure(arguments: &[&str]) -> (i32, String) {
    let assert = errare(arguments).assert().failure();
    let output = assert.get_output();
    assert!(output.stdout.is_empty());
    let message = String::from_utf8(output.stderr.clone()).unwrap();
    (output.status.code().unwrap(), message)
}

#[track_caller]
fn refused(fen: &str, why: &str) {
    let (code, message) = failure(&["probe", fen]);
    assert_eq!(code, 2);
    assert!(
        message.starts_with("errare: ") && message.contains(why),
        "{message}"
    );
}

#[test]
fn positions_that_are_none() {
    refused("KQKR", "is not a FEN");
    refused(
        "8/8/8/8/4k3/8/1Q6/K2r4[QQqq] w - - 0 1",
        "of a variant of chess",
    );
    refused(
        "8/8/8/8/4k3/8/1Q6/K2r4 w - - 1+1 0 1",
        "of a variant of chess",
    );
    refused("8/8/8/8/8/8/8/K7 w - - 0 1", "a side has no king");
    refused("8/8/8/8/8/8/8/KK1k4 w - - 0 1", "more than one king");
    refused("7P/8/8/8/8/8/8/K1k5 w - - 0 1", "a pawn stands on");
    refused("8/8/8/8/4k3/4Q3/8/K7 w - - 0 1", "not to move is in check");
    refused("4k3/8/8/8/8/8/8/4K2R w Q - 0 1", "castling rights without");
    refused("8/8/8/8/8/8/4P3/K1k5 b - e3 0 1", "en-passant square");
}

#[test]
fn positions_without_tables() {
    refused("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "write - for them");
    refused(
        "4k3/pppp4/8/8/8/8/8/4K2R w - - 0 1",
        "give larger Syzygy tables with --syzygy",
    );
}

#[test]
fn missing_tables_are_not_built_against_the_will() {
    let empty = tempfile::tempdir().unwrap();
    let fen = "8/8/8/8/8/2k5/7Q/K7 w - - 0 1";
    let directory = empty.path().join("my tables");
    let directory = directory.to_str().unwrap();
    let (code, message) = failure(&["probe", "--no-build", "--tables", directory, fen]);
    assert_eq!(code, 2);
    let remedy = format!("build it with `errare tables build KQK --tables '{directory}'`");
    assert!(message.contains(&remedy), "{message}");
    assert_eq!(fs::read_dir(empty.path()).unwrap().count(), 0);
}

#[test]
fn too_little_memory_is_said_before_the_work() {
    let empty = tempfile::tempdir().unwrap();
    let fen = "8/8/8/8/8/2k5/7Q/K7 w - - 0 1";
    let directory = empty.path().to_str().unwrap();
    let (code, message) = failure(&["probe", "--memory", "1M", "--tables", directory, fen]);
    assert_eq!(code, 2);
    assert!(message.contains("raise --memory"), "{message}");
    let (code, message) = failure(&["probe", "--memory", "much", fen]);
    assert_eq!(code, 2);
    assert!(message.contains("write it as 3GiB or 512M"), "{message}");
}

#[test]
fn a_directory_of_tables_that_is_none() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let fen = "8/8/8/8/8/2k5/7Q/K7 w - - 0 1";
    let (code, message) = failure(&["probe", "--tables", file.path().to_str().unwrap(), fen]);
    assert_eq!(code, 2);
    assert!(
        message.contains("choose another with --tables"),
        "{message}"
    );
}

#[test]
fn syzygy_tables_that_are_not_there() {
    let empty = tempfile::tempdir().unwrap();
    let fen = "8/8/8/1r6/8/3k1p2/4R1P1/6K1 w - - 0 1";
    let (code, message) = failure(&["probe", "--syzygy", empty.path().to_str().unwrap(), fen]);
    assert_eq!(code, 2);
    assert!(
        message.contains("there are no Syzygy tables in"),
        "{message}"
    );
    let several = std::env::join_paths([empty.path(), "nowhere".as_ref()]).unwrap();
    let (code, message) = failure(&["probe", "--syzygy", several.to_str().unwrap(), fen]);
    assert_eq!(code, 2);
    let first = format!("there are no Syzygy tables in {};", empty.path().display());
    assert!(message.contains(&first), "{message}");
}
