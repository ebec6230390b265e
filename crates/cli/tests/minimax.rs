//! `errare minimax` as people and programs use it: output, errors and exit codes.

mod program;

use assert_cmd::Command;
use serde_json::Value;

const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";

fn errare(arguments: &[&str]) -> Command {
    let mut command = Command::from(program::errare());
    command.arg("minimax").args(arguments);
    command
}

/// Standard output of a successful run.
fn stdout(arguments: &[&str]) -> String {
    let output = errare(arguments)
        .assert()
        .success()
        .get_output()
        .stdout
        .clone();
    String::from_utf8(output).expect("output is UTF-8")
}

fn json(arguments: &[&str]) -> Value {
    let mut arguments = arguments.to_vec();
    arguments.push("--json");
    serde_json::from_str(&stdout(&arguments)).expect("output is JSON")
}

/// Standard error of a run that fails with exit code 2 and prints no data.
fn failure(arguments: &[&str]) -> String {
    let assert = errare(arguments).assert().code(2).stdout("");
    String::from_utf8(assert.get_output().stderr.clone()).expect("output is UTF-8")
}

/// The printed fractions of examples 1 and 2 of the paper, in both notations.
#[test]
fn tree_prints_the_fractions_of_the_paper() {
    let table = stdout(&["tree", "((3 3)(2 2 2))", "--alpha", "2"]);
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .map(|row| row.split_whitespace().collect())
        .collect();
    assert_eq!(
        rows,
        [
            ["1", "3691/4096", "0.901123"],
            ["2", "2283/4096", "0.557373"]
        ]
    );
    assert_eq!(
        table,
        stdout(&["tree", "[2 3][3 2]", "--level-regular", "--alpha", "2"])
    );
    for (alpha, fractions) in [
        ("2", ["211/256", "207/256"]),
        ("3", ["4562/6561", "4802/6561"]),
        ("continuous", ["9/20", "11/20"]),
    ] {
        let answer = json(&["tree", "((3 3)(2))", "--alpha", alpha]);
        for (index, fraction) in fractions.into_iter().enumerate() {
            assert_eq!(answer["moves"][index]["probability"], fraction);
        }
    }
}

#[test]
fn dominate_answers_with_its_exit_code() {
    let text = stdout(&["dominate", "[2 3]", "[3 2]"]);
    assert!(
        text.starts_with("[2 3] strictly dominates [3 2]\n"),
        "{text}"
    );
    errare(&["dominate", "[2 3]", "[1 2]"]).assert().code(1);
    let harmful = errare(&[
        "dominate",
        "[2 3 4 1]",
        "[3 2 1 2]",
        "--shallow",
        "3",
        "--json",
    ]);
    let output = { harmful }.assert().code(1).get_output().stdout.clone();
    let answer: Value = serde_json::from_slice(&output).unwrap();
    assert_eq!(answer["domination"], Value::Null);
    assert_eq!(answer["beneficial"], false);
    assert_eq!(answer["M"][0]["least"], 7);
    assert_eq!(answer["Q"][0]["least"], 24);
}

#[test]
fn prob_keeps_the_contract() {
    let answer = json(&["prob", "start", "--depth", "5"]);
    assert_eq!(answer["depth"], 5);
    assert_eq!(answer["alpha"], Value::Null);
    assert_eq!(answer["leaves"], 4_865_609);
    assert!((answer["certificate"].as_f64().unwrap() - 1.0).abs() < 1e-6);
    assert!(answer["error"].as_f64().unwrap() <= 1e-6);
    let first = &answer["moves"][0];
    assert_eq!(
        (first["uci"].as_str(), first["san"].as_str()),
        (Some("e2e3"), Some("e3"))
    );
    assert!((first["probability"].as_f64().unwrap() - 0.523).abs() < 1e-3);
    assert_eq!(answer["moves"].as_array().unwrap().len(), 20);
}

/// Ties and terminals: a recognised mate is played; by the paper's rule it is not at odd depths.
#[test]
fn prob_has_both_conventions() {
    let of_mate = |arguments: &[&str]| {
        let answer = json(&[&["prob", MATE_IN_ONE, "--depth", "3"], arguments].concat());
        let moves = answer["moves"].as_array().unwrap().clone();
        let mate = moves
            .into_iter()
            .find(|each| each["san"] == "Ra8#")
            .unwrap();
        mate["probability"].as_f64().unwrap()
    };
    assert_eq!(of_mate(&[]), 1.0);
    assert!(of_mate(&["--terminals", "paper"]) < 1.0 / 15.0);
    let all = json(&[
        "prob", "start", "--depth", "2", "--alpha", "2", "--ties", "all",
    ]);
    assert!(all["certificate"].as_f64().unwrap() > 1.5);
    let shared = json(&["prob", "start", "--depth", "2", "--alpha", "2"]);
    assert!((shared["certificate"].as_f64().unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn sweep_tabulates_and_plots() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("out.svg");
    let path = plot.to_str().unwrap();
    let answer = json(&["sweep", "start", "--depths", "1..3", "--plot", path]);
    assert_eq!(answer["steps"].as_array().unwrap().len(), 3);
    assert_eq!(answer["moves"][0]["san"], "e4");
    let svg = std::fs::read_to_string(&plot).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("e4") && svg.contains("polyline"));
    let csv = stdout(&[
        "sweep",
        "start",
        "--depth",
        "2",
        "--alphas",
        "2,continuous",
        "--csv",
    ]);
    assert_eq!(csv.lines().count(), 1 + 2 * 20);
    assert_eq!(csv.lines().next(), Some("uci,san,depth,alpha,probability"));
}

#[test]
fn play_repeats_with_its_seed() {
    let first = json(&["play", "start", "--depth", "3"]);
    let seed = first["seed"].to_string();
    assert_eq!(
        first,
        json(&["play", "start", "--depth", "3", "--seed", &seed])
    );
    assert_eq!(
        stdout(&["play", MATE_IN_ONE, "--depth", "2", "--seed", "1"]),
        "a1a8\n"
    );
}

#[test]
fn match_counts_with_and_without_draws() {
    let arguments = [
        "match",
        "minimax:depth=2",
        "random",
        "--games",
        "20",
        "--seed",
        "3",
    ];
    for game in ["chess", "othello", "connect4"] {
        let answer = json(&[&arguments[..], &["--game", game]].concat());
        assert_eq!(answer["seed"], 3);
        let results = &answer["results"];
        let count = |name: &str| results[name].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), 20);
        let decided = (count("wins") + count("losses")) as f64;
        let share = results["win"]["share"].as_f64().unwrap();
        assert!((share - count("wins") as f64 / decided).abs() < 1e-12);
        assert!(results["score"]["low"].as_f64() < results["score"]["share"].as_f64());
    }
}

#[test]
fn rate_finds_a_depth() {
    let rate = |pgn: &str, depths: &str| {
        let mut command = errare(&["rate", "-", "--depths", depths, "--json"]);
        let output = command
            .write_stdin(pgn)
            .assert()
            .success()
            .get_output()
            .stdout
            .clone();
        serde_json::from_slice::<Value>(&output).unwrap()
    };
    let answer = rate(
        "[White \"W\"]\n[Black \"B\"]\n\n1. e4 e5 2. Nf3 *\n",
        "1..3",
    );
    let [white, black] = &answer["players"].as_array().unwrap()[..] else {
        panic!("two players")
    };
    assert_eq!((&white["name"], &white["moves"]), (&"W".into(), &2.into()));
    assert_eq!((&black["name"], &black["moves"]), (&"B".into(), &1.into()));
    // At depth 1 all moves are equally likely: 20, then 29 for White, 20 for Black.
    for (player, expected) in [
        (white, -(20.0_f64.ln() + 29.0_f64.ln())),
        (black, -20.0_f64.ln()),
    ] {
        let uniform = player["depths"][0]["log_likelihood"].as_f64().unwrap();
        assert!((uniform - expected).abs() < 1e-4, "{uniform} {expected}");
    }
    // An automaton that looks ahead must mate; one that does not may miss it.
    let mate = format!("[FEN \"{MATE_IN_ONE}\"]\n\n1. Ra8# *\n");
    assert_eq!(rate(&mate, "1..3")["players"][0]["best"], 2);
    errare(&["rate", "-"])
        .write_stdin("")
        .assert()
        .code(1)
        .stdout("");
    let illegal = errare(&["rate", "-"])
        .write_stdin("1. e5 *")
        .assert()
        .code(1);
    let text = String::from_utf8(illegal.get_output().stderr.clone()).unwrap();
    assert!(
        text.contains("game 1: e5 is not a legal move at 1."),
        "{text}"
    );
}

#[test]
fn rate_goes_on_after_what_cannot_be_rated() {
    let dead = "[FEN \"8/8/8/8/4k3/8/1B6/K7 w - - 0 1\"]\n\n1. Bc3 *\n";
    errare(&["rate", "-"])
        .write_stdin(dead)
        .assert()
        .code(1)
        .stdout("");
    let refused = errare(&["rate", "-", "--depths", "9"])
        .write_stdin("1. e4 e5 2. Nf3 *\n")
        .assert()
        .code(2);
    let text = String::from_utf8(refused.get_output().stderr.clone()).unwrap();
    assert!(text.contains("add --yes"), "{text}");
}

#[test]
fn mobility_correlates() {
    let answer = json(&["mobility", "start", "--depth", "3"]);
    let first = &answer["moves"][0];
    assert_eq!(first["san"], "e4");
    assert_eq!(first["children"], serde_json::json!([20.0, 30.0]));
    assert!(answer["correlation"]["index"].as_f64().unwrap() > 0.9);
}

#[test]
fn bad_input_says_what_and_how() {
    for (arguments, expected) in [
        (
            &["tree", "((3 3)(2 x))"][..],
            "malformed tree at character 10: unexpected 'x'",
        ),
        (
            &["tree", "((3 3)(2 2)"],
            "malformed tree at character 1: '(' is never closed",
        ),
        (
            &["tree", "[2 3][3]", "--level-regular"],
            "character 8: all moves",
        ),
        (&["tree", "99999"], "exact fractions are for trees of up to"),
        (&["tree", "(2 2)", "--alpha", "0"], "it must be at least 1"),
        (
            &["tree", "(2 2)", "--ties", "none"],
            "the rules are all and uniform",
        ),
        (
            &["dominate", "[2 3]", "[3]"],
            "give both lists the same length",
        ),
        (
            &["dominate", "[2 3]", "[3 2]", "--shallow", "3"],
            "not below the depth",
        ),
        (&["prob", "start", "--depth", "0"], "at least 1"),
        (
            &["prob", "nonsense", "--depth", "2"],
            "\"nonsense\" is not a FEN",
        ),
        (
            &["prob", "8/8/8/8/8/8/8/8 w - - 0 1", "--depth", "2"],
            "the position is impossible",
        ),
        (
            &["prob", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "--depth", "2"],
            "checkmated",
        ),
        (
            &["prob", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "--depth", "2"],
            "stalemated",
        ),
        (
            &["prob", "7k/8/6K1/8/8/8/8/8 b - - 0 1", "--depth", "2"],
            "neither side can mate",
        ),
        (&["play", "start", "--depth", "12"], "add --yes"),
        (
            &["tree", "(2 2)", "--alpha", "4000000000"],
            "or for continuous ones",
        ),
        (&["sweep", "start", "--depths", "1..12"], "add --yes"),
        (&["prob", "start", "--depth", "12"], "add --yes"),
        (
            &["prob", "start", "--depth", "2", "--tol", "2"],
            "between 0 and 1",
        ),
        (
            &["sweep", "start", "--depths", "4..2"],
            "the first depth is above the last",
        ),
        (
            &["match", "minimax", "random"],
            "needs a depth of at least 1",
        ),
        (&["match", "chess", "random"], "unknown player 'chess'"),
        (
            &["match", "random", "minimax:depth=2,beta=3"],
            "is not a setting",
        ),
        (
            &[
                "match", "random", "random", "--game", "othello", "--from", "start",
            ],
            "a position to start from is for chess",
        ),
        (
            &["mobility", "start", "--depth", "1"],
            "a depth of 2 or more",
        ),
        (
            &["rate", "no-such-file.pgn"],
            "cannot read no-such-file.pgn",
        ),
    ] {
        let text = failure(arguments);
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

/// The output of every verb, as people see it.
#[test]
fn output_for_people() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/endgame/data/coach.pgn");
    let match_of_four = [
        "match",
        "minimax:depth=1",
        "random",
        "--games",
        "4",
        "--seed",
        "3",
    ];
    let verbs: [(&str, &[&str]); 8] = [
        ("tree", &["tree", "((3 3)(2 2 2))", "--alpha", "2"]),
        ("dominate", &["dominate", "[2 3]", "[3 2]"]),
        ("prob", &["prob", "start", "--depth", "2"]),
        ("sweep", &["sweep", "start", "--depths", "1..3"]),
        ("play", &["play", "start", "--depth", "2", "--seed", "4"]),
        ("match", &match_of_four),
        ("rate", &["rate", games, "--depths", "1..2"]),
        ("mobility", &["mobility", "start", "--depth", "2"]),
    ];
    for (name, arguments) in verbs {
        insta::assert_snapshot!(name, stdout(arguments));
    }
}
