//! The verdict on a position.

use errare_service::{line, probe};
use errare_testing::assert_round_trip;
use serde_json::{Value, json};

use crate::{DEEPEST, KNIGHT, errare, find, json, output};

fn probe(fen: &str) -> Value {
    json(&["probe", "--json", fen])
}

#[test]
fn json_is_a_superset_of_lila_tablebase() {
    let mut answer = probe(DEEPEST);
    let moves = answer["moves"].take();
    let expected = json!({
        "category": "win",
        "dtz": 61, "precise_dtz": 61, "dtc": 61, "dtm": 69, "dtw": null, "dtr": 61,
        "moves_to": {"dtm": 35, "dtc": 31, "dtz": 31, "dtr": 31},
        "checkmate": false, "stalemate": false, "insufficient_material": false,
        "variant_win": false, "variant_loss": false,
        "endgame": "KQKR", "source": "errare", "metric": "dtc", "certain": true, "moves": null,
    });
    assert_eq!(answer, expected);
    let best = json!({
        "uci": "a8a7", "san": "Ka7", "zeroing": false, "converting": false, "conversion": false,
        "mark": null, "ceded": 0,
        "through": {"dtm": 35, "dtc": 31, "dtz": 31, "dtr": 31}, "dtr_at_most": null,
        "category": "loss",
        "dtz": -60, "precise_dtz": -60, "dtc": -60, "dtm": -68, "dtw": null, "dtr": -60,
        "moves_to": {"dtm": 34, "dtc": 30, "dtz": 30, "dtr": 30},
        "checkmate": false, "stalemate": false, "insufficient_material": false,
        "variant_win": false, "variant_loss": false,
        "endgame": "KQKR",
    });
    assert_eq!(moves[0], best);
    let blunder = &moves[2];
    assert_eq!(blunder["san"], "Qd8+");
    assert_eq!(blunder["category"], "win", "for Black, who is then to move");
    assert_eq!(blunder["ceded"], Value::Null, "the value changes");
}

#[test]
fn answers_round_trip() {
    for fen in [DEEPEST, KNIGHT, "8/8/8/8/8/8/8/K1k5 w - - 0 1"] {
        assert_round_trip::<probe::Answer>(&output(&["probe", "--json", fen]));
        assert_round_trip::<line::Answer>(&output(&["line", "--json", fen]));
    }
}

/// Each position is answered in its place; one without an answer is reported and does not stop the others.
#[test]
fn many_positions_are_answered_in_order() {
    let mate = "7k/5KQ1/8/8/8/8/8/8 b - - 3 1";
    let asked = format!("{DEEPEST}\n\nnonsense\n{mate}\n");
    for verb in ["probe", "line"] {
        let assert = errare(&[verb, "--json", "-"])
            .write_stdin(asked.clone())
            .assert()
            .code(2);
        let answered = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let answers: Vec<Value> = answered
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(answers.len(), 3, "{answered}");
        assert_eq!(answers[0]["endgame"], "KQKR");
        let error = answers[1]["error"].as_str().unwrap();
        assert!(error.starts_with("\"nonsense\" is not a FEN"), "{error}");
        assert_eq!(answers[2]["checkmate"], true);
        let talk = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
        assert!(talk.contains("errare: position 2: "), "{talk}");
    }
}

/// A comparison in DTR that runs out of time has bounds and says so.
#[test]
fn time_may_run_out() {
    let fen = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";
    let answer = json(&[
        "probe",
        "--metric",
        "dtr",
        "--seconds",
        "0.000001",
        "--json",
        fen,
    ]);
    assert_eq!(answer["certain"], false, "{answer}");
    let bounds = |m: &Value| {
        let (least, most) = (&m["through"]["dtr"], &m["dtr_at_most"]);
        most.is_null() || least.as_u64() < most.as_u64()
    };
    assert!(answer["moves"].as_array().unwrap().iter().all(bounds));
    let report = output(&["probe", "--metric", "dtr", "--seconds", "0.000001", fen]);
    assert!(
        report.ends_with("Time ran out before it was certain which move is best.\n"),
        "{report}"
    );
}

#[test]
fn the_report_is_for_people() {
    insta::assert_snapshot!(output(&["probe", DEEPEST]));
    insta::assert_snapshot!(output(&[
        "probe",
        "--metric",
        "dtm",
        "8/8/8/8/8/2k5/7Q/K7 b - - 97 80"
    ]));
    insta::assert_snapshot!(output(&["probe", "8/8/8/8/8/8/8/K1k5 w - - 0 1"]));
}

#[test]
fn underscores_and_separate_words_are_accepted() {
    let answer = probe(KNIGHT);
    assert_eq!(probe(&KNIGHT.replace(' ', "_")), answer);
    let words: Vec<&str> = ["probe", "--json"]
        .into_iter()
        .chain(KNIGHT.split(' '))
        .collect();
    assert_eq!(json(&words), answer);
}

#[test]
fn marks_tell_how_forced_a_move_is() {
    let answer = probe(KNIGHT);
    let best = &answer["moves"][0];
    assert_eq!(
        (&best["san"], &best["mark"]),
        (&json!("d8=N+"), &json!("\""))
    );
    assert_eq!(
        (&best["zeroing"], &best["converting"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(
        (&best["endgame"], &best["dtm"]),
        (&json!("KBNK"), &json!(-60))
    );
    assert!(
        answer["moves"].as_array().unwrap()[1..]
            .iter()
            .all(|m| m["mark"].is_null())
    );

    let only_legal = probe("8/8/8/8/8/8/8/K1k5 w - - 0 1");
    assert_eq!(only_legal["moves"][0]["mark"], "°");

    let only_optimal = probe("8/8/8/8/8/1K6/7R/1k6 w - - 0 1");
    assert_eq!(find(&only_optimal, "Rh1#")["mark"], "'");
    assert_eq!(find(&only_optimal, "Rc2")["ceded"], 1);
}

/// Both promotions convert at once, but the rook mates a move later.
#[test]
fn the_metric_decides_what_is_ceded() {
    let ceded = |metric| {
        let fen = "8/3P4/8/3K4/8/8/8/k7 w - - 0 1";
        let answer = json(&["probe", "--json", "--metric", metric, fen]);
        ["d8=Q", "d8=R", "Kc4"].map(|san| find(&answer, san)["ceded"].clone())
    };
    assert_eq!(ceded("dtc"), [0, 0, 1]);
    assert_eq!(ceded("dtm"), [0, 1, 0]);
}

/// KBNK, 41 plies from mate: the last ply of the fifty moves counts, the next does not.
#[test]
fn the_halfmove_clock_curses_a_win() {
    let at = |clock| probe(&format!("8/5k2/2K5/B7/8/2N5/8/8 w - - {clock} 90"));
    assert_eq!(at(0)["dtz"], 41);
    for (clock, category, after) in [(59, "win", "loss"), (60, "cursed-win", "blessed-loss")] {
        let answer = at(clock);
        assert_eq!(answer["category"], category, "{clock}");
        assert_eq!(answer["moves"][0]["category"], after, "{clock}");
    }
    let at_59 = at(59);
    let preserving = |m: &&Value| m["category"] == "loss";
    let moves = at_59["moves"].as_array().unwrap();
    assert!(moves.iter().filter(preserving).all(|m| m["ceded"] == 0));
    assert!(
        moves
            .iter()
            .any(|m| m["category"] == "blessed-loss" && m["ceded"] != 0)
    );
}

/// A zeroing move does not revive a game that the rule has ended.
#[test]
fn at_a_hundred_plies_nothing_wins() {
    let answer = probe("8/8/8/8/8/k1K5/1r6/2Q5 w - - 100 90");
    assert_eq!(answer["category"], "cursed-win");
    assert_eq!(find(&answer, "Qxb2+")["category"], "blessed-loss");
}

#[test]
fn mate_and_stalemate_are_told() {
    let mate = probe("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    assert_eq!(
        (&mate["checkmate"], &mate["category"], &mate["dtm"]),
        (&json!(true), &json!("loss"), &json!(0))
    );
    let stalemate = probe("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1");
    assert_eq!(
        (&stalemate["stalemate"], &stalemate["category"]),
        (&json!(true), &json!("draw"))
    );
    assert_eq!(stalemate["moves"], json!([]));
}

/// Black to move wins by capturing en passant and draws without that right.
#[test]
fn en_passant_is_honoured() {
    let answer = probe("8/8/8/8/1pP2K2/8/8/1k6 b - c3 0 1");
    let best = &answer["moves"][0];
    assert_eq!(
        (&best["san"], &best["mark"]),
        (&json!("bxc3"), &json!("\""))
    );
    assert_eq!(
        (&answer["category"], &answer["dtm"]),
        (&json!("win"), &json!(23))
    );
    let without = probe("8/8/8/8/1pP2K2/8/8/1k6 b - - 0 1");
    assert_eq!(
        (&without["category"], &without["dtm"]),
        (&json!("draw"), &json!(0))
    );
}
