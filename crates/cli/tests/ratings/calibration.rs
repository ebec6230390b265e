//! `errare calibration`.

use crate::{errare, json, output, refusal, written};

const SHIPPED: [&str; 2] = ["stockfish-15.1-depth-8", "stockfish-15.1-depth-10"];

#[test]
fn calibrations_that_come_with_the_program_are_listed_and_shown() {
    let list = json(&["calibration", "list", "--json"]);
    let names = list["calibrations"].as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|it| it["name"].as_str().unwrap()).collect();
    for name in SHIPPED {
        assert!(names.contains(&name), "{names:?}");
        assert!(output(&["calibration", "list"]).contains(name));
    }
    let shown = output(&["calibration", "show", SHIPPED[0], "--html", "quality.html"]);
    assert!(
        shown.contains("log-loss") && shown.contains("812 games"),
        "{shown}"
    );
    let page = written("quality.html");
    assert!(page.contains("<svg") && page.contains("prefers-color-scheme"));
}

/// What is shown as JSON is a calibration again.
#[test]
fn a_calibration_is_a_file_for_others() {
    let text = output(&["calibration", "show", SHIPPED[1], "--json"]);
    std::fs::write(crate::DESK.join("theirs.json"), &text).unwrap();
    let answer = json(&[
        "calibration",
        "compare",
        "theirs.json",
        SHIPPED[1],
        "--json",
    ]);
    let both = answer["calibrations"].as_array().unwrap();
    assert_eq!(both[0]["weights"], both[1]["weights"]);
    for difference in answer["differences"].as_array().unwrap() {
        assert_eq!(difference["z_at_origin"].as_f64(), Some(0.0));
    }
}

#[test]
fn calibrations_are_compared() {
    let text = output(&["calibration", "compare", SHIPPED[0], SHIPPED[1]]);
    for part in ["1.5019", "1.4631", "cost-early", "ranks:8-10", "z [1]-[2]"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let mut rows = text.lines().filter(|line| !line.starts_with('['));
    assert!(rows.all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn wrong_calibrations_are_refused() {
    let said = refusal(&["calibration", "show", "nowhere.json"], 2);
    assert!(said.contains("stockfish-15.1-depth-8"), "{said}");
    let said = refusal(&["calibration", "compare", "calibration.json"], 2);
    assert!(said.contains("continuous"), "{said}");
    let check = [
        "calibration",
        "check",
        "study.db",
        "--calibration",
        "calibration.json",
    ];
    let said = refusal(&check, 2);
    assert!(said.contains("continuous"), "{said}");
    errare(&["calibration", "check", "study.db", "--years", "2009-1999"])
        .assert()
        .code(2);
}
