//! `errare fit`, `calibrate`, `calibration`, `rate` and `screen`, the binary as users run it, on made-up evaluations of
//! made-up games.

#[cfg(unix)]
mod arbiter;
mod browser;
mod calibration;
mod fit;
#[path = "../program/mod.rs"]
mod program;
mod rate;
mod screen;
#[cfg(unix)]
#[expect(dead_code, reason = "nobody types anything here")]
#[path = "../terminal/mod.rs"]
mod terminal;
mod variants;
mod world;

use std::{fs, path::PathBuf, sync::LazyLock};

use assert_cmd::Command;
use serde_json::Value;

/// A study with players of 2000, 2200 and 2400, and a calibration made from it; all tests share them.
static DESK: LazyLock<PathBuf> = LazyLock::new(|| {
    let desk = errare_testing::scratch_directory();
    fs::write(desk.join("turns.jsonl"), world::turns()).unwrap();
    let import = ["evaluate", "--store", "study.db", "--import", "turns.jsonl"];
    command(&desk, &import).assert().success();
    let calibrate = [
        "calibrate",
        "study.db",
        "-o",
        "calibration.json",
        "--link",
        "loglog",
    ];
    command(&desk, &calibrate).assert().success();
    desk
});

fn command(desk: &PathBuf, arguments: &[&str]) -> Command {
    let mut command = Command::from(program::errare());
    command.args(arguments).current_dir(desk);
    command
}

fn errare(arguments: &[&str]) -> Command {
    command(&DESK, arguments)
}

/// Its standard output.
fn output(arguments: &[&str]) -> String {
    let assert = errare(arguments).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(arguments)).unwrap()
}

/// Its standard error, with this exit code.
fn refusal(arguments: &[&str], code: i32) -> String {
    let assert = errare(arguments).assert().code(code);
    String::from_utf8(assert.get_output().stderr.clone()).unwrap()
}

/// A file that was written.
fn written(name: &str) -> String {
    fs::read_to_string(DESK.join(name)).unwrap()
}
