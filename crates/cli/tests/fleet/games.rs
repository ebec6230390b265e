//! Games by a fleet.

use super::{Site, as_text, interrupted, json, status, text, told_seed};

/// A queen close to mate: short games.
const START: &str = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";

fn play<'a>(games: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let common = ["match", "rep:c=3", "random", "--from", START, "--seed", "7"];
    let rest = [
        "--to-mate",
        "--prior",
        "0:10:50",
        "--json",
        "--games",
        games,
    ];
    [&common[..], &rest, more].concat()
}

/// Each game has its own random numbers, whichever worker plays it.
#[test]
fn statistics_do_not_depend_on_the_number_of_workers() {
    let site = Site::new();
    let server = site.server();
    let address = server.address();
    let alone = json(&site.errare(&play("100000", &[])));
    assert_eq!(alone["games"], 100_000);
    for number in [1, 2, 4] {
        let workers: Vec<_> = (0..number).map(|_| site.worker(&address)).collect();
        let fleet = json(&site.errare(&play("100000", &["--queue", &address])));
        assert_eq!(fleet, alone, "{number} workers");
        drop(workers);
        let status = json(&site.errare(&["jobs", "status", "--queue", &address, "--json"]));
        let batch = status["batches"][0]["batch"].as_str().expect("a name");
        let collect = ["jobs", "collect", batch, "--queue", &address, "--json"];
        assert_eq!(json(&site.errare(&collect)), alone, "collected later");
        let cancelled = site.errare(&["jobs", "cancel", batch, "--queue", &address]);
        assert_eq!(cancelled.status.code(), Some(0));
    }
    let named = play("10", &["--queue", &address]);
    let named: Vec<&str> = named
        .iter()
        .map(|it| if *it == "random" { "uci:/bin/sh" } else { it })
        .collect();
    let refused = site.errare(&named);
    assert!(text(&refused.stderr).contains("plays with its workers' engine"));
}

/// Ctrl-C on a match without a seed: the printed seed finds the same games again.
#[test]
fn a_match_without_a_seed_is_taken_up_again() {
    let site = Site::new();
    let queue = ["--queue", "queue.db"];
    let unseeded: Vec<&str> = play("3000", &queue)
        .into_iter()
        .filter(|it| !["--seed", "7"].contains(it))
        .collect();
    let submitter = site.command(&unseeded).spawn().expect("errare");
    let said = interrupted(&site, submitter, "queue.db");
    let seed = told_seed(&said);
    assert!(
        said.contains(&format!("with seed {seed} resumes")),
        "{said}"
    );
    let batches = |jobs: u64| {
        let status = status(&site, "queue.db");
        let batches = status["batches"].as_array().expect("a list").clone();
        assert_eq!(
            (batches.len(), &batches[0]["jobs"]),
            (1, &jobs.into()),
            "{status}"
        );
        batches[0]["done"].clone()
    };
    assert_eq!(batches(3), 0);
    let worked = site.errare(&[
        "worker", "--idle", "0", "--cores", "1", "--queue", "queue.db",
    ]);
    assert_eq!(worked.status.code(), Some(0), "{}", text(&worked.stderr));
    let seeded = [&unseeded[..], &["--seed", &seed]].concat();
    let fleet = json(&site.errare(&seeded));
    assert_eq!(batches(3), 3, "no job is new");
    let alone: Vec<&str> = seeded
        .iter()
        .copied()
        .filter(|it| !queue.contains(it))
        .collect();
    assert_eq!(fleet, json(&site.errare(&alone)));
}

#[test]
fn shares_of_a_match_are_put_together() {
    let site = Site::new();
    let alone = json(&site.errare(&play("4500", &[])));
    for share in ["1/3", "2/3", "3/3"] {
        let output = site.errare(&play("4500", &["--shard", share]));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    let files = [1, 2, 3].map(|index| site.path(&format!("shard-{index}-of-3.jobs")));
    let [one, two, three] = files.each_ref().map(|path| as_text(path));
    assert_eq!(
        json(&site.errare(&["jobs", "collect", one, two, three, "--json"])),
        alone
    );
    let missing = site.errare(&["jobs", "collect", one, three]);
    assert!(text(&missing.stderr).contains("collect all shards"));
    let queue = play("4500", &["--queue", "unfinished.jobs"]);
    let submitted = site.errare(&[&["jobs", "submit"][..], &queue].concat());
    assert_eq!(submitted.status.code(), Some(0));
    let unfinished = site.errare(&["jobs", "collect", "unfinished.jobs"]);
    assert!(text(&unfinished.stderr).contains("5 of 5 jobs are not done"));
    let unseeded = [
        "match", "rep:c=3", "random", "--from", START, "--shard", "1/3",
    ];
    let refused = site.errare(&unseeded);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("the same seed"));
}
