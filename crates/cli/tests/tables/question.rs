//! Answers from tables: statistics, dumps, verification, the list.

use errare_service::tables;
use errare_testing::assert_round_trip;
use serde_json::Value;

use super::{TABLES, code, errare, on_tables, stderr, stdout};

#[test]
fn a_missing_table_is_not_built_if_not_wanted() {
    for verb in [
        &["stats", "KRKB", "--metric", "dtm"][..],
        &["verify", "KRKB", "--metric", "dtm,dtm"],
        &["dump", "KRKB", "--metric", "dtm"],
    ] {
        let missing = on_tables(&[verb, &["--no-build"]].concat());
        assert_eq!(code(&missing), 2, "{verb:?}");
        let directory = TABLES.display();
        let message = format!(
            "errare: there is no dtm table of KRKB in {directory}; \
             build it with `errare tables build KRKB --metric dtm --tables {directory}`\n"
        );
        assert_eq!(stderr(&missing), message);
    }
}

#[test]
fn an_endgame_is_called_what_its_user_calls_it() {
    let missing = on_tables(&["stats", "KBvKR", "--no-build"]);
    let told = stderr(&missing);
    assert!(
        told.starts_with("errare: KBvKR (KRKB): there is no"),
        "{told}"
    );
    let large = on_tables(&["build", "KRvKQQQQ"]);
    assert_eq!(code(&large), 2);
    let told = stderr(&large);
    assert!(told.starts_with("errare: KRvKQQQQ (KQQQQKR): "), "{told}");
}

/// An empty variable is not a directory, and setting a variable does not make an option required.
#[test]
fn settings_of_the_environment() {
    let mut command = super::command("".as_ref(), &["list"]);
    let home = tempfile::tempdir().unwrap();
    command
        .env("HOME", home.path())
        .env("XDG_DATA_HOME", home.path());
    let list = command.output().unwrap();
    let told = stderr(&list);
    assert!(told.contains(home.path().to_str().unwrap()), "{told}");
    let usage = on_tables(&["stats"]);
    assert_eq!(code(&usage), 2);
    let told = stderr(&usage);
    assert!(!told.contains("--tables"), "{told}");
}

#[test]
fn answers_round_trip() {
    let json = |arguments: &[&str]| stdout(&on_tables(&[arguments, &["--json"]].concat()));
    assert_round_trip::<tables::stats::Answer>(&json(&["stats", "KPK"]));
    assert_round_trip::<tables::list::Answer>(&json(&["list"]));
    assert_round_trip::<tables::verify::Answer>(&json(&["verify", "KQK", "--metric", "dtm"]));
    let directory = tempfile::tempdir().unwrap();
    let built = errare(directory.path(), &["build", "KQK", "--json"]);
    for line in stdout(&built).lines() {
        assert_round_trip::<tables::build::Built>(line);
    }
}

/// The rows of a side to move are all its legal positions.
#[test]
fn depths_are_rows_for_other_programs() {
    let stats = |form| stdout(&on_tables(&["stats", "KPK", "--metric", "dtm", form]));
    let legal: Value = serde_json::from_str(&stats("--json")).unwrap();
    let rows = stats("--csv");
    assert!(
        rows.starts_with("side,outcome,moves,positions\nwhite,win,1,"),
        "{rows}"
    );
    for side in ["white", "black"] {
        let rows = rows.lines().filter(|row| row.starts_with(side));
        let positions = rows.map(|row| row.rsplit(',').next().unwrap().parse::<u64>().unwrap());
        assert_eq!(legal[side]["legal"], positions.sum::<u64>(), "{side}");
    }
}

#[test]
fn statistics_as_json() {
    let output = on_tables(&["stats", "KPK", "--metric", "dtm", "--json"]);
    let stats: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(stats["endgame"], "KPK");
    assert_eq!(stats["metric"], "dtm");
    let white = &stats["white"];
    assert_eq!(white["deepest_win"]["plies"], 55);
    assert_eq!(white["deepest_win"]["moves"], 28);
    assert_eq!(stats["black"]["deepest_loss"]["plies"], 56);
    assert_eq!(white["deepest_loss"], Value::Null);
    assert_eq!(white["mutual_zugzwangs"], 80);
    assert_eq!(white["wins"], white["unique"]["wins"].as_u64().unwrap() * 2);
    let deepest = &white["deepest_win"]["positions"];
    assert_eq!(&white["win_depths"]["28"], deepest);
    assert_eq!(
        white["unique"]["win_plies"]["55"],
        deepest.as_u64().unwrap() / 2
    );
}

/// The output of every verb, as people see it.
#[test]
fn output_for_people() {
    insta::assert_snapshot!(
        "stats",
        stdout(&on_tables(&["stats", "KPK", "--histogram"]))
    );
    insta::assert_snapshot!("verify", stdout(&on_tables(&["verify", "KQK"])));
    insta::assert_snapshot!("list", stdout(&on_tables(&["list"])));
    let dump = stdout(&on_tables(&["dump", "KQK", "--metric", "dtm"]));
    let beginning: Vec<&str> = dump.lines().take(5).collect();
    insta::assert_snapshot!("dump", beginning.join("\n"));
    let directory = tempfile::tempdir().unwrap();
    let built = errare(directory.path(), &["build", "KQK", "--memory", "1GiB"]);
    insta::assert_snapshot!("build", without_times(&stdout(&built)));
    insta::assert_snapshot!("build talk", stderr(&built));
    let removed = errare(directory.path(), &["remove", "KQK"]);
    let removed = stdout(&removed).replace(directory.path().to_str().unwrap(), "DIR");
    insta::assert_snapshot!("remove", removed);
}

/// Seconds differ each time.
fn without_times(text: &str) -> String {
    let is_seconds = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let words = |line: &str| {
        let words = line
            .split(' ')
            .map(|word| if is_seconds(word) { "[..]" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    text.lines().map(words).collect::<Vec<_>>().join("\n")
}

#[test]
fn statistics_and_a_histogram_for_people() {
    let output = on_tables(&["stats", "KQK", "--histogram"]);
    let text = stdout(&output);
    assert!(text.contains("10 moves (19 plies)"), "{text}");
    assert!(
        text.contains("White to move, won, by number of moves"),
        "{text}"
    );
    assert!(text.contains('█'), "{text}");
}

#[test]
fn a_dump_has_every_position() {
    let stats = on_tables(&["stats", "KPK", "--metric", "dtz", "--json"]);
    let stats: Value = serde_json::from_slice(&stats.stdout).unwrap();
    let dump = stdout(&on_tables(&["dump", "KPK", "--metric", "dtz"]));
    let mut rows = dump.lines();
    assert_eq!(rows.next(), Some("fen,outcome,plies"));
    let mut wins = 0;
    for row in rows {
        let [fen, outcome, plies] = row.split(',').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        assert!(fen.ends_with(" - - 0 1"), "{row}");
        assert_eq!(outcome == "draw", plies.is_empty(), "{row}");
        wins += u64::from(outcome == "win" && fen.contains(" w "));
    }
    assert_eq!(stats["white"]["unique"]["wins"], wins);
}

#[test]
fn right_tables_are_verified() {
    let output = on_tables(&["verify", "KPK"]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    let lines: Vec<_> = stdout(&output).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 4);
    assert!(lines[0].starts_with("KPK dtm: right, "), "{}", lines[0]);
    assert!(lines[3].ends_with("recomputed by levels"), "{}", lines[3]);
}

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let arguments = ["verify", "KPK", "--sample", "500", "--seed", "7", "--json"];
    let one = on_tables(&arguments);
    assert_eq!(code(&one), 0);
    assert_eq!(one.stdout, on_tables(&arguments).stdout);
    let answer: Value = serde_json::from_slice(&one.stdout).unwrap();
    assert_eq!(answer["seed"], 7);
    assert_eq!(answer["tables"][3]["method"], "bounds");
    assert_eq!(answer["tables"][0]["positions"], 500);
    assert_eq!(answer["tables"][0]["mismatch"], Value::Null);
}

#[test]
fn a_list_of_all_tables() {
    let list = on_tables(&["list"]);
    assert_eq!(code(&list), 0);
    let text = stdout(&list);
    let kpk = text.lines().find(|line| line.contains("KPK")).unwrap();
    assert!(kpk.contains("28/-"), "{text}");
    let json = on_tables(&["list", "--json"]);
    let listed: Value = serde_json::from_slice(&json.stdout).unwrap();
    let kpk_dtm = listed
        .as_array()
        .unwrap()
        .iter()
        .find(|table| table["endgame"] == "KPK" && table["metric"] == "dtm")
        .unwrap();
    assert_eq!(kpk_dtm["white"]["deepest_win"], 55);
    assert_eq!(kpk_dtm["damage"], Value::Null);

    let nowhere = errare(&TABLES.join("nowhere"), &["list"]);
    assert_eq!(code(&nowhere), 0);
    assert!(stderr(&nowhere).contains("there are no tables in"));
}
