//! `errare screen`.

use std::{collections::HashMap, fs};

use serde_json::Value;

use crate::{DESK, errare, json, output, refusal, written};

const SCREEN: [&str; 4] = ["screen", "study.db", "--calibration", "calibration.json"];

fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    SCREEN.into_iter().chain(more.iter().copied()).collect()
}

#[test]
fn honest_players_are_normal() {
    let answer = json(&with(&["--json"]));
    let players = answer.as_array().unwrap();
    assert_eq!(players.len(), 6);
    for player in players {
        for field in ["turns", "elo", "z_mm", "z_ad"] {
            assert!(player[field].is_number(), "{field}: {player}");
        }
        assert!(player["mm"]["projected"].is_f64() && player["ad"]["sd"].is_f64());
        assert!(player["adjusted"]["z_mm"].is_f64());
        assert_eq!(player["label"], "normal");
        assert_eq!(player["players_screened"], 6);
    }
}

/// Players whom the sample cannot test get no z, in text or in JSON.
#[test]
fn too_few_turns_have_no_z() {
    let turns = written("turns.jsonl");
    let mut seen = HashMap::<String, usize>::new();
    let few = turns.lines().filter(|line| {
        let turn: Value = serde_json::from_str(line).unwrap();
        let count = seen.entry(turn["white"].to_string()).or_default();
        *count += 1;
        *count <= 20
    });
    fs::write(DESK.join("few.jsonl"), few.collect::<Vec<_>>().join("\n")).unwrap();
    let import = ["evaluate", "--store", "few.db", "--import", "few.jsonl"];
    errare(&import).assert().success();
    let screen = ["screen", "few.db", "--calibration", "calibration.json"];
    let answer = json(&[&screen[..], &["--json"]].concat());
    for player in answer.as_array().unwrap() {
        assert_eq!(player["label"], "too few turns");
        for field in ["z_mm", "z_equal", "z_ad", "adjusted", "chance"] {
            assert!(player[field].is_null(), "{field}: {player}");
        }
        assert!(player["mm"]["actual"].is_number());
    }
    let rows = output(&[&screen[..], &["--csv"]].concat());
    for row in rows.lines().skip(1) {
        assert!(row.contains(",,,,,,,too few turns,,"), "{row}");
    }
}

#[test]
fn reports_are_written() {
    let text = output(&with(&["--html", "screen.html"]));
    assert!(
        text.contains("6 players screened") && text.contains("nothing about a person"),
        "{text}"
    );
    let page = written("screen.html");
    assert!(page.contains("Caveats") && page.contains("<svg") && page.contains("White 2400"));
    assert!(
        !page.contains("src=") && !page.contains("href=\"http"),
        "a page needs no network"
    );
    for word in ["cheat", "guilt", "suspect", "fraud"] {
        assert!(!page.to_lowercase().contains(word), "{word}");
    }
    assert!(page.contains("Nothing on this page is a finding about a person."));
    assert!(page.contains("href=\"#player-1\"") && page.contains("id=\"player-1-game-1\""));
    for fact in [
        "SHA-256",
        "Made up 1",
        "errare screen study.db",
        "watch 2.",
        "smallest effect",
    ] {
        assert!(page.contains(fact), "{fact}");
    }
    let wide = text.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None, "tables fit 80 columns");
    let rows = output(&with(&["--csv"]));
    assert_eq!(rows.lines().count(), 7);
    let mut lines = rows.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let first: Vec<&str> = lines.next().unwrap().split(',').collect();
    let share = head
        .iter()
        .position(|name| *name == "smallest_engine_share")
        .unwrap();
    assert!(first[share].parse::<f64>().unwrap() > 0.0, "{rows}");
}

/// Those who are not screened are counted; the page names them, folded.
#[test]
fn people_without_ratings_are_counted() {
    let turns = written("turns.jsonl").replace(r#""welo":2000,"#, "");
    fs::write(DESK.join("unrated.jsonl"), turns).unwrap();
    let import = [
        "evaluate",
        "--store",
        "unrated.db",
        "--import",
        "unrated.jsonl",
    ];
    errare(&import).assert().success();
    let mut screen = with(&["--html", "unrated.html"]);
    screen[1] = "unrated.db";
    let text = output(&screen);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let counted = "1 player not screened: without a rating or a turn that is used";
    assert!(
        text.contains(&format!("{counted}; --html names them.")),
        "{text}"
    );
    assert!(!text.contains("White 2000"), "{text}");
    let page = written("unrated.html");
    let (_, folded) = page
        .split_once(&format!("<summary>{counted}</summary>"))
        .expect(counted);
    assert!(folded.contains("White 2000."), "{folded}");
}

/// With several engines in a study the name selects one; with a single one it is not needed.
#[test]
fn an_engine_of_several_is_named() {
    let turns = written("turns.jsonl");
    let other = turns.replace("Made up 1", "Elsewhere 2");
    assert_ne!(turns, other);
    fs::write(DESK.join("two.jsonl"), turns + &other).unwrap();
    let import = ["evaluate", "--store", "two.db", "--import", "two.jsonl"];
    errare(&import).assert().success();
    let screen = ["screen", "two.db", "--calibration", "calibration.json"];
    let said = refusal(&screen, 2);
    assert!(
        said.contains("Elsewhere") && said.contains("Made up"),
        "{said}"
    );
    let named = [&screen[..], &["--engine", "Made up", "--csv"]].concat();
    assert_eq!(output(&named), output(&with(&["--csv"])));
    // A name is never ignored.
    let other = with(&["--engine", "whatever", "--csv"]);
    assert!(refusal(&other, 2).contains("whatever"));
    let stored = with(&["--store", "elsewhere.db"]);
    assert!(refusal(&stored, 2).contains("--store is only for games"));
}

#[test]
fn wrong_questions_are_refused() {
    let said = refusal(
        &[
            "screen",
            "none.pgn",
            "--calibration",
            "calibration.json",
            "--engine",
            "none",
        ],
        2,
    );
    assert!(said.contains("none"), "{said}");
    let said = refusal(&["screen", "study.db"], 2);
    assert!(said.contains("errare calibrate"), "{said}");
}
