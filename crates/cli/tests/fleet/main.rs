//! A fleet on one machine: real workers, a real server, and everything that can go wrong.
#![cfg(unix)]

mod evaluations;
mod games;
mod peer;
#[path = "../program/mod.rs"]
mod program;

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

/// Waits until something holds.
fn wait_for(mut holds: impl FnMut() -> bool) {
    while !holds() {
        thread::sleep(Duration::from_millis(20));
    }
}

fn as_text(path: &Path) -> &str {
    path.to_str().expect("text")
}

#[test]
fn a_wrong_password_and_a_missing_queue_are_told() {
    let site = Site::new();
    let server = NatsServer::start(
        site.directory.path(),
        &["--user", "fleet", "--pass", "secret"],
    );
    let address = server.address().replace("//", "//fleet:wrong@");
    let refused = site.errare(&["jobs", "status", "--queue", &address]);
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(
        said.contains("refused the credentials") && !said.contains("wrong"),
        "{said}"
    );
    let address = server.address().replace("//", "//fleet:secret@");
    let status = json(&site.errare(&["jobs", "status", "--queue", &address, "--json"]));
    assert_eq!(status["batches"], serde_json::json!([]));
    let missing = site.errare(&["worker", "--queue", "nowhere.db"]);
    assert!(text(&missing.stderr).contains("there is no queue nowhere.db yet"));
}
