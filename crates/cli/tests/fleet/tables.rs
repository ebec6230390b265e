//! Tables by a fleet.

use errare_service::fleet::QueueChoice;

use super::{Process, Site, json, status, text};

const BUILD: [&str; 5] = ["tables", "build", "KPK", "--metric", "dtm"];

/// The tables in a directory.
fn at<'a>(verb: &[&'a str], directory: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [verb, &["--tables", directory], more].concat()
}

fn verify(site: &Site, directory: &str) {
    let verify = ["tables", "verify", "KPK", "--metric", "dtm"];
    let verified = site.errare(&at(&verify, directory, &[]));
    let said = text(&verified.stderr);
    assert_eq!(verified.status.code(), Some(0), "{said}");
}

fn start(site: &Site, queue: &str, directory: &str) -> Process {
    let worker = ["worker", "--queue", queue, "--cores", "1"];
    let mut command = site.command(&at(&worker, directory, &[]));
    Process(command.spawn().expect("errare"))
}

/// Workers with their own directories build the submitter's missing tables, subgames first.
#[test]
fn tables_travel_with_the_queue() {
    let site = Site::new();
    let server = site.server();
    let address = server.address();
    let _workers = ["there", "elsewhere"].map(|directory| start(&site, &address, directory));
    let built = site.errare(&at(&BUILD, "here", &["--queue", &address]));
    let said = text(&built.stderr);
    assert_eq!(built.status.code(), Some(0), "{said}");
    assert!(said.contains("the fleet has built 5 endgames"), "{said}");
    verify(&site, "here");
    assert_eq!(status(&site, &address)["batches"], serde_json::json!([]));
}

/// A file put into the queue under a table's name is checked before it is used.
#[test]
fn a_forged_table_is_not_believed() {
    let site = Site::new();
    let server = site.server();
    let address = server.address();
    let choice = QueueChoice {
        address: address.clone(),
        ..QueueChoice::default()
    };
    let queue = choice.open().expect("a queue");
    let version = env!("CARGO_PKG_VERSION").replace('.', "-");
    for subgame in ["KQK", "KRK"] {
        let name = format!("table-{subgame}-dtm-{version}");
        queue.put(&name, b"#!/bin/sh").expect("room");
    }
    let submit = [
        "jobs", "submit", "tables", "KPK", "--metric", "dtm", "--queue", &address,
    ];
    let submitted = site.errare(&at(&submit, "here", &[]));
    assert_eq!(
        submitted.status.code(),
        Some(0),
        "{}",
        text(&submitted.stderr)
    );
    let worker = [
        "worker", "--queue", &address, "--cores", "1", "--idle", "2", "--json",
    ];
    let worked = json(&site.errare(&at(&worker, "there", &[])));
    assert_eq!(
        (&worked["completed"], &worked["failed"]),
        (&5.into(), &0.into())
    );
    verify(&site, "there");
}

/// Work submitted without waiting is collected by a later call; here through a shared directory.
#[test]
fn tables_can_be_left_to_a_queue() {
    let site = Site::new();
    let queue = ["--queue", "queue.db"];
    let submit = ["jobs", "submit", "tables", "KPK", "--metric", "dtm"];
    let submitted = site.errare(&at(&submit, "shared", &queue));
    let said = text(&submitted.stderr);
    assert_eq!(submitted.status.code(), Some(0), "{said}");
    assert!(said.contains("submitted tables-"), "{said}");
    let worker = ["worker", "--idle", "2", "--cores", "2", "--json"];
    let worked = json(&site.errare(&at(&worker, "shared", &queue)));
    assert_eq!(
        (&worked["completed"], &worked["failed"]),
        (&5.into(), &0.into())
    );
    verify(&site, "shared");
    let again = site.errare(&at(&BUILD, "shared", &queue));
    let said = text(&again.stderr);
    assert!(
        said.contains("nothing to build") && said.contains("KPK is there already"),
        "{said}"
    );
    // Not sharing the directory is an error.
    let elsewhere = site.errare(&at(&BUILD, "mine", &queue));
    let said = text(&elsewhere.stderr);
    assert_eq!(elsewhere.status.code(), Some(2), "{said}");
    assert!(
        said.contains("a directory that is not shared with this one"),
        "{said}"
    );
}
