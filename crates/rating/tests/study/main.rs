//! The study: entering games and evaluations, and reading turns back.
#![cfg(unix)]

mod evaluate;
mod export;
mod games;
mod human;
mod import;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../../../engine/tests/driver/peer.rs"]
mod peer;

use errare_rating::Study;
use tempfile::TempDir;

/// A new study in a directory of its own.
fn study() -> (TempDir, Study) {
    let directory = TempDir::new().expect("a directory");
    let study = Study::open_or_create(&directory.path().join("study.db")).expect("a study");
    (directory, study)
}
