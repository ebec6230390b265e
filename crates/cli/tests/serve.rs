//! `errare serve`: an interrupt ends it cleanly, and no game is lost.
#![cfg(unix)]

mod program;

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    process::{Child, ChildStderr, Stdio},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A server with its own history.
struct Server {
    child: Child,
    talk: BufReader<ChildStderr>,
    address: String,
    greeting: Vec<String>,
}

impl Server {
    fn start(directory: &TempDir, options: &[&str]) -> Server {
        let mut child = program::errare()
            .args(["serve", "--port", "0", "--history"])
            .arg(directory.path().join("practice.sqlite"))
            .arg("--store")
            .arg(directory.path().join("evaluations.db"))
            .args(options)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut talk = BufReader::new(child.stderr.take().unwrap());
        let mut greeting = Vec::new();
        while greeting
            .last()
            .is_none_or(|line: &String| !line.contains("ctrl-C"))
        {
            let mut line = String::new();
            assert_ne!(talk.read_line(&mut line).unwrap(), 0, "{greeting:?}");
            greeting.push(line.trim().to_owned());
        }
        let url = greeting[0].split("http://").nth(1).unwrap();
        let address = url.split('/').next().unwrap().to_owned();
        Server {
            child,
            talk,
            address,
            greeting,
        }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        let mut reply = String::new();
        stream.read_to_string(&mut reply).unwrap();
        let (_, body) = reply.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|_| panic!("no JSON: {reply}"))
    }

    /// Interrupts it and returns its last output.
    fn interrupt(mut self) -> String {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).unwrap());
        kill(pid, Signal::SIGINT).unwrap();
        let mut last = String::new();
        self.talk.read_to_string(&mut last).unwrap();
        assert!(self.child.wait().unwrap().success(), "{last}");
        last
    }
}

#[test]
fn an_interrupt_ends_it_and_games_are_kept() {
    let directory = tempfile::tempdir().unwrap();
    let server = Server::start(&directory, &[]);
    let start = json!({ "start": { "kind": "position", "fen": "8/8/8/8/8/5K2/3R4/7k w - - 0 1" }, "opponent": "best" });
    let game = server.ask("POST", "/api/v1/practice/games", &start.to_string());
    let id = game["session"]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/practice/games/{id}");
    let moved = server.ask(
        "POST",
        &format!("{path}/acts"),
        r#"{"act":"move","text":"Rd8"}"#,
    );
    assert_eq!(
        moved["session"]["moves"].as_array().unwrap().len(),
        2,
        "{moved}"
    );
    // A job that would take minutes, and a silent client.
    server.ask(
        "POST",
        "/api/v1/jobs",
        r#"{"verb":"build","endgames":["KRPKR"]}"#,
    );
    let silent = TcpStream::connect(&server.address).unwrap();
    assert!(server.interrupt().contains("ended"));
    drop(silent);
    let again = Server::start(&directory, &[]);
    let found = again.ask("GET", &path, "");
    assert_eq!(found["session"]["moves"], moved["session"]["moves"]);
    again.interrupt();
}

#[test]
fn an_address_that_others_can_reach_asks_for_a_token_and_says_where_it_is() {
    let refused = program::errare()
        .args(["serve", "--port", "0", "--address", "0.0.0.0"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("--token"));
    let directory = tempfile::tempdir().unwrap();
    let options = ["--address", "0.0.0.0", "--token", "correcthorse"];
    let server = Server::start(&directory, &options);
    assert!(server.greeting[0].contains("/?token=correcthorse"));
    // A machine without a network has no other address.
    if server.greeting.len() > 2 {
        let elsewhere = &server.greeting[1];
        assert!(elsewhere.ends_with("/?token=correcthorse"), "{elsewhere}");
    }
    server.interrupt();
}
