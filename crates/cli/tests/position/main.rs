//! `errare probe` and `errare line`, run as a user runs them.

mod line;
mod probe;
#[path = "../program/mod.rs"]
mod program;
mod refusals;

use assert_cmd::Command;
use serde_json::Value;

/// Mate in 35, conversion in 31: the deepest win of KQKR in DTC, and White is in check.
const DEEPEST: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

/// Won only by underpromotion.
const KNIGHT: &str = "8/3P4/KBk5/8/8/8/8/8 w - - 0 1";

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

/// The move of this name in the answer of `probe --json`.
fn find<'a>(answer: &'a Value, san: &str) -> &'a Value {
    let moves = answer["moves"].as_array().unwrap();
    moves.iter().find(|m| m["san"] == san).unwrap()
}
