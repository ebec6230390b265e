//! The verbs about reference endgame players, run as a user runs them.

mod advise;
mod analyse;
mod coach;
mod matches;
mod people;
mod practice;
mod predict;
#[path = "../program/mod.rs"]
mod program;
#[path = "../python/mod.rs"]
mod python;
#[cfg(unix)]
#[path = "../terminal/mod.rs"]
mod terminal;

use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;

/// The deepest win of KQKR in DTC.
const DEEPEST: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

/// BB2-12b of Haworth (2002), table 1.
const BB2_12B: &str = "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1";

fn errare(arguments: &[&str]) -> Command {
    let mut command = Command::from(program::errare());
    command.args(arguments);
    command
}

/// Its standard output.
fn output(arguments: &[&str]) -> String {
    let assert = errare(arguments).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(arguments)).unwrap()
}

/// The message when it refuses.
fn refusal(arguments: &[&str]) -> String {
    let assert = errare(arguments).assert().code(2);
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// The games between Browne and BELLE.
fn browne_belle() -> String {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let path = here.join("../endgame/tests/suite/data/browne-belle.pgn");
    path.to_str().unwrap().to_owned()
}
