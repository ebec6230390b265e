//! A session with the engine: lines in, lines out, with a time limit.

use std::{
    fmt::Display,
    io::{BufRead, BufReader, Read, Write},
    process::{Child, ChildStdin, Stdio},
    sync::mpsc::{Receiver, channel},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use crate::{TABLES, program};

/// If an answer takes longer than this, even on a busy machine, it will not come.
const PATIENCE: Duration = Duration::from_secs(120);

/// A running engine. None of its threads may panic: otherwise the session fails at its end.
pub(crate) struct Session {
    child: Child,
    /// Reads standard error to its end.
    errors: Option<JoinHandle<String>>,
    input: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// When the last line came.
    heard: Instant,
}

impl Session {
    /// Starts an engine with these arguments, with tables of queen, rook and pawn against king and without an engine.
    pub(crate) fn start(arguments: &[&str]) -> Session {
        let mut session = Session::bare(arguments);
        session.set("Engine", "<empty>");
        session.set("BuildMen", 0);
        session.set("TablePath", &*TABLES);
        session
    }

    /// Starts an engine with these arguments and nothing else.
    pub(crate) fn bare(arguments: &[&str]) -> Session {
        let mut command = program::errare();
        command.arg("uci").args(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let output = BufReader::new(child.stdout.take().expect("it is piped"));
        let (said, lines) = channel();
        thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                if said.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        let mut errors = child.stderr.take().expect("it is piped");
        Session {
            errors: Some(thread::spawn(move || {
                let mut text = Vec::new();
                let _ = errors.read_to_end(&mut text);
                String::from_utf8_lossy(&text).into_owned()
            })),
            input: child.stdin.take(),
            child,
            lines,
            heard: Instant::now(),
        }
    }

    pub(crate) fn send(&mut self, line: &str) {
        self.send_bytes(line.as_bytes());
    }

    /// Sends a line that need not be text.
    pub(crate) fn send_bytes(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        let line = [line, b"\n"].concat();
        input.write_all(&line).expect("it listens");
        input.flush().expect("it listens");
    }

    /// Sets an option.
    pub(crate) fn set(&mut self, option: &str, value: impl Display) {
        self.send(&format!("setoption name {option} value {value}"));
    }

    /// Its output up to a line with this beginning.
    pub(crate) fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok((when, line)) => {
                    self.heard = when;
                    said.push(line);
                }
                Err(_) => panic!("no {beginning:?} after {said:#?}"),
            }
            if said.last().is_some_and(|line| line.starts_with(beginning)) {
                return said;
            }
        }
    }

    /// Its response to a line, up to one with this beginning.
    pub(crate) fn ask(&mut self, line: &str, beginning: &str) -> Vec<String> {
        self.send(line);
        self.until(beginning)
    }

    /// Its move, and the output before it.
    pub(crate) fn go(&mut self, limits: &str) -> (String, Vec<String>) {
        let said = self.ask(&format!("go {limits}"), "bestmove");
        let last = said.last().expect("a move");
        let chosen = last.split(' ').nth(1).expect("a move").to_owned();
        (chosen, said)
    }

    /// When the last awaited line came.
    pub(crate) fn heard(&self) -> Instant {
        self.heard
    }

    /// Closes its input; returns its output and exit status.
    pub(crate) fn close(mut self) -> (Vec<String>, bool) {
        drop(self.input.take());
        let status = self.child.wait().expect("it ends");
        let said = self.lines.iter().map(|(_, line)| line);
        (said.collect(), status.success())
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let errors = self.errors.take().map(JoinHandle::join);
        let errors = errors.expect("only the end joins it").unwrap_or_default();
        if !thread::panicking() {
            assert!(!errors.contains("panicked"), "{errors}");
        }
    }
}

/// Does its output contain these words?
pub(crate) fn says(lines: &[String], words: &str) -> bool {
    lines.iter().any(|line| line.contains(words))
}
