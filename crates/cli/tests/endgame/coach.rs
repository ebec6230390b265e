//! A coach's session: a file with comments, variations, a broken game and text in Windows-1252.

use std::fs;

use crate::{errare, refusal};

/// What the coach has: 0xE9 is an é in Windows-1252.
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
    assert!(
        said.contains("train KPK") || said.contains("train KQK"),
        "{said}"
    );
    let written = fs::read_to_string(&annotated).unwrap();
    assert_eq!(written.matches("[Event ").count(), 5, "{written}");
    assert!(written.contains("; as written: Ke3"), "{written}");
    let pages = fs::read_to_string(&html).unwrap();
    assert_eq!(pages.matches("<section>").count(), 3, "{pages}");
    // Nothing of the coach's own is lost, and what was written can be read again.
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

/// The coach's session as he sees it, and the file that he gets: everything of his own is in it.
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

/// What is missing is named, and stops nothing.
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
        // The remedy is for the directory that was used.
        let remedy = format!(
            "`errare tables build {endgame} --metric dtc --tables {}` builds it",
            tables.display()
        );
        assert!(talk.contains(&remedy), "{talk}");
    }
    assert!(
        talk.contains("nothing was analysed, as the tables are missing"),
        "{talk}"
    );
}
