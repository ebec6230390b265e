//! An arbiter's session: a round is screened, and the report is written to a file.

use std::fs;

use crate::{DESK, errare, program, terminal::Terminal, written};

/// A study of one round: four games of two players, one of whom has too few turns to be tested.
fn round() {
    let turns = written("turns.jsonl");
    let of_the_round = |line: &&str| {
        ["g0p", "g1p", "g2p", "g3p"]
            .iter()
            .any(|game| line.starts_with(&format!(r#"{{"id":"2200{game}"#)))
            || line.starts_with(r#"{"id":"2000g0p"#)
    };
    let lines: Vec<&str> = turns.lines().filter(of_the_round).collect();
    fs::write(DESK.join("round.jsonl"), lines.join("\n")).unwrap();
    let import = ["evaluate", "--store", "round.db", "--import", "round.jsonl"];
    errare(&import).assert().success();
}

/// The words of a page, a line for each heading, paragraph and row.
fn words(page: &str) -> String {
    let page = page.replace("</td>", " ").replace("</th>", " ");
    let mut text = String::new();
    let mut drawing = false;
    for part in page.split('<') {
        let (tag, rest) = part.split_once('>').unwrap_or(("", part));
        match tag.split(' ').next() {
            Some("svg" | "style") => drawing = true,
            Some("/svg" | "/style") => drawing = false,
            _ => {}
        }
        if !drawing {
            text += rest;
        }
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_whole_session() {
    round();
    let mut command = program::errare();
    command.args(["screen", "round.db", "--calibration", "calibration.json"]);
    command.args(["--html", "round.html"]).current_dir(&*DESK);
    let (screen, code) = Terminal::run(command).finish();
    assert_eq!(code, Some(0), "{screen}");
    insta::assert_snapshot!("an arbiter's screen", screen);
    let page = words(&written("round.html"));
    let masked: Vec<String> = page
        .lines()
        .map(|line| match line.strip_prefix("SHA-256 of the source") {
            Some(_) => "SHA-256 of the source ...".to_owned(),
            None => line.replace(env!("CARGO_PKG_VERSION"), "..."),
        })
        .collect();
    insta::assert_snapshot!("an arbiter's report", masked.join("\n"));
}
