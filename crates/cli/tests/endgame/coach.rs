//! A coach's session: a file with comments, variations, a broken game and text in Windows-1252.

use std::{fs, process::Command};

use serde_json::{Value, json};

use crate::{errare, refusal};

/// The coach's file: 0xE9 is an é in Windows-1252.
fn games() -> Vec<u8> {
    let text = include_str!("data/coach.pgn");
    text.chars()
        .map(|c| if c == 'é' { 0xE9 } else { c as u8 })
        .collect()
}

#[test]
fn a_coach_gets_his_file_back_with_words_and_a_page_a_pupil() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (pgn, annotated, html) = (path("club.pgn"), path("annotated.pgn"), path("pupils.html"));
    fs::write(&pgn, games()).unwrap();
    let assert = errare(&["analyse", &pgn, "--annotate", &annotated, "--html", &html])
        .assert()
        .success();
    let said = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    assert!(said.contains("5 games read, 4 analysed"), "{said}");
    assert!(said.contains("train pawn against king (KPK)"), "{said}");
    let written = fs::read_to_string(&annotated).unwrap();
    assert_eq!(written.matches("[Event ").count(), 5, "{written}");
    assert!(written.contains("; as written: Ke3"), "{written}");
    let pages = fs::read_to_string(&html).unwrap();
    assert_eq!(pages.matches("<section>").count(), 3, "{pages}");
    // Endgames are called what players call them.
    assert!(
        pages.contains("<td>queen against king (KQK)</td>")
            && pages.contains("Train pawn against king (KPK): 1 result"),
        "{pages}"
    );
    // Nothing the coach wrote is lost, and the output can be read again.
    for own in [
        "A pawn ending from the lesson, une idée.",
        "Too soon?",
        "keeps the move",
        "[%clk 0:05:11]",
        "a slip of the pen",
        "[Round \"1\"]",
        "to the end of the line, with a ) brace",
        "Kd9 is not a legal move at 3.; as written: Kd9 Ke7 [his own words] Kd5 $1",
        "{+-}",
        "never closed",
    ] {
        assert!(written.replace('\n', " ").contains(own), "{own}: {written}");
    }
    let again = path("again.pgn");
    errare(&["analyse", &annotated, "--annotate", &again])
        .assert()
        .success();
    // The input is never overwritten.
    let refused = refusal(&["analyse", &pgn, "--annotate", &pgn]);
    assert!(refused.contains("is an input file"), "{refused}");
    assert_eq!(fs::read(&pgn).unwrap(), games());
}

/// One pupil's page, whose name is asked for by a part of it, as in `rate`; other games are neither analysed nor lost.
#[test]
fn a_page_for_one_pupil() {
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let (pgn, annotated, html) = (path("club.pgn"), path("annotated.pgn"), path("pupil.html"));
    fs::write(&pgn, games()).unwrap();
    let of = |name: &'static str| vec!["analyse", &pgn, "--player", name];
    let said = crate::output(
        &[
            &of("pupil c")[..],
            &["--annotate", &annotated, "--html", &html],
        ]
        .concat(),
    );
    assert!(said.contains("Game 4: Pupil B - Pupil C"), "{said}");
    assert!(!said.contains("Game 1"), "{said}");
    let page = fs::read_to_string(&html).unwrap();
    assert_eq!(page.matches("<h2>").count(), 1, "{page}");
    assert!(page.contains("<h2>Pupil C</h2>"), "{page}");
    let written = fs::read_to_string(&annotated).unwrap();
    assert_eq!(written.matches("[Event ").count(), 5, "{written}");
    assert!(!written.contains("Kb2, Qb5 or Qg6 was best"), "{written}");
    // Standard output holds one thing alone.
    let alone = crate::output(&[&of("pupil c")[..], &["--annotate", "-"]].concat());
    assert_eq!(alone, written);
    let two = refusal(&[&of("pupil c")[..], &["--annotate", "-", "--json"]].concat());
    assert!(two.contains("can hold one answer only"), "{two}");
    // Names that no pupil or several have are refused before anything is analysed.
    let several = refusal(&of("pupil"));
    assert!(
        several.contains(r#"several players match "pupil": Pupil A; Pupil B; Pupil C"#),
        "{several}"
    );
    assert!(refusal(&of("Nobody")).contains("nobody in these games is called"));
    let piped = refusal(&["analyse", "-", "--player", "Pupil A"]);
    assert!(piped.contains("save the games in a file"), "{piped}");
}

/// Any program can read our output: python's reader finds no error, and every move, sign, variation and comment.
#[test]
fn other_programs_read_annotated_games() {
    let Some(python) = crate::python::with_chess() else {
        return;
    };
    let directory = tempfile::tempdir().unwrap();
    let path = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("club.pgn"), games()).unwrap();
    errare(&[
        "analyse",
        &path("club.pgn"),
        "--annotate",
        &path("annotated.pgn"),
    ])
    .assert()
    .success();
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/endgame/pgn.py");
    let read = Command::new(python)
        .args([script, &path("annotated.pgn")])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&read.stderr);
    assert!(read.status.success(), "{errors}");
    let read = String::from_utf8(read.stdout).unwrap();
    let games: Vec<Value> = read
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(games.len(), 5);
    for game in &games {
        assert_eq!(game["errors"], json!([]), "{game}");
    }
    let moves = |number: usize| {
        games[number]
            .get("moves")
            .unwrap()
            .as_array()
            .unwrap()
            .len()
    };
    assert_eq!([0, 1, 2, 3, 4].map(moves), [23, 23, 2, 4, 2]);
    let first = &games[0];
    assert_eq!(first["headers"]["Site"], "?");
    assert!(first["comments"][0].as_str().unwrap().contains("une idée."));
    assert_eq!(first["comments"][1], "The king goes first.");
    assert_eq!(first["variations"], 1);
    // The coach's sign, the only move of five or more, and the only one of few.
    assert_eq!(
        [
            &first["nags"]["1"],
            &first["nags"]["2"],
            &first["nags"]["18"]
        ],
        [&json!([1]), &json!([1]), &json!([7])]
    );
    let second = &games[1];
    assert_eq!(
        [&second["nags"]["1"], &second["nags"]["3"]],
        [&json!([6]); 2]
    );
    let slip = "Qd3 still wins, but takes 10 moves instead of 9; Kb2, Qb5 or Qg6 was best";
    assert_eq!(second["comments"][1], slip);
    assert_eq!(games[3]["nags"]["3"], json!([4]));
}

/// The coach's session on the screen, and the resulting file, which has everything from the
/// original.
#[cfg(unix)]
#[test]
fn a_whole_session() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("club.pgn"), games()).unwrap();
    crate::output(&["probe", "4k3/8/8/8/4K3/8/4P3/8 w - - 0 1"]);
    let mut command = crate::program::errare();
    command.args(["analyse", "club.pgn", "--annotate", "annotated.pgn"]);
    command.current_dir(directory.path());
    let (screen, code) = crate::terminal::Terminal::run(command).finish();
    assert_eq!(code, Some(0), "{screen}");
    insta::assert_snapshot!("a coach's screen", screen);
    let annotated = fs::read_to_string(directory.path().join("annotated.pgn")).unwrap();
    insta::assert_snapshot!("a coach's annotated file", annotated);
}

/// A missing table is named, and stops nothing.
#[test]
fn missing_tables_are_listed() {
    let directory = tempfile::tempdir().unwrap();
    let pgn = directory.path().join("club.pgn");
    fs::write(&pgn, games()).unwrap();
    let tables = directory.path().join("tables");
    let assert = errare(&[
        "analyse",
        pgn.to_str().unwrap(),
        "--no-build",
        "--tables",
        tables.to_str().unwrap(),
    ])
    .assert()
    .code(1);
    let talk = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    for endgame in ["KPK", "KQK"] {
        let missing = format!("no table of {endgame}");
        assert!(talk.contains(&missing), "{talk}");
        // The remedy names the directory that was used.
        let remedy = format!(
            "`errare tables build {endgame} --metric dtc --tables {}` builds what is missing",
            tables.display()
        );
        assert!(talk.contains(&remedy), "{talk}");
    }
    assert!(
        talk.contains("nothing was analysed, as the tables are missing"),
        "{talk}"
    );
}
