//! A fleet on one machine: real workers, a real server, and everything that can go wrong.
#![cfg(unix)]

mod access;
mod disturbance;
mod evaluations;
mod games;
mod peer;
#[path = "../program/mod.rs"]
mod program;
mod ratings;
mod tables;
#[path = "../ratings/world.rs"]
mod world;

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    thread,
    time::Duration,
};

use errare_testing::NatsServer;
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::Value;
use tempfile::TempDir;

/// A directory for one test, with a server if requested.
struct Site {
    directory: TempDir,
}

impl Site {
    fn new() -> Site {
        let directory = TempDir::new().expect("a directory");
        Site { directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn server(&self) -> NatsServer {
        NatsServer::start(self.directory.path(), &[])
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = program::errare();
        command
            .args(arguments)
            .current_dir(self.directory.path())
            .env("ERRARE_ENGINE", peer::PROGRAM)
            .env(
                "ERRARE_PEER",
                std::env::current_exe().expect("this program"),
            )
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn errare(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("errare")
    }

    /// A worker with short leases on one core.
    fn worker(&self, queue: &str) -> Process {
        let arguments = ["worker", "--queue", queue, "--cores", "1", "--lease", "3"];
        let mut command = self.command(&arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Process(command.spawn().expect("errare"))
    }
}

/// A process that is killed at the end.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

fn json(output: &Output) -> Value {
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The status of a queue.
fn status(site: &Site, queue: &str) -> Value {
    json(&site.errare(&["jobs", "status", "--queue", queue, "--json"]))
}

/// Waits until there are jobs in a queue.
fn wait_until_submitted(site: &Site, queue: &str) {
    wait_for(|| {
        let status = site.errare(&["jobs", "status", "--queue", queue, "--json"]);
        let status: Option<Value> = serde_json::from_slice(&status.stdout).ok();
        status.is_some_and(|status| status["left"].as_u64() > Some(0))
    });
}

/// Interrupts a submitter as soon as its jobs are in the queue; returns its output.
fn interrupted(site: &Site, submitter: Child, queue: &str) -> String {
    wait_until_submitted(site, queue);
    let pid = Pid::from_raw(submitter.id().try_into().expect("a process"));
    kill(pid, Signal::SIGINT).expect("it is alive");
    let output = submitter.wait_with_output().expect("errare");
    let said = text(&output.stderr).to_owned();
    assert_eq!(output.status.code(), Some(130), "{said}");
    assert!(said.contains("detached from "), "{said}");
    said
}

/// The seed that resumes the work.
fn told_seed(said: &str) -> String {
    let told = said.split_once("--seed ").expect("a seed").1;
    told.split_whitespace().next().expect("a number").to_owned()
}

/// Waits until something holds.
fn wait_for(mut holds: impl FnMut() -> bool) {
    while !holds() {
        thread::sleep(Duration::from_millis(20));
    }
}

fn as_text(path: &Path) -> &str {
    path.to_str().expect("text")
}
