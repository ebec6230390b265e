//! Builds that are killed, interrupted, disturbed by each other, or run out of disk space.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

use super::{code, command, errare, files, stderr, stdout};

/// A slow build, whose file appears long before it is finished.
const LONG: [&str; 4] = ["build", "KRKP", "--metric", "dtm"];

/// Starts a long build and waits until it is writing.
fn start_long(directory: &Path) -> Child {
    let child = command(directory, &LONG).spawn().unwrap();
    let begun = Instant::now();
    let is_long = |name: &String| name.starts_with("KRKP");
    while !files(directory).1.iter().any(is_long) {
        assert!(
            begun.elapsed() < Duration::from_secs(120),
            "no file appeared"
        );
        thread::sleep(Duration::from_millis(2));
    }
    child
}

fn finish_long(directory: &Path) {
    let built = errare(directory, &LONG);
    assert_eq!(code(&built), 0, "{}", stderr(&built));
    let (tables, unfinished) = files(directory);
    assert!(tables.contains(&"KRKP.dtm.errare".to_owned()));
    assert_eq!(unfinished, [""; 0]);
    let sample = [
        "verify",
        "KRKP",
        "--metric",
        "dtm",
        "--sample",
        "2000",
        "--no-build",
    ];
    let verified = errare(directory, &sample);
    assert_eq!(code(&verified), 0, "{}", stderr(&verified));
}

#[test]
fn a_killed_build_is_continued() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = start_long(directory.path());
    child.kill().unwrap();
    child.wait().unwrap();
    let list = errare(directory.path(), &["list"]);
    assert_eq!(code(&list), 0, "{}", stderr(&list));
    assert!(!stdout(&list).contains("KRKP"));
    finish_long(directory.path());
}

#[test]
#[cfg(unix)]
fn an_interrupted_build_leaves_no_partial_file() {
    use nix::{
        sys::signal::{Signal, kill},
        unistd::Pid,
    };
    let directory = tempfile::tempdir().unwrap();
    let child = start_long(directory.path());
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(code(&output), 130, "{}", stderr(&output));
    assert!(stderr(&output).contains("finished tables are kept"));
    assert_eq!(files(directory.path()).1, [""; 0]);
}

#[test]
fn two_processes_build_into_one_directory() {
    let directory = tempfile::tempdir().unwrap();
    let build = ["build", "KRKP", "--metric", "dtz", "--json"];
    let children = [(), ()].map(|()| command(directory.path(), &build).spawn().unwrap());
    let outputs = children.map(|child| child.wait_with_output().unwrap());
    let mut built: Vec<String> = Vec::new();
    for output in &outputs {
        assert_eq!(code(output), 0, "{}", stderr(output));
        built.extend(stdout(output).lines().map(|line| {
            let report: Value = serde_json::from_str(line).unwrap();
            format!("{}.dtz.errare", report["endgame"].as_str().unwrap())
        }));
    }
    built.sort();
    let (tables, unfinished) = files(directory.path());
    assert_eq!(built, tables, "each is built once, by one or the other");
    assert_eq!(unfinished, [""; 0]);
}

/// A file system of a few kibibytes, unmounted when dropped.
struct TinyDisk(TempDir);

impl TinyDisk {
    /// None if the system does not let us mount one.
    fn mount() -> Option<TinyDisk> {
        let directory = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
            .arg(directory.path())
            .output();
        let mounted = mounted.is_ok_and(|output| output.status.success());
        mounted.then_some(TinyDisk(directory))
    }

    fn path(&self) -> PathBuf {
        self.0.path().to_owned()
    }
}

impl Drop for TinyDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

#[test]
fn a_full_disk_is_told_and_keeps_what_is_finished() {
    let Some(disk) = TinyDisk::mount() else {
        errare_testing::skip("no tiny file system can be mounted here");
        return;
    };
    let full = errare(&disk.path(), &LONG);
    assert_eq!(code(&full), 2);
    let message = stderr(&full);
    assert!(message.contains("cannot write "), "{message}");
    assert!(message.contains("build again to continue"), "{message}");
    let (tables, unfinished) = files(&disk.path());
    assert!(!tables.is_empty() && !tables.contains(&"KRKP.dtm.errare".to_owned()));
    assert_eq!(unfinished, [""; 0]);
    let list = errare(&disk.path(), &["list"]);
    assert_eq!(code(&list), 0, "{}", stderr(&list));
}
