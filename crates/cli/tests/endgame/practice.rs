//! Practice as people and scripts use it.

#[cfg(unix)]
mod terminal;

use std::path::PathBuf;

use serde_json::Value;

use crate::{DEEPEST, errare, output, refusal};

/// A pawn that wins if the king goes first.
const PAWN: &str = "8/4k3/8/8/8/3K4/4P3/8 w - - 0 1";

/// The events of a session without a history.
fn events(arguments: &[&str], typed: &str) -> Vec<Value> {
    events_with(&[arguments, &["--no-history"]].concat(), typed)
}

fn events_with(arguments: &[&str], typed: &str) -> Vec<Value> {
    let assert = errare(arguments)
        .arg("--json")
        .write_stdin(typed.to_owned())
        .assert()
        .success();
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What a person reads.
fn read(arguments: &[&str], typed: &str) -> String {
    let assert = errare(arguments)
        .arg("--no-history")
        .write_stdin(typed.to_owned())
        .assert()
        .success();
    String::from_utf8(assert.get_output().stdout.clone()).unwrap()
}

fn of<'a>(events: &'a [Value], kind: &str) -> Vec<&'a Value> {
    events
        .iter()
        .filter(|event| event["event"] == kind)
        .collect()
}

fn own_moves(events: &[Value]) -> Vec<&Value> {
    of(events, "moved")
        .into_iter()
        .filter(|event| event["yours"] == true)
        .collect()
}

/// A hunter that may not use the memory it needs is refused before the game; one that has yet to solve its endgame says so.
#[test]
fn an_opponent_that_cannot_play_is_refused_before_the_game() {
    let practice = ["practice", "--from", DEEPEST, "--opponent", "hunter:c=20"];
    output(&["probe", DEEPEST]);
    let refused = errare(&[&practice[..], &["--memory", "2MB", "--no-history"]].concat())
        .assert()
        .code(2);
    let output = refused.get_output();
    assert!(output.stdout.is_empty(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("hunting in KQKR takes") && said.contains("raise --memory"),
        "{said}"
    );
    let begun = errare(&[&practice[..], &["--no-history"]].concat())
        .write_stdin("quit\n")
        .assert();
    let said = String::from_utf8_lossy(&begun.get_output().stderr).into_owned();
    let once = "The Hunter has to work out KQKR first, once";
    assert_eq!(said.matches(once).count(), 1, "{said}");
}

#[test]
fn a_thrown_win_is_told_and_counts() {
    let typed = "e4\n";
    let events = events(&["practice", "--from", PAWN, "--opponent", "best"], typed);
    let judgement = &own_moves(&events)[0]["judgement"];
    assert_eq!(judgement["words"], "e4 throws the win away: now a draw");
    assert!(judgement["better"].as_str().unwrap().ends_with(" was best"));
    let report = of(&events, "report")[0];
    let competence = &report["competence"];
    assert!(competence["estimate"]["mean"].is_f64(), "{competence}");
    assert!(
        !report["sentences"].to_string().contains("no upper bound"),
        "{report}"
    );
}

#[test]
fn a_game_by_hints_shows_no_competence() {
    let typed = "hint\nKe4\nhint\nquit\n";
    let events = events(&["practice", "--from", PAWN, "--opponent", "best"], typed);
    assert_eq!(of(&events, "hinted").len(), 2);
    let competence = &of(&events, "report")[0]["competence"];
    assert_eq!(
        (&competence["moves"], &competence["estimate"]),
        (&0.into(), &Value::Null)
    );
    assert!(
        competence["words"]
            .as_str()
            .unwrap()
            .contains("after a hint")
    );
}

#[test]
fn moves_are_marked_and_measured() {
    let typed = "nonsense\nKb7\nKc6\nKd7\nd7d8\nqc5\nQd4\nquit\n";
    let arguments = [
        "practice",
        "--from",
        DEEPEST,
        "--opponent",
        "best:ties=first",
    ];
    let events = events(&arguments, typed);
    assert!(
        of(&events, "refused")[0]["message"]
            .as_str()
            .unwrap()
            .contains("\"nonsense\" is not a legal move here")
    );
    let moves = own_moves(&events);
    assert_eq!(moves.len(), 6);
    assert_eq!(moves[3]["judgement"]["mark"], "'");
    assert_eq!(moves[5]["judgement"]["ceded"], 1);
    let report = of(&events, "report")[0];
    assert_eq!(
        (&report["perfect_moves"], &report["moves"]),
        (&31.into(), &6.into())
    );
    assert_eq!(report["slips"].as_array().unwrap().len(), 1);
}

#[test]
fn the_board_is_turned_for_black_and_may_be_plain() {
    let black = read(
        &[
            "practice",
            "--from",
            "8/8/8/2K5/r7/2Q5/4k3/8 b - - 0 1",
            "--ascii",
        ],
        "quit\n",
    );
    assert!(
        black.contains("  1  . . . . . . . .") && black.contains("     h g f e d c b a"),
        "{black}"
    );
    let white = read(&["practice", "--from", DEEPEST], "quit\n");
    assert!(
        white.contains("♔ · · · ♜") && white.contains("     a b c d e f g h"),
        "{white}"
    );
}

#[test]
fn the_end_says_what_happened() {
    let stalemate = read(
        &[
            "practice",
            "--from",
            "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1",
            "--opponent",
            "best",
        ],
        "Qf7\nback\nqf8\n",
    );
    assert!(
        stalemate.contains("Qf7 is stalemate: the win is gone"),
        "{stalemate}"
    );
    assert!(
        stalemate.contains("Checkmate: you have won."),
        "{stalemate}"
    );
    let capture = read(
        &[
            "practice",
            "--from",
            "1r5k/8/6K1/8/8/1Q6/8/8 w - - 0 1",
            "--opponent",
            "best",
        ],
        "qb8\n",
    );
    assert!(capture.contains("Checkmate: you have won."), "{capture}");
}

#[test]
fn drills_are_listed_and_played() {
    let list = output(&["practice", "--list"]);
    for name in ["lucena", "philidor", "vancura", "kbnk-corner", "troitsky"] {
        assert!(list.contains(name), "{list}");
    }
    assert!(
        list.lines().all(|line| line.chars().count() <= 80),
        "{list}"
    );
    let drill = read(
        &["practice", "--drill", "kpk-opposition", "--seed", "1"],
        "marks\nmoves\nhelp\nhint\nhint\nhint\nclaim\nback\ndraw\nKe5\nKd5\nreport\nresign\nquit\n",
    );
    let wide = drill.lines().find(|line| line.chars().count() > 80);
    assert_eq!(wide, None, "{drill}");
    assert!(drill.contains("The king goes before the pawn"), "{drill}");
    assert!(
        drill.contains("\n  °   the only legal move\n  \"   the only move that keeps the result\n"),
        "{drill}"
    );
    assert!(drill.contains("offer a draw"), "{drill}");
}

#[test]
fn starts_are_drawn_by_chance() {
    let start = |arguments: &[&str]| {
        let events = events(
            &[&["practice", "KPK", "--opponent", "best"], arguments].concat(),
            "",
        );
        let began = of(&events, "began")[0].clone();
        (
            began["session"]["setup"].clone(),
            began["view"]["standing"].clone(),
        )
    };
    let [first, again, other] = ["1", "1", "2"].map(|seed| start(&["--seed", seed]));
    assert_eq!(first, again);
    assert_ne!(first.0["fen"], other.0["fen"]);
    let (setup, standing) = start(&["--draw", "--seed", "3"]);
    assert_eq!(
        (&setup["side"], &standing["value"]),
        (&"black".into(), &"draw".into())
    );
    let (setup, standing) = start(&["--lost", "--seed", "3", "--depth", "8-12"]);
    assert_eq!(
        (&setup["task"], &standing["value"]),
        (&"resist".into(), &"loss".into())
    );
    assert!((8..=12).contains(&standing["moves"].as_u64().unwrap()));
    assert!(
        refusal(&["practice", "KPK", "--depth", "40", "--no-history"])
            .contains("no position of KPK")
    );
}

/// A draw may be offered, and claimed as soon as the rules allow, which the board announces.
#[test]
fn draws_are_offered_and_claimed() {
    let lost = "8/8/8/3k4/8/8/8/2B1KB2 b - - 98 80";
    let arguments = ["practice", "--from", lost, "--opponent", "best"];
    let said = read(&arguments, "claim\ndraw\nKd4\nclaim\nboard\n");
    for words in [
        "The 50-move rule leaves only 1 move: best",
        "there is nothing to claim",
        "Your opponent declines: it is winning.",
        "You may claim a draw: 50 moves were made without a capture or a pawn move. Type claim to do so.",
        "You may claim a draw: type claim.",
        "Draw claimed: 50 moves were made without a capture or a pawn move.",
    ] {
        let flat = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(words), "{words}: {said}");
    }
    // Then neither side is to move.
    let (_, after) = said.rsplit_once("board").unwrap();
    assert!(
        after.contains("Draw claimed") && !after.contains("to move"),
        "{said}"
    );
}

/// Another game, or the same start again, without leaving.
#[test]
fn games_follow_each_other() {
    let arguments = ["practice", "KPK", "--opponent", "best", "--seed", "1"];
    let events = events(&arguments, "resign\nagain\nnew\nquit\n");
    let starts: Vec<&Value> = of(&events, "began")
        .into_iter()
        .map(|began| &began["session"]["setup"]["fen"])
        .collect();
    assert_eq!(starts.len(), 3, "{starts:?}");
    assert_eq!(starts[0], starts[1]);
    assert_ne!(starts[0], starts[2]);
    assert_eq!(of(&events, "ended")[0]["kind"], "resigned");
}

/// An engine, or people of a rating, may be the opponent.
#[test]
fn engines_and_people_are_opponents() {
    for (opponent, words) in [
        (
            "uci:stockfish,depth=4",
            "You have White against the engine stockfish.",
        ),
        (
            "human:elo=1800",
            "against a player like people of 1800 Elo.",
        ),
    ] {
        let arguments = ["practice", "--from", PAWN, "--opponent", opponent];
        let said = read(&arguments, "Ke4\nquit\n").replace('\n', " ");
        assert!(said.contains(words), "{said}");
        assert!(said.contains("... K"), "it replied: {said}");
    }
    let nobody = [
        "practice",
        "KPK",
        "--no-history",
        "--opponent",
        "uci:no-such-engine",
    ];
    let refused = refusal(&nobody);
    assert!(refused.contains("no-such-engine"), "{refused}");
}

/// A history of its own.
fn history() -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("history.sqlite");
    (directory, file)
}

#[test]
fn a_game_is_resumed_and_slips_come_back() {
    let (_directory, file) = history();
    let file = file.to_str().unwrap();
    let begin = [
        "practice",
        "--from",
        PAWN,
        "--opponent",
        "best:ties=first",
        "--history",
        file,
    ];
    let first = events_with(&begin, "e4\nretry\nKe4\n");
    let fen = own_moves(&first).last().unwrap()["fen"].clone();
    assert!(fen.is_string());
    let resumed = events_with(&["practice", "--resume", "--history", file], "report\n");
    let began = of(&resumed, "began")[0];
    let moves = began["session"]["moves"].as_array().unwrap();
    assert_eq!(moves[0]["fen"], fen);
    assert_eq!(began["session"]["attempts"].as_array().unwrap().len(), 2);
    // The slip is kept, and not due before tomorrow.
    let progress: Value = serde_json::from_str(&output(&[
        "practice",
        "--progress",
        "--history",
        file,
        "--json",
    ]))
    .unwrap();
    assert_eq!(
        (&progress["slips"], &progress["due"]),
        (&1.into(), &0.into())
    );
    assert_eq!(progress["points"][0]["session"]["value_losses"], 1);
    assert!(progress["points"][0]["mean"].is_f64());
    let told = output(&["practice", "--progress", "--history", file]);
    let row: Vec<&str> = told.lines().nth(2).unwrap().split_whitespace().collect();
    assert_eq!(row[0].len(), "2026-11-19".len(), "{told}");
    assert_eq!(row[1..5], ["KPK", "win", "open", "1"], "{told}");
    assert!(
        row[5].parse::<f64>().is_ok() && row[6].contains('-'),
        "{told}"
    );
    assert!(told.contains("1 slip kept for review, 0 due."), "{told}");
    let nothing = output(&["practice", "--review", "--history", file]);
    assert!(
        nothing.contains("Nothing is due. The next slip comes back on 2"),
        "{nothing}"
    );
    // Everything can be exported, and erased.
    let pgn = output(&["practice", "--export", "-", "--history", file]).replace('\n', " ");
    assert!(
        pgn.contains("[Seed \"") && pgn.contains("( 1. e4 $4 { taken back: e4 throws the win away"),
        "{pgn}"
    );
    errare(&["practice", "--erase", "--history", file])
        .assert()
        .success();
    assert!(
        output(&["practice", "--progress", "--history", file]).contains("No session has a move")
    );
}

#[test]
fn games_are_written_as_pgn() {
    let (directory, _) = history();
    let pgn = directory.path().join("games.pgn");
    let path = pgn.to_str().unwrap();
    let arguments = [
        "practice",
        "--from",
        PAWN,
        "--opponent",
        "best:ties=first",
        "--seed",
        "7",
        "--pgn",
        path,
    ];
    read(&arguments, "e4\nquit\n");
    read(&arguments, "Ke4\nquit\n");
    let text = std::fs::read_to_string(&pgn).unwrap();
    assert_eq!(text.matches("[Event ").count(), 2);
    for part in [
        "[FEN \"8/4k3/8/8/8/3K4/4P3/8 w - - 0 1\"]",
        "[SetUp \"1\"]",
        "[Seed \"7\"]",
        "1. e4 $4 { e4 throws the win away: now a draw }",
        "{ was best } )",
        "[Termination \"unterminated\"]",
    ] {
        assert!(text.replace('\n', " ").contains(part), "{part}: {text}");
    }
    // Other programs can read it, and so can ours.
    let analysed: Value = serde_json::from_str(&output(&["analyse", path, "--json"])).unwrap();
    assert_eq!(analysed["games"].as_array().unwrap().len(), 2);
}

#[test]
fn a_rush_is_scored() {
    let arguments = ["practice", "KPK", "--rush", "--seed", "1", "--no-history"];
    let said = errare(&arguments).write_stdin("\n").assert().success();
    let said = String::from_utf8(said.get_output().stdout.clone()).unwrap();
    assert!(said.contains("10 positions, 180 seconds"), "{said}");
    assert!(said.contains("Errare rush KPK: 0.0 of 10"), "{said}");
    // Leaving early is reported as such, without minutes that were not played.
    let left = errare(&arguments)
        .write_stdin("\nquit\n")
        .assert()
        .success();
    let left = String::from_utf8(left.get_output().stdout.clone()).unwrap();
    assert!(left.contains("Errare rush KPK: 0.0 of 10 in 0 s"), "{left}");
}

#[test]
fn refusals() {
    assert!(refusal(&["practice", "--no-history"]).contains("ENDGAME"));
    assert!(
        refusal(&["practice", "KQKR", "--skill=-1", "--no-history"]).contains("an emulator's c")
    );
    assert!(refusal(&["practice", "KQXKR"]).contains("not an endgame"));
    let nowhere = [
        "practice",
        "KPK",
        "--no-history",
        "--pgn",
        "nowhere/games.pgn",
    ];
    assert!(refusal(&nowhere).contains("there is no directory nowhere"));
    let no_history = refusal(&["practice", "KPK", "--history", "Cargo.toml/history"]);
    assert!(no_history.contains("or use --no-history"), "{no_history}");
    assert!(
        refusal(&["practice", "--drill", "lucerne", "--no-history"]).contains("drills are lucena")
    );
    assert!(refusal(&["practice", "KPK", "--level", "mild"]).contains("easy, medium or hard"));
    assert!(
        refusal(&["practice", "KQK", "--level", "hard", "--no-history"])
            .contains("is won by White and of the level hard")
    );
}
