//! `errare fit` and `errare calibrate`.

use serde_json::Value;

use crate::{json, output, refusal, world, written};

#[test]
fn classes_have_all_three_fits() {
    let answer = json(&[
        "fit",
        "study.db",
        "--by",
        "elo",
        "--milepost",
        "2400,2000",
        "--json",
    ]);
    assert_eq!(
        (&answer["link"], &answer["curve"]),
        (&"loglog".into(), &"inverse-exponential".into())
    );
    assert_eq!(answer["engine"]["name"], "Made up");
    let classes = answer["classes"].as_array().unwrap();
    let mileposts: Vec<&Value> = classes.iter().map(|class| &class["milepost"]).collect();
    assert_eq!(mileposts, [2400, 2000]);
    for class in classes {
        assert!(class["turns"].as_u64().unwrap() > 200);
        for method in ["percentile", "likelihood", "mm_ad"] {
            let fit = &class[method];
            for field in ["s", "c", "objective", "s_se", "c_se"] {
                assert!(fit[field].is_f64(), "{method} {field}: {fit}");
            }
            assert_eq!(fit["convergence"], "converged");
        }
        for field in ["mm", "ad"] {
            for part in ["actual", "projected", "sd"] {
                assert!(class[field][part].is_f64());
            }
        }
        assert!(class["q_fit"].is_f64() && class["excluded"].is_object());
    }
    let truth = world::agent(2400);
    let fit = &classes[0]["likelihood"];
    let z = (fit["s"].as_f64().unwrap() - truth.s) / fit["s_se"].as_f64().unwrap();
    assert!(z.abs() < 3.0, "{z}");
}

#[test]
fn parameters_can_be_given() {
    let at = |at: &str, link: &str| {
        json(&[
            "fit", "study.db", "--at", at, "--link", link, "--by", "all", "--json",
        ])
    };
    let answer = at("s=0.14,c=0.5", "loglog");
    let class = &answer["classes"][0];
    assert_eq!(class["milepost"], Value::Null);
    assert!(class["log_loss"].is_f64() && class["S"].is_f64() && class["q_fit"].is_f64());
    assert!(class.get("percentile").is_none());
    let norm = at("s=0.14,c=0.5", "norm");
    let all_norm = at("s=0.14,c=0.5,lambda=1", "blend");
    let projected = |answer: &Value| answer["classes"][0]["mm"]["projected"].as_f64().unwrap();
    assert!((projected(&norm) - projected(&all_norm)).abs() < 1e-12);
    assert!(projected(&norm) < projected(&answer));
}

#[test]
fn the_papers_way_uses_a_line_of_c() {
    let answer = json(&["fit", "study.db", "--paper", "--json"]);
    let line = &answer["c_line"];
    let at = |elo: f64| line["intercept"].as_f64().unwrap() + elo * line["slope"].as_f64().unwrap();
    for class in answer["classes"].as_array().unwrap() {
        let c = class["percentile"]["c"].as_f64().unwrap();
        assert!((c - at(class["milepost"].as_f64().unwrap())).abs() < 1e-12);
        assert_eq!(class["percentile"]["c_se"], Value::Null);
    }
}

/// A class is rated near the rating of its players, from whom the calibration is made.
#[test]
fn classes_can_be_rated() {
    let rate = [
        "fit",
        "study.db",
        "--rate",
        "--calibration",
        "calibration.json",
    ];
    let answer = json(&[&rate[..], &["--json"]].concat());
    for class in answer["classes"].as_array().unwrap() {
        let (milepost, rating) = (class["milepost"].as_f64().unwrap(), &class["rating"]);
        let number = |name: &str| rating[name].as_f64().unwrap();
        assert!(
            number("low") < milepost && milepost < number("high"),
            "{class}"
        );
        assert!(number("low") < number("mean") && number("mean") < number("high"));
        assert_eq!(rating["level"], 0.95);
    }
    assert!(output(&rate).contains(" to "));
    assert!(json(&["fit", "study.db", "--json"])["classes"][0]["rating"].is_null());
}

#[test]
fn bootstraps_depend_on_the_seed_alone() {
    let run = |seed: &str| {
        json(&[
            "fit",
            "study.db",
            "--milepost",
            "2200",
            "--c",
            "0.5",
            "--bootstrap",
            "40",
            "--seed",
            seed,
            "--json",
        ])
    };
    assert_eq!(run("1"), run("1"));
    let other = run("2");
    assert_eq!(other["seed"], 2);
    assert_ne!(run("1")["classes"], other["classes"]);
    assert_eq!(other["classes"][0]["likelihood"]["errors"], "games");
}

#[test]
fn levels_have_weights() {
    let answer = json(&[
        "fit",
        "study.db",
        "--milepost",
        "2200",
        "--levels",
        "1",
        "--json",
    ]);
    let weights = answer["classes"][0]["likelihood"]["weights"]
        .as_array()
        .unwrap();
    let sum: f64 = weights.iter().map(|weight| weight.as_f64().unwrap()).sum();
    assert!(weights.len() == 2 && (sum - 1.0).abs() < 1e-12);
    // Players of this world do not look at depth 1.
    assert!(weights[0].as_f64().unwrap() > 0.7, "{weights:?}");
}

#[test]
fn tables_rows_and_plots() {
    let table = output(&["fit", "study.db", "--plot", "fit.svg"]);
    assert!(table.contains("2400") && table.contains("Q_fit"), "{table}");
    let svg = written("fit.svg");
    assert!(svg.starts_with("<svg") && svg.contains("Elo"));
    let rows = output(&["fit", "study.db", "--csv"]);
    assert_eq!(rows.lines().count(), 1 + 3 * 3, "{rows}");
    let fields = |line: &str| line.split(',').count();
    assert!(
        rows.lines()
            .all(|line| fields(line) == fields(rows.lines().next().unwrap())),
        "{rows}"
    );
    let years = json(&[
        "fit",
        "study.db",
        "--years",
        "2001-2002",
        "--by",
        "all",
        "--json",
    ]);
    let all = json(&["fit", "study.db", "--by", "all", "--json"]);
    let turns = |answer: &Value| answer["classes"][0]["turns"].as_u64().unwrap();
    assert!(turns(&years) > 0 && turns(&years) < turns(&all));
}

#[test]
fn wrong_questions_are_refused() {
    for (arguments, code, says) in [
        (vec!["fit", "none.db"], 2, "there is no study none.db"),
        (vec!["fit", "turns.jsonl"], 2, "turns.jsonl"),
        (vec!["fit", "study.db", "--milepost", "1000"], 1, "no turn"),
        (vec!["fit", "study.db", "--at", "s=0.1"], 2, "both s and c"),
        (
            vec!["fit", "study.db", "--at", "s=-1,c=0.5"],
            2,
            "not a positive number",
        ),
        (vec!["fit", "study.db", "--link", "log"], 2, "is not a link"),
        (
            vec!["fit", "study.db", "--lambda", "0.3"],
            2,
            "--link blend",
        ),
        (
            vec!["fit", "study.db", "--years", "2009-2006"],
            2,
            "2006-2009",
        ),
        (vec!["fit", "study.db", "--depth", "9"], 2, "depth 9"),
        (
            vec!["fit", "study.db", "--queue", "jobs.db"],
            2,
            "say how many with --bootstrap N",
        ),
        (
            vec!["fit", "study.db", "--milepost", "2200", "--paper"],
            2,
            "two mileposts",
        ),
        (
            vec![
                "calibrate",
                "study.db",
                "--paper",
                "--milepost",
                "2200",
                "-o",
                "x.json",
            ],
            2,
            "two mileposts",
        ),
    ] {
        let said = refusal(&arguments, code);
        assert!(said.contains(says), "{arguments:?}: {said}");
    }
}

#[test]
fn a_calibration_carries_its_engine() {
    let calibration: Value = serde_json::from_str(&written("calibration.json")).unwrap();
    assert_eq!(calibration["engine"]["name"], "Made up");
    assert_eq!(calibration["engine"]["depth"], 2);
    assert_eq!(calibration["classes"].as_array().unwrap().len(), 3);
    assert!(calibration["reference_line"]["slope"].as_f64().unwrap() < 0.0);
    let table = output(&[
        "calibrate",
        "study.db",
        "-o",
        "again.json",
        "--link",
        "loglog",
    ]);
    assert!(table.contains("Elo = "), "{table}");
    assert_eq!(written("again.json"), written("calibration.json"));
}
