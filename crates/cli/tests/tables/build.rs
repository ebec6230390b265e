//! Builds, and refused ones.

use std::fs;

use serde_json::Value;

use super::{code, errare, files, on_tables, stderr, stdout};

#[test]
fn a_build_reports_each_table_as_json() {
    let directory = tempfile::tempdir().unwrap();
    let built = errare(
        directory.path(),
        &["build", "KRK", "--json", "--metric", "dtm,dtz"],
    );
    assert_eq!(code(&built), 0, "{}", stderr(&built));
    let reports: Vec<Value> = stdout(&built)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let metrics: Vec<_> = reports.iter().map(|report| &report["metric"]).collect();
    assert_eq!(metrics, ["dtz", "dtm"]);
    for report in &reports {
        assert_eq!(report["endgame"], "KRK");
        assert_eq!(report["positions"], 2 * 462 * 64);
        let path = directory
            .path()
            .join(format!("KRK.{}.errare", report["metric"].as_str().unwrap()));
        assert_eq!(report["bytes"], fs::metadata(path).unwrap().len());
        for usage in ["solve", "write"] {
            assert!(report[usage]["wall"].as_f64().unwrap() > 0.0);
            assert!(report[usage]["cpu"].as_f64().unwrap() >= 0.0);
        }
        assert!(report["peak_memory"].as_u64().unwrap() > 1 << 20);
    }
    let (tables, _) = files(directory.path());
    assert_eq!(tables, ["KRK.dtm.errare", "KRK.dtz.errare"]);
}

#[test]
fn what_is_there_is_not_built_again() {
    let again = on_tables(&["build", "KPvK", "--json"]);
    assert_eq!(code(&again), 0);
    assert_eq!(stdout(&again), "");
    assert_eq!(stderr(&again), "KPK is there already\n");
}

#[test]
fn wrong_endgames_are_refused() {
    for (arguments, message) in [
        (&["build", "KQXK"][..], "'X' is not a piece"),
        (
            &["stats", "KQRKQR"],
            "KQRKQR has 6 men; tables have at most 5",
        ),
        (
            &["build", "KQRKQR"],
            "KQRKQR has 6 men; tables have at most 5",
        ),
        (&["verify", "KK"], "KK is always a draw and has no table"),
        (&["build"], "<ENDGAMES>"),
        (&["build", "--men", "6"], "6 is not in 3..=5"),
        (
            &["stats", "KPK", "--metric", "dtx"],
            "\"dtx\" is not a metric",
        ),
    ] {
        let refused = on_tables(arguments);
        assert_eq!(code(&refused), 2, "{arguments:?}");
        assert!(stderr(&refused).contains(message), "{}", stderr(&refused));
        assert_eq!(stdout(&refused), "");
    }
}

#[test]
fn too_little_memory_is_refused_with_both_numbers() {
    let directory = tempfile::tempdir().unwrap();
    let refused = errare(directory.path(), &["build", "KRK", "--memory", "10MiB"]);
    assert_eq!(code(&refused), 2);
    let message = stderr(&refused);
    assert!(message.contains("KRK needs "), "{message}");
    assert!(message.contains("more than the 10 MiB"), "{message}");
    assert_eq!(files(directory.path()), Default::default());
}
