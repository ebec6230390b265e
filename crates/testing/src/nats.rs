//! A real NATS server on loopback.

use std::{
    fs,
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// Polling interval while the server starts.
const PAUSE: Duration = Duration::from_millis(50);

/// A server that ends with the test.
pub struct NatsServer {
    child: Child,
    port: u16,
    directory: PathBuf,
    options: Vec<String>,
}

impl NatsServer {
    /// Starts a server that keeps its data in a directory.
    ///
    /// # Panics
    ///
    /// Panics if it is not installed.
    pub fn start(directory: &Path, options: &[&str]) -> NatsServer {
        // If another process takes the port in between, try another one.
        for _ in 0..20 {
            let free = TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
            let port = free.local_addr().expect("an address").port();
            drop(free);
            let options: Vec<String> = options.iter().map(ToString::to_string).collect();
            if let Some(child) = spawn(directory, port, &options) {
                return NatsServer {
                    child,
                    port,
                    directory: directory.to_owned(),
                    options,
                };
            }
        }
        panic!(
            "nats-server does not start: see {}",
            log(directory).display()
        );
    }

    /// Kills the server and restarts it at the same address with the same data.
    ///
    /// # Panics
    ///
    /// Panics if it does not start again.
    pub fn restart(&mut self) {
        self.kill();
        while spawn(&self.directory, self.port, &self.options)
            .map(|child| self.child = child)
            .is_none()
        {
            thread::sleep(PAUSE);
        }
    }

    /// Kills the server.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Freezes the server, like a swapping machine or a hanging disk.
    pub fn pause(&self) {
        self.signal("-STOP");
    }

    /// Unfreezes the server.
    pub fn resume(&self) {
        self.signal("-CONT");
    }

    fn signal(&self, signal: &str) {
        let pid = self.child.id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.expect("kill").success(), "the server is gone");
    }

    /// One of the server's statistics on a page (`varz`, `jsz`), if it was started with `-m` and this port.
    ///
    /// # Panics
    ///
    /// Panics if the server does not answer.
    pub fn figure(&self, port: &str, page: &str, name: &str) -> u64 {
        let mut stream = TcpStream::connect(format!("127.0.0.1:{port}")).expect("a connection");
        write!(stream, "GET /{page} HTTP/1.0\r\n\r\n").expect("a question");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        let body = answer.split_once("\r\n\r\n").expect("a body").1;
        let said: serde_json::Value = serde_json::from_str(body).expect("JSON");
        said[name].as_u64().expect("a number")
    }

    /// Its address.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}

fn log(directory: &Path) -> PathBuf {
    directory.join("nats.log")
}

/// Starts a server and waits until it is ready; `None` if it exits.
fn spawn(directory: &Path, port: u16, options: &[String]) -> Option<Child> {
    let _ = fs::remove_file(log(directory));
    let mut child = Command::new(program())
        .args(["--addr", "127.0.0.1", "--jetstream"])
        .args(["--port", &port.to_string()])
        .arg("--store_dir")
        .arg(directory.join("store"))
        .arg("--log")
        .arg(log(directory))
        .args(options)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("nats-server is installed: cargo xtask test sees to it");
    loop {
        let text = fs::read_to_string(log(directory)).unwrap_or_default();
        if text.contains("Server is ready") {
            return Some(child);
        }
        if child.try_wait().expect("the server's state").is_some() {
            return None;
        }
        thread::sleep(PAUSE);
    }
}

/// Debian installs it outside the ordinary search path.
fn program() -> PathBuf {
    let usual = PathBuf::from("/usr/sbin/nats-server");
    match usual.is_file() {
        true => usual,
        false => "nats-server".into(),
    }
}
