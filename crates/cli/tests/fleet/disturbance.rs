//! Submitters that go away, workers that hang, lie or have another engine.

use std::{
    fs,
    process::{Child, Command},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;

use super::{
    Site,
    evaluations::{dump, evaluate, evaluations, write_games},
    interrupted, json, status, text, wait_for, wait_until_submitted,
};

/// A worker on one core that ends when there is nothing to do.
const WORKER: [&str; 6] = ["worker", "--cores", "1", "--idle", "2", "--json"];

fn worker<'a>(queue: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&WORKER[..], &["--queue", queue], more].concat()
}

fn signal(child: &Child, signal: Signal) {
    let pid = Pid::from_raw(child.id().try_into().expect("a process"));
    kill(pid, signal).expect("it is alive");
}

/// Submits the evaluations, without waiting.
fn submit(site: &Site, queue: &str) -> Value {
    let submitted = evaluate("study.db", &["--queue", queue]);
    json(&site.errare(&[&["jobs", "submit"][..], &submitted].concat()))
}

/// Ctrl-C leaves the jobs to the workers; the same command resumes where it was.
#[test]
fn an_interrupt_detaches_and_the_same_command_reattaches() {
    let site = Site::new();
    write_games(&site, 2, 40);
    json(&site.errare(&evaluate("alone.db", &[])));
    let server = site.server();
    let address = server.address();
    for queue in [&address, "queue.db"] {
        let store = format!("{}.db", queue.len());
        let command = evaluate(&store, &["--queue", queue]);
        let submitter = site.command(&command).spawn().expect("errare");
        let said = interrupted(&site, submitter, queue);
        assert!(said.contains("detached from evaluate-"), "{said}");
        let _worker = site.worker(queue);
        let report = json(&site.errare(&command));
        assert_eq!(report["positions"]["left"], 0);
        assert_eq!(dump(&site.path(&store)), dump(&site.path("alone.db")));
    }
}

/// A killed submitter loses nothing: the same command resumes.
#[test]
fn a_killed_submitter_is_taken_over() {
    let site = Site::new();
    write_games(&site, 2, 40);
    json(&site.errare(&evaluate("alone.db", &[])));
    let server = site.server();
    let address = server.address();
    for queue in [&address, "queue.db"] {
        let store = format!("{}.db", queue.len());
        let command = evaluate(&store, &["--queue", queue]);
        let mut submitter = site.command(&command).spawn().expect("errare");
        wait_until_submitted(&site, queue);
        submitter.kill().expect("it is alive");
        submitter.wait().expect("gone");
        let _worker = site.worker(queue);
        let report = json(&site.errare(&command));
        assert_eq!(report["positions"]["left"], 0);
        assert_eq!(dump(&site.path(&store)), dump(&site.path("alone.db")));
    }
}

/// A worker stopped by a service manager hands its job back at once, although its lease would last ten minutes.
#[test]
fn a_stopped_worker_hands_its_job_back() {
    let site = Site::new();
    write_games(&site, 1, 40);
    let server = site.server();
    let address = server.address();
    for (queue, hung) in [(&*address, "hung"), ("queue.db", "hung too")] {
        submit(&site, queue);
        let left = status(&site, queue)["left"].clone();
        let mut first = site.command(&worker(queue, &["--lease", "600"]));
        let first = first.env("PEER_HANG", hung).spawn().expect("errare");
        wait_for(|| site.path(hung).exists());
        signal(&first, Signal::SIGTERM);
        let stopped = first.wait_with_output().expect("errare");
        assert_eq!(stopped.status.code(), Some(0), "{}", text(&stopped.stderr));
        let second = json(&site.errare(&worker(queue, &[])));
        assert_eq!(
            (&second["completed"], &second["failed"]),
            (&left, &0.into())
        );
    }
}

/// A frozen worker loses its job to another; when it goes on, its late answer changes nothing.
#[test]
fn a_worker_that_stands_still_holds_nobody_up() {
    let site = Site::new();
    write_games(&site, 6, 40);
    json(&site.errare(&evaluate("alone.db", &[])));
    let server = site.server();
    let address = server.address();
    let command = evaluate("fleet.db", &["--queue", &address]);
    let submitter = site.command(&command).spawn().expect("errare");
    let store = site.path("fleet.db");
    let first = site.worker(&address);
    wait_for(|| evaluations(&store) > 0);
    signal(&first.0, Signal::SIGSTOP);
    let _second = site.worker(&address);
    let report = json(&submitter.wait_with_output().expect("errare"));
    signal(&first.0, Signal::SIGCONT);
    assert_eq!(report["positions"]["left"], 0);
    assert_eq!(dump(&store), dump(&site.path("alone.db")));
    // The late answer is to a finished batch: a later evaluation of the same positions may use it or not.
    let again = json(&site.errare(&evaluate("again.db", &["--queue", &address])));
    assert_eq!(again["positions"]["left"], 0);
    assert_eq!(dump(&site.path("again.db")), dump(&site.path("alone.db")));
}

/// An engine that falls silent is killed, and the job is tried again with a new one.
#[test]
fn a_silent_engine_costs_one_try() {
    let site = Site::new();
    write_games(&site, 2, 40);
    json(&site.errare(&evaluate("alone.db", &[])));
    submit(&site, "queue.db");
    let mut hung = site.command(&worker("queue.db", &["--silence", "2"]));
    let hung = json(&hung.env("PEER_HANG", "hung").output().expect("errare"));
    assert_eq!(hung["failed"], 1);
    let report = json(&site.errare(&evaluate("study.db", &["--queue", "queue.db"])));
    assert_eq!(report["positions"]["left"], 0);
    assert_eq!(dump(&site.path("study.db")), dump(&site.path("alone.db")));
}

/// A worker with another engine leaves the jobs alone.
#[test]
fn another_engine_takes_no_jobs() {
    let site = Site::new();
    write_games(&site, 1, 40);
    submit(&site, "queue.db");
    let waiting = status(&site, "queue.db")["left"].clone();
    assert_ne!(waiting, 0);
    for name in ["Peer 1.1", "Other 1.0"] {
        let mut stranger = site.command(&worker("queue.db", &[]));
        let stranger = json(&stranger.env("PEER_NAME", name).output().expect("errare"));
        assert_eq!(
            (&stranger["completed"], &stranger["failed"]),
            (&0.into(), &0.into())
        );
    }
    assert_eq!(status(&site, "queue.db")["left"], waiting);
    let right = json(&site.errare(&worker("queue.db", &[])));
    assert_eq!(right["completed"], waiting);
}

/// An audit detects a worker whose evaluations differ from the others'.
#[test]
fn an_audit_finds_who_answers_falsely() {
    let site = Site::new();
    write_games(&site, 1, 40);
    submit(&site, "queue.db");
    json(&site.errare(&worker("queue.db", &[])));
    let audited = evaluate("study.db", &["--queue", "queue.db", "--audit", "100"]);
    let submitter = site.command(&audited).spawn().expect("errare");
    let mut liar = site.command(&["worker", "--queue", "queue.db", "--cores", "1"]);
    let mut liar = liar.env("PEER_LIES", "1").spawn().expect("errare");
    let output = submitter.wait_with_output().expect("errare");
    liar.kill().expect("it waits for more");
    liar.wait().expect("gone");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let said = text(&output.stderr);
    assert!(
        said.contains("audited evaluations differ") && said.contains("disagree"),
        "{said}"
    );
    // Nothing is lost: all answers and their workers are still in the queue.
    let status = status(&site, "queue.db");
    let batch = &status["batches"][0];
    assert!(
        said.contains(batch["batch"].as_str().expect("a name")),
        "{said}"
    );
    assert!(batch["done"].as_u64() > Some(0), "{status}");
}

/// The same command resumes a detached audit: answers collected before are compared as well.
#[test]
fn an_audit_is_taken_up_again() {
    let site = Site::new();
    write_games(&site, 12, 40);
    let server = site.server();
    let address = server.address();
    for queue in [&address, "queue.db"] {
        let name = format!("{}.db", queue.len());
        let store = site.path(&name);
        let audited = evaluate(&name, &["--queue", queue, "--audit", "100"]);
        let submitter = site.command(&audited).spawn().expect("errare");
        wait_until_submitted(&site, queue);
        let _worker = site.worker(queue);
        wait_for(|| evaluations(&store) > 0);
        interrupted(&site, submitter, queue);
        let _another = site.worker(queue);
        let output = site.errare(&audited);
        let report = json(&output);
        assert_eq!(report["positions"]["left"], 0);
        let said = text(&output.stderr);
        let all = format!("audit: {} positions again", evaluations(&store));
        assert!(said.contains(&all) && said.contains("0 differ"), "{said}");
    }
}

/// A worker whose engine always dies, while the only other one is busy: it kills no job, and says that it may be
/// broken.
#[test]
fn a_broken_worker_buries_nothing() {
    let site = Site::new();
    write_games(&site, 4, 40);
    json(&site.errare(&evaluate("alone.db", &[])));
    let server = site.server();
    let address = server.address();
    let healthy = site.worker(&address);
    wait_for(|| status(&site, &address)["workers"].as_array().map(Vec::len) == Some(1));
    signal(&healthy.0, Signal::SIGSTOP);
    submit(&site, &address);
    let mut broken = site.command(&[
        "worker", "--queue", &address, "--cores", "1", "--lease", "3",
    ]);
    let broken = broken.env("PEER_POISON", "").spawn().expect("errare");
    let of_broken = |status: &Value| {
        let workers = status["workers"].as_array().cloned().unwrap_or_default();
        workers.into_iter().find(|it| !it["trouble"].is_null())
    };
    let mut seen = Value::Null;
    wait_for(|| {
        seen = status(&site, &address);
        of_broken(&seen).is_some_and(|worker| worker["failed"].as_u64() > Some(5))
    });
    assert_eq!(seen["batches"][0]["dead"], serde_json::json!([]), "{seen}");
    signal(&healthy.0, Signal::SIGCONT);
    let report = json(&site.errare(&evaluate("study.db", &["--queue", &address])));
    signal(&broken, Signal::SIGINT);
    let said = broken.wait_with_output().expect("errare").stderr;
    assert!(
        text(&said).contains("this worker may be broken"),
        "{}",
        text(&said)
    );
    assert_eq!(report["positions"]["left"], 0);
    assert_eq!(dump(&site.path("study.db")), dump(&site.path("alone.db")));
}

/// On a real full disk nothing is lost, and the message says what to do.
#[test]
fn a_full_disk_is_told() {
    let site = Site::new();
    write_games(&site, 1, 40);
    // A small private file system, visible only to this process.
    let script = "mount -t tmpfs -o size=400k none small || exit 77
        head -c 300000 /dev/zero > small/ballast
        \"$@\"
        code=$?
        rm small/ballast
        \"$@\" || exit 78
        exit $code";
    fs::create_dir(site.path("small")).expect("a directory");
    let submitted = evaluate("study.db", &["--queue", "small/queue.db"]);
    let mut command = Command::new("unshare");
    command
        .args(["--map-root-user", "--mount", "sh", "-c", script, "sh"])
        .arg(env!("CARGO_BIN_EXE_errare"))
        .args(["jobs", "submit"])
        .args(&submitted)
        .current_dir(site.path("."))
        .env("ERRARE_ENGINE", super::peer::PROGRAM)
        .env(
            "ERRARE_PEER",
            std::env::current_exe().expect("this program"),
        );
    let Ok(output) = command.output() else {
        return errare_testing::skip("there is no unshare to make a small disk with");
    };
    let said = text(&output.stderr);
    if output.status.code() == Some(77) || said.contains("unshare:") {
        return errare_testing::skip("no small disk can be made here");
    }
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("has no room left; free disk space"), "{said}");
}
