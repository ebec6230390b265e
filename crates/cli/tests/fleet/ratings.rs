//! Fits, ratings and screenings by a fleet.

use std::fs;

use serde_json::Value;

use super::{
    Site,
    evaluations::{dump, write_games},
    interrupted, json, status, text, told_seed, world,
};

/// A study of made-up evaluations by the engine of these tests, and a calibration made from it.
fn calibrated(site: &Site) {
    let turns = world::turns().replace("Made up 1", "Peer 1.0");
    fs::write(site.path("turns.jsonl"), turns).expect("a file");
    let import = [
        "evaluate",
        "--store",
        "study.db",
        "--import",
        "turns.jsonl",
        "--net",
        "peer.nnue",
    ];
    let calibrate = [
        "calibrate",
        "study.db",
        "-o",
        "calibration.json",
        "--link",
        "loglog",
    ];
    for step in [&import[..], &calibrate] {
        let output = site.errare(step);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
}

/// A command's answers on this machine alone and on a fleet.
fn both(site: &Site, command: &[&str], queue: &str) -> [Value; 2] {
    let alone = json(&site.errare(command));
    [
        alone,
        json(&site.errare(&[command, &["--queue", queue]].concat())),
    ]
}

#[test]
fn replicates_do_not_depend_on_the_fleet() {
    let site = Site::new();
    calibrated(&site);
    let server = site.server();
    let address = server.address();
    let _workers = [(); 2].map(|()| site.worker(&address));

    let fit = [
        "fit",
        "study.db",
        "--by",
        "all",
        "--bootstrap",
        "8",
        "--seed",
        "3",
        "--json",
    ];
    let [alone, fleet] = both(&site, &fit, &address);
    assert_eq!(fleet, alone);
    assert_eq!(
        alone["classes"][0]["likelihood"]["errors"], "games",
        "{alone}"
    );
}

/// Games are evaluated by the fleet, and rated and screened as after an evaluation on one machine.
#[test]
fn ratings_and_screenings_do_not_depend_on_the_fleet() {
    let site = Site::new();
    calibrated(&site);
    write_games(&site, 8, 60);
    let server = site.server();
    let address = server.address();
    let _workers = [(); 2].map(|()| site.worker(&address));
    let evidence = [
        "games.pgn",
        "--depth",
        "2",
        "--calibration",
        "calibration.json",
        "--json",
    ];
    let verbs: [&[&str]; 2] = [&["rate", "--player", "B"], &["screen"]];
    let store = site.path("season.db");
    for verb in verbs {
        let command = [verb, &evidence[..], &["--store", "season.db"]].concat();
        let [alone, fleet] = [&[][..], &["--queue", &address]].map(|queue| {
            let answer = json(&site.errare(&[&command[..], queue].concat()));
            let study = dump(&store);
            fs::remove_file(&store).expect("the study");
            (answer, study)
        });
        assert!(alone == fleet, "{verb:?}: {} and {}", alone.0, fleet.0);
    }
}

/// Ctrl-C on a bootstrap without a seed: the printed seed finds the same replicates again.
#[test]
fn a_bootstrap_without_a_seed_is_taken_up_again() {
    let site = Site::new();
    calibrated(&site);
    let fit = [
        "fit",
        "study.db",
        "--by",
        "all",
        "--bootstrap",
        "6",
        "--json",
    ];
    let queue = ["--queue", "queue.db"];
    let unseeded = [&fit[..], &queue].concat();
    let submitter = site.command(&unseeded).spawn().expect("errare");
    let said = interrupted(&site, submitter, "queue.db");
    let seed = told_seed(&said);
    let before = status(&site, "queue.db")["batches"][0]["batch"].clone();
    let _worker = site.worker("queue.db");
    let fit = [&fit[..], &["--seed", &seed]].concat();
    let [alone, fleet] = both(&site, &fit, "queue.db");
    assert_eq!(fleet, alone);
    assert!(said.contains(before.as_str().expect("a name")), "{said}");
    assert_eq!(
        status(&site, "queue.db")["batches"],
        serde_json::json!([]),
        "it was taken up"
    );
}

/// A bootstrap that nobody waits for.
#[test]
fn a_bootstrap_can_be_left_to_a_queue() {
    let site = Site::new();
    calibrated(&site);
    let fit = [
        "fit",
        "study.db",
        "--by",
        "all",
        "--bootstrap",
        "6",
        "--seed",
        "3",
    ];
    let queue = ["--queue", "queue.db"];
    let submitted = site.errare(&[&["jobs", "submit"][..], &fit, &queue].concat());
    assert_eq!(
        submitted.status.code(),
        Some(0),
        "{}",
        text(&submitted.stderr)
    );
    let worker = ["worker", "--idle", "1", "--cores", "2", "--json"];
    let worked = json(&site.errare(&[&worker[..], &queue].concat()));
    assert_eq!(worked["completed"], 6, "three methods, two jobs each");
    let command = [&fit[..], &["--json"]].concat();
    let [alone, collected] = both(&site, &command, "queue.db");
    assert_eq!(collected, alone);

    let without = ["jobs", "submit", "fit", "study.db", "--queue", "queue.db"];
    let refused = site.errare(&without);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--bootstrap"));
}
