//! `errare reproduce`: its exit code says whether the verdicts are the known ones, and an interrupted run resumes.

mod program;

use std::{fs, path::Path};

use assert_cmd::Command;
use errare_report::reproduction;
use errare_service::reproduce::{self, Answer, PaperEntry, PaperVerdict, PrintedClaim};
use serde_json::Value;

fn errare(tables: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::from(program::errare());
    command.env("ERRARE_TABLES", tables);
    command.arg("reproduce").args(arguments);
    command
}

/// The results of a run that computed everything.
fn found(claim: &PrintedClaim) -> PaperEntry {
    PaperEntry {
        id: claim.id.to_owned(),
        paper: claim.paper.to_owned(),
        place: claim.place.to_owned(),
        claim: claim.claim.to_owned(),
        printed: claim.printed.to_owned(),
        computed: Some(claim.printed.to_owned()),
        difference: None,
        verdict: claim.expected,
        expected: claim.expected,
        why: claim.why.map(str::to_owned),
        seconds: 1.0,
        command: format!("errare reproduce {}", claim.id),
        figure: None,
    }
}

/// Leaves the entries as an interrupted run would.
fn interrupted(tables: &Path, entries: &[PaperEntry]) {
    let lines: Vec<String> = entries
        .iter()
        .map(|entry| serde_json::to_string(entry).unwrap())
        .collect();
    let name = format!("reproduction-{}.jsonl", env!("CARGO_PKG_VERSION"));
    fs::write(tables.join(name), lines.join("\n")).unwrap();
}

#[test]
fn a_wrong_name_is_answered_with_the_nearest() {
    let tables = tempfile::tempdir().unwrap();
    for (typed, meant) in [
        ("haworth-2002x", "haworth-2002"),
        ("hawroth-andrist-2004", "haworth-andrist-2004"),
        ("levene-fenner/exampel-1", "levene-fenner/example-1"),
    ] {
        let assert = errare(tables.path(), &[typed]).assert().failure();
        let said = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        let similar = format!("the most similar is {meant}; the papers are ");
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&similar) && said.len() < 300, "{said}");
    }
}

#[test]
fn the_exit_code_is_1_when_a_verdict_is_not_the_known_one() {
    let tables = tempfile::tempdir().unwrap();
    let mut entries: Vec<PaperEntry> = reproduce::claims().iter().map(found).collect();
    interrupted(tables.path(), &entries);
    errare(tables.path(), &[]).assert().code(0);

    let broken = entries
        .iter_mut()
        .find(|entry| entry.id == "haworth-andrist-2004/figure-5/c=20")
        .unwrap();
    broken.verdict = PaperVerdict::Differs;
    broken.computed = Some("96.20".to_owned());
    interrupted(tables.path(), &entries);
    let output = errare(tables.path(), &["--html", "-"]).assert().code(1);
    let page = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(page.contains("1 is not what it should be"));
    assert!(page.contains("class=\"surprise\" id=\"entry-haworth-andrist-2004/figure-5/c=20\""));
}

#[test]
fn an_interrupted_run_computes_what_is_missing_and_forgets_what_it_had() {
    let tables = tempfile::tempdir().unwrap();
    let is_missing = |entry: &PaperEntry| entry.id == "levene-fenner/example-1/a";
    let mut entries: Vec<PaperEntry> = reproduce::claims().iter().map(found).collect();
    entries.retain(|entry| !is_missing(entry));
    interrupted(tables.path(), &entries);
    let output = errare(tables.path(), &["--json"]).assert().code(0);
    let answer: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    let answered = answer["entries"].as_array().unwrap();
    assert_eq!(answered.len(), entries.len() + 1);
    let one = answered
        .iter()
        .find(|entry| entry["id"] == "levene-fenner/example-1/a")
        .unwrap();
    assert_eq!(one["computed"], "3691/4096");
    assert_eq!(one["verdict"], "equal");
    for field in ["id", "paper", "place", "printed", "seconds", "command"] {
        assert!(!one[field].is_null(), "{field}");
    }
    let left: Vec<_> = fs::read_dir(tables.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("reproduction"))
        .collect();
    assert_eq!(left, Vec::<String>::new());
}

#[test]
fn reasons_are_told_and_unknown_names_refused() {
    let tables = tempfile::tempdir().unwrap();
    let output = errare(tables.path(), &["levene-fenner/theorem-6.2"])
        .assert()
        .code(0);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let words: Vec<&str> = text.split_whitespace().collect();
    let said = "the theorem needs α of at least 2";
    assert!(words.join(" ").contains(said), "{text}");
    errare(tables.path(), &["levene-fenner/example-9"])
        .assert()
        .code(2);
    errare(tables.path(), &["--games", "no-such-directory"])
        .assert()
        .code(2);
}

/// Names, claims, printed numbers and verdicts of a document, in its order.
fn rows(document: &str) -> Vec<Vec<&str>> {
    let rows = document.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let verdict = cells[cells.len() - 1];
        let verdict = verdict.split([':', '(']).next().unwrap_or(verdict).trim();
        vec![cells[0], cells[1], cells[2], verdict]
    })
    .collect()
}

#[test]
fn the_document_has_every_entry_in_its_place() {
    let entries = reproduce::claims().iter().map(found).collect();
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let answer = Answer { version, entries };
    let fresh = reproduction::markdown(&answer);
    let kept = include_str!("../../../docs/reproduction.md");
    let writes = "`errare reproduce --markdown docs/reproduction.md` writes it";
    assert_eq!(rows(kept), rows(&fresh), "{writes}");
    let summary = reproduction::summary(&answer);
    assert!(kept.contains(&summary), "it lacks {summary:?}; {writes}");
}

/// A game of row 4 under the names of a row whose game is missing.
#[test]
fn games_of_the_user_fill_their_row() {
    let games = tempfile::tempdir().unwrap();
    let pgn = include_str!("../../service/src/reproduce/haworth_andrist_2004/table-2.pgn")
        .replace("Pinter, Jozsef", "FRITZ")
        .replace("Bronstein, David I", "FRITZ");
    assert_eq!(pgn.matches("FRITZ").count(), 2);
    fs::create_dir(games.path().join("below")).unwrap();
    fs::write(games.path().join("below/games.pgn"), pgn).unwrap();
    let games = games.path().to_str().unwrap();
    let row = "haworth-andrist-2004/table-2/7";
    let mut command = Command::from(program::errare());
    command.args(["reproduce", row, "--games", games, "--json"]);
    let output = command.assert().code(0);
    let answer: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    let entry = |name: &str| {
        let id = format!("{row}/{name}");
        let entries = answer["entries"].as_array().unwrap();
        entries.iter().find(|it| it["id"] == id).unwrap().clone()
    };
    assert_eq!(entry("black-lost")["computed"], "95");
    assert_eq!(entry("black-c")["computed"], "15.351");
    assert_eq!(entry("black-c")["verdict"], "differs");
    let why = entry("black-c")["why"].clone();
    assert!(why.as_str().unwrap().contains("given games"));
}
