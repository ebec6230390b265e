//! `errare probe` and `errare line`, run as a user runs them. All tests share one directory of
//! tables, which they fill as they go.

mod line;
mod probe;
mod refusals;

use std::{fs, path::PathBuf, sync::LazyLock};

use assert_cmd::Command;
use serde_json::Value;

static TABLES: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tables-of-positions");
    // Tables of an earlier run would hide what the generator does now.
    let _ = fs::remove_dir_all(&directory);
    directory
});

/// Mate in 35, conversion in 31: the deepest win of KQKR in DTC, and White is in check.
const DEEPEST: &str = "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1";

/// Won by under-promotion alone.
const KNIGHT: &str = "8/3P4/KBk5/8/8/8/8/8 w - - 0 1";

fn errare(arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!());
    command
        .args(arguments)
        .env("ERRARE_TABLES", &*TABLES)
        .env_remove("ERRARE_SYZYGY");
    command
}

/// What it writes to standard output.
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
