//! Every verb, once: its JSON reads back into the type of its answer, and its text is a snapshot.
//!
//! `verbs.txt` lists all verbs; `commands` checks it against the command line, and `every_verb_is_tried`
//! checks the table below against it.

mod commands;
#[path = "../program/mod.rs"]
mod program;
mod table;
#[path = "../ratings/world.rs"]
mod world;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use assert_cmd::Command;

use self::table::{Row, VERBS};

/// All verbs; those that answer in JSON are marked so.
const ALL: &str = include_str!("verbs.txt");

/// Verbs that speak a protocol or write for another program: they have their own tests.
const NOT_HERE: [&str; 9] = [
    "serve",
    "uci",
    "completions",
    "man",
    // It takes a calibration of the continuous family, which `ratings` makes.
    "calibration check",
    // They leave the work to a queue and have no answer.
    "jobs submit evaluate",
    "jobs submit match",
    "jobs submit fit",
    "jobs submit tables",
];

/// Tables for the verbs only, one of which lists them.
static TABLES: LazyLock<PathBuf> = LazyLock::new(errare_testing::scratch_directory);

/// A new directory with a study, its calibration, games, tables and the file of a share, in which verbs are
/// run.
fn desk() -> PathBuf {
    let desk = errare_testing::scratch_directory();
    // With a short name: line breaks must not depend on the directory of tables.
    std::os::unix::fs::symlink(&*TABLES, desk.join("tables")).unwrap();
    fs::write(desk.join("turns.jsonl"), world::turns()).unwrap();
    fs::write(desk.join("games.pgn"), table::GAMES).unwrap();
    for prepare in table::PREPARATION {
        errare(&desk, prepare).assert().success();
    }
    desk
}

fn errare(desk: &Path, line: &str) -> Command {
    let mut command = Command::from(program::errare());
    command
        .args(line.split(' ').map(|word| word.replace('_', " ")))
        .current_dir(desk)
        .env("ERRARE_TABLES", "tables")
        .env("COLUMNS", "120");
    command
}

/// The standard output of a row of the table, or its standard error if there is no other output.
fn said(desk: &Path, row: &Row, more: &str) -> String {
    let line = format!("{}{more}", row.line);
    let assert = errare(desk, &line).write_stdin(row.typed).assert();
    let output = assert.code(row.code).get_output().clone();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    match output.stdout.is_empty() {
        true => text(output.stderr),
        false => text(output.stdout),
    }
}

#[test]
fn every_verb_is_tried() {
    let listed: BTreeSet<&str> = ALL
        .lines()
        .map(|line| line.trim_end_matches(" json"))
        .collect();
    let known = |row: &Row| {
        let is = |verb: &&&str| row.line.starts_with(&format!("{verb} ")) || row.line == **verb;
        listed
            .iter()
            .filter(is)
            .max_by_key(|verb| verb.len())
            .copied()
    };
    let tried: BTreeSet<&str> = VERBS.iter().filter_map(known).chain(NOT_HERE).collect();
    assert_eq!(tried, listed);
    for row in VERBS {
        let verb = known(row).expect("it is listed");
        let answers = ALL.lines().any(|line| line == format!("{verb} json"));
        assert_eq!(row.reads_back.is_some(), answers, "{}", row.line);
    }
}

#[test]
fn answers_read_back_from_json() {
    let desk = desk();
    for row in VERBS {
        if let Some(reads_back) = row.reads_back {
            println!("{}", row.line);
            reads_back(&said(&desk, row, " --json"));
        }
    }
}

#[test]
fn people_read_answers() {
    let desk = desk();
    for row in VERBS {
        let name = match row.name {
            "" => row.line.split(' ').next().expect("a verb"),
            name => name,
        };
        let text = said(&desk, row, "");
        for line in text.lines().filter(|_| row.code == 0) {
            let width = line.chars().count();
            assert!(width <= 80, "{name}: a line of {width} columns\n{line}");
        }
        let text = match row.varies {
            true => masked(&text),
            false => text,
        };
        insta::assert_snapshot!(name, beginning(&text, row.lines));
    }
}

#[test]
fn every_verb_has_a_manual_page() {
    let desk = errare_testing::scratch_directory();
    errare(&desk, "man pages").assert().success();
    for verb in ALL.lines().map(|line| line.trim_end_matches(" json")) {
        let page = desk.join(format!("pages/errare-{}.1", verb.replace(' ', "-")));
        let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{verb}: {error}"));
        assert!(!text.contains(".SH EXTRA"), "{verb}");
    }
    let probe = fs::read_to_string(desk.join("pages/errare-probe.1")).unwrap();
    assert!(probe.contains(".SH EXAMPLES\n"), "{probe}");
    fs::write(desk.join("taken"), "").unwrap();
    let failed = errare(&desk, "man taken").assert().code(2);
    let said = String::from_utf8_lossy(&failed.get_output().stderr).into_owned();
    assert!(
        said.contains("cannot write manual pages to taken"),
        "{said}"
    );
}

#[test]
fn shells_complete_every_verb() {
    let desk = errare_testing::scratch_directory();
    for shell in ["bash", "zsh", "fish"] {
        let done = errare(&desk, &format!("completions {shell}"))
            .assert()
            .success();
        let script = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
        for verb in ALL.lines().map(|line| line.trim_end_matches(" json")) {
            let last = verb.rsplit(' ').next().expect("a word");
            assert!(script.contains(last), "{shell}: {verb}");
        }
    }
    errare(&desk, "completions abacus").assert().code(2);
}

/// The number of lines of a long text in a snapshot.
const LONGEST: usize = 60;

/// A text, or its beginning.
fn beginning(text: &str, lines: usize) -> String {
    let lines: Vec<&str> = text.lines().take(lines.min(LONGEST)).collect();
    lines.join("\n")
}

/// A text without its numbers and paths, which differ from run to run, and with single spaces.
fn masked(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line: String = line
            .chars()
            .map(|c| if c.is_ascii_digit() { '#' } else { c })
            .collect();
        let words: Vec<&str> = line
            .split_whitespace()
            .map(|word| {
                if word.contains(['#', '/']) {
                    "[..]"
                } else {
                    word
                }
            })
            .collect();
        words.join(" ")
    });
    lines.collect::<Vec<_>>().join("\n")
}
