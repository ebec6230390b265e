//! A reader that closes the pipe, as in `errare ... | head`, is not an error; a full disk is one for the answer,
//! but not for messages.

mod program;

use std::{
    fs::File,
    io::{BufRead, BufReader, Read, Write},
    process::Stdio,
    thread,
};

#[test]
fn a_closed_pipe_is_no_error() {
    let verbs: [&[&str]; 6] = [
        &["minimax", "sweep", "start", "--depths", "1..2", "--csv"],
        &["minimax", "sweep", "start", "--depths", "1..2", "--json"],
        &["minimax", "dominate", "[2 3]", "[3 2]"],
        &["minimax", "mobility", "start", "--depth", "2"],
        &["minimax", "play", "start", "--depth", "1"],
        &["doctor", "--json"],
    ];
    for verb in verbs {
        let mut child = program::errare()
            .args(verb)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut talk = String::new();
        let mut errors = child.stderr.take().unwrap();
        errors.read_to_string(&mut talk).unwrap();
        let code = child.wait().unwrap().code();
        assert!(!talk.contains("roken pipe"), "{verb:?}: {talk}");
        // The exit code is the same even then.
        assert!(matches!(code, Some(0 | 1)), "{verb:?} {code:?}: {talk}");
    }
}

fn full() -> File {
    File::options().write(true).open("/dev/full").unwrap()
}

#[test]
fn talk_that_nobody_can_hear_stops_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let built = program::errare()
        .args(["tables", "build", "KRK", "--tables"])
        .arg(directory.path())
        .stderr(full())
        .output()
        .unwrap();
    assert_eq!(built.status.code(), Some(0));
    assert!(directory.path().join("KRK.dtm.errare").exists());
}

/// With standard error closed or full.
#[test]
fn nothing_panics_without_standard_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().to_str().unwrap();
    let verbs = [
        format!("tables build KRK --tables {path}"),
        format!("-vvv tables build KQK --tables {path}"),
        format!("tables list --tables {path}"),
        "probe nonsense".to_owned(),
        "no-such-verb".to_owned(),
    ];
    for verb in verbs {
        let program = env!("CARGO_BIN_EXE_errare");
        let run = std::process::Command::new("sh")
            .args(["-c", &format!("{program} {verb} 2>&-")])
            .output()
            .unwrap();
        // A panic would be 101.
        assert!(matches!(run.status.code(), Some(0 | 2)), "{verb}: {run:?}");
    }
}

#[test]
fn a_report_that_is_lost_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let built = program::errare()
        .args(["tables", "build", "KRK", "--json", "--tables"])
        .arg(directory.path())
        .stdout(full())
        .output()
        .unwrap();
    assert_eq!(built.status.code(), Some(2));
    let message = String::from_utf8(built.stderr).unwrap();
    assert!(
        message.contains("the report cannot be written"),
        "{message}"
    );
    assert!(directory.path().join("KRK.dtm.errare").exists());
}

#[test]
fn a_dash_is_standard_input() {
    let mut child = program::errare()
        .args(["probe", "-", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let fen = "8/8/8/8/8/2k5/7Q/K7 w - - 0 1\n";
    child
        .stdin
        .take()
        .unwrap()
        .write_all(fen.as_bytes())
        .unwrap();
    let answer: serde_json::Value =
        serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(answer["category"], "win");
}

/// A text of any length is analysed game by game: one without end is answered all the same.
#[test]
fn a_game_is_answered_before_the_text_ends() {
    const GAME: &str =
        "[White \"Smith\"]\n[FEN \"8/8/8/8/8/2k5/7Q/K7 w - - 0 1\"]\n\n1. Qe2 Kd4 2. Kb2 *\n\n";
    let mut child = program::errare()
        .args(["analyse", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut text = child.stdin.take().unwrap();
    let writer = thread::spawn(move || while text.write_all(GAME.as_bytes()).is_ok() {});
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(answers.any(|line| line.unwrap().contains("Game 2: Smith")));
    child.kill().unwrap();
    child.wait().unwrap();
    writer.join().unwrap();
}
