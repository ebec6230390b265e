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
use serde_json::Value;
use tempfile::TempDir;

/// A directory for one test, with a server if that is asked for.
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

/// What a queue says of itself.
fn status(site: &Site, queue: &str) -> Value {
    json(&site.errare(&["jobs", "status", "--queue", queue, "--json"]))
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
