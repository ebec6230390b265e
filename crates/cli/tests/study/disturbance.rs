//! Evaluations that are killed, interrupted, or done by two processes at once, with the real engine.

use std::{
    fs,
    os::unix::fs::symlink,
    path::Path,
    process::Child,
    thread,
    time::{Duration, Instant},
};

use nix::{
    errno::Errno,
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use rusqlite::{Connection, OpenFlags};

use super::{Desk, code, json, text};

/// Deep enough to leave time for disturbing it.
const EVALUATE: [&str; 5] = ["evaluate", "games.pgn", "--depth", "12", "--json"];

fn evaluate<'a>(store: &'a str, workers: &'a str) -> Vec<&'a str> {
    [&EVALUATE[..], &["--store", store, "--workers", workers]].concat()
}

/// The contents of a study, regardless of order.
fn dump(path: &Path) -> Vec<String> {
    let connection = Connection::open(path).expect("a database");
    let queries = [
        "SELECT id || white || black || tags || record FROM games ORDER BY id",
        "SELECT id || fen || legal FROM positions ORDER BY id",
        "SELECT game || ' ' || ply || ' ' || position || played || ifnull(exclusion, '') FROM turns
         ORDER BY game, ply",
        "SELECT id || name || version || net || depth || multi_pv FROM engines ORDER BY id",
        "SELECT position || ' ' || engine || ' ' || hex(ranking) FROM evaluations
         ORDER BY position, engine",
        "SELECT 'claim ' || position || owner FROM claims",
    ];
    let mut lines = Vec::new();
    for query in queries {
        let mut statement = connection.prepare(query).expect("a query");
        let rows = statement.query_map([], |row| row.get(0)).expect("rows");
        lines.extend(rows.map(|row| row.expect("a row")));
    }
    lines
}

/// The number of evaluations, once the study exists.
fn evaluations(path: &Path) -> i64 {
    let Ok(connection) = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY) else {
        return 0;
    };
    let count = connection.query_row("SELECT count(*) FROM evaluations", [], |row| row.get(0));
    count.unwrap_or(0)
}

/// Starts an evaluation and waits until some of it is done.
fn start(desk: &Desk, store: &str) -> Child {
    let child = desk.command(&evaluate(store, "2")).spawn().expect("errare");
    let begun = Instant::now();
    while evaluations(&desk.path(store)) < 2 {
        assert!(
            begun.elapsed() < Duration::from_secs(300),
            "nothing is done"
        );
        thread::sleep(Duration::from_millis(5));
    }
    child
}

fn undisturbed(desk: &Desk) -> Vec<String> {
    let report = json(&desk.errare(&evaluate("whole.db", "1")));
    assert_eq!(report["positions"]["evaluated"], 10);
    dump(&desk.path("whole.db"))
}

#[test]
fn a_killed_run_is_taken_up_again_and_leaves_the_same_study() {
    let desk = Desk::new();
    let mut child = start(&desk, "killed.db");
    child.kill().expect("killed");
    child.wait().expect("gone");
    let before = evaluations(&desk.path("killed.db"));
    assert!(before < 10, "it was too fast to be killed");
    let report = json(&desk.errare(&evaluate("killed.db", "2")));
    assert_eq!(report["positions"]["known"], before);
    assert_eq!(report["positions"]["left"], 0);
    assert_eq!(dump(&desk.path("killed.db")), undisturbed(&desk));
}

#[test]
fn an_interrupted_run_says_so_and_is_taken_up_again() {
    let desk = Desk::new();
    let child = start(&desk, "study.db");
    let id = i32::try_from(child.id()).expect("a process");
    kill(Pid::from_raw(id), Signal::SIGINT).expect("interrupted");
    let output = child.wait_with_output().expect("errare");
    assert_eq!(code(&output), 130, "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("the same command continues"));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["positions"]["interrupted"], true);
    let claims = dump(&desk.path("study.db"));
    assert!(!claims.iter().any(|line| line.starts_with("claim")));
    json(&desk.errare(&evaluate("study.db", "1")));
    assert_eq!(dump(&desk.path("study.db")), undisturbed(&desk));
}

/// An engine that does not listen does not outlive the program either.
#[test]
fn an_interrupt_ends_a_deaf_engine() {
    let desk = Desk::new();
    let (script, number) = (desk.path("deaf.sh"), desk.path("number"));
    let deaf = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/study/deaf.sh");
    symlink(deaf, &script).expect("a link");
    let engine = script.to_str().expect("a name");
    let mut child = desk
        .command(&["doctor", "--engine", engine])
        .spawn()
        .expect("errare");
    let begun = Instant::now();
    while !number.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no engine");
        thread::sleep(Duration::from_millis(5));
    }
    let engine: i32 = fs::read_to_string(&number)
        .expect("a number")
        .trim()
        .parse()
        .expect("a number");
    let id = i32::try_from(child.id()).expect("a process");
    kill(Pid::from_raw(id), Signal::SIGINT).expect("interrupted");
    assert_eq!(child.wait().expect("gone").code(), Some(130));
    assert_eq!(kill(Pid::from_raw(engine), None), Err(Errno::ESRCH));
}

#[test]
fn two_processes_share_the_work() {
    let desk = Desk::new();
    let children = [(), ()].map(|()| {
        let mut command = desk.command(&evaluate("study.db", "1"));
        command.spawn().expect("errare")
    });
    let outputs = children.map(|child| child.wait_with_output().expect("errare"));
    let evaluated = outputs.map(|output| json(&output)["positions"]["evaluated"].clone());
    let sum: i64 = evaluated.iter().filter_map(serde_json::Value::as_i64).sum();
    assert_eq!(sum, 10, "each position once: {evaluated:?}");
    assert_eq!(dump(&desk.path("study.db")), undisturbed(&desk));
}
