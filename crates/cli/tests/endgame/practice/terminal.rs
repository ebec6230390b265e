//! Whole sessions of practice through a pseudo-terminal.

use crate::{program, terminal::Terminal};

/// What the player waits for and types: an honest try, a slip that throws the win away, and the right way.
const SCRIPT: [(&str, &str); 13] = [
    ("\n1.", "Ke5"),
    ("\n2.", "kf6"),
    ("\n3.", "e4"),
    ("\n4.", "e5"),
    ("\n5.", "e6"),
    ("\n6.", "retry"),
    ("\n5.", "hint"),
    ("\n5.", "Ke6"),
    ("\n6.", "Kf7"),
    ("\n7.", "e6"),
    ("\n8.", "e7"),
    ("\n9.", "e8"),
    ("\n>", "quit"),
];

const DRILL: &[&str] = &["--drill", "kpk-opposition", "--seed", "1"];

/// A session whose tables exist, so that no progress is on the screen.
fn practice(arguments: &[&str]) -> Terminal {
    crate::output(&["probe", "4k3/8/8/8/4K3/8/4P3/8 w - - 0 1"]);
    let mut command = program::errare();
    command.args(["practice", "--no-build"]).args(arguments);
    Terminal::run(command)
}

/// A club player's drill: a slip, another try, a hint, and the win.
#[test]
fn a_drill_with_a_slip_a_retry_and_a_win() {
    let mut terminal = practice(&[DRILL, &["--no-history"]].concat());
    for (prompt, line) in SCRIPT {
        terminal.type_line(prompt, line);
    }
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
    insta::assert_snapshot!(screen);
}

/// Ctrl-C at the prompt gives a summary, and the game is kept.
#[test]
fn ctrl_c_sums_up() {
    let directory = tempfile::tempdir().unwrap();
    let history = directory.path().join("history.sqlite");
    let history = history.to_str().unwrap();
    let mut terminal = practice(&[DRILL, &["--history", history]].concat());
    // A line may be edited: the 4 is taken back.
    terminal.wait_until(|screen| screen.trim_end().ends_with("\n1."));
    terminal.press("e4\u{7f}3\r");
    terminal.wait_until(|screen| screen.trim_end().ends_with("\n2."));
    terminal.press("\u{3}");
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(130), "{screen}");
    for words in [
        "You have made 1 move; perfect play takes 9 moves from the start.",
        "errare practice --resume goes on with it",
    ] {
        assert!(screen.contains(words), "{words}:\n{screen}");
    }
    let mut terminal = practice(&["--resume", "--history", history]);
    terminal.wait_until(|screen| screen.trim_end().ends_with("\n2."));
    terminal.type_line("\n2.", "quit");
    let (screen, code) = terminal.finish();
    assert_eq!(code, Some(0), "{screen}");
}
