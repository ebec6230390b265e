//! Readers who have seen enough, as in `errare ... | head`, are no error.

use std::{
    io::Read,
    process::{Command, Stdio},
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
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!())
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
        // What the answer says by the exit code is said all the same, where it comes to that.
        assert!(matches!(code, Some(0 | 1)), "{verb:?} {code:?}: {talk}");
    }
}
