//! A real server on a port of this machine.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::Arc,
    thread::{self, JoinHandle},
};

use errare_core::Cancel;
use errare_web::{Access, Guard, serve};
use tempfile::TempDir;

use crate::client::application;

/// A server that stops when it is dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: Cancel,
    running: Option<JoinHandle<io::Result<()>>>,
    _directory: TempDir,
}

impl Server {
    pub(crate) fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let guard = Guard::new(Access::ThisMachine, address, Vec::new());
        let (app, directory) = application(guard);
        let stop = Cancel::default();
        let watch = stop.clone();
        let running = thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new()?;
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                serve(Arc::new(app), listener, &watch).await
            })
        });
        Server {
            address,
            stop,
            running: Some(running),
            _directory: directory,
        }
    }

    /// A connection on which nothing was sent yet.
    pub(crate) fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).unwrap()
    }

    /// The status line and the body of the response at a path.
    pub(crate) fn get(&self, path: &str) -> (String, String) {
        let mut stream = self.connect();
        let host = self.address;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        )
        .unwrap();
        let mut reader = BufReader::new(stream);
        let mut status = String::new();
        reader.read_line(&mut status).unwrap();
        let mut rest = String::new();
        reader.read_to_string(&mut rest).unwrap();
        let (_, body) = rest.split_once("\r\n\r\n").unwrap();
        (status.trim_end().to_owned(), body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
        if let Some(running) = self.running.take() {
            let ended = running.join().expect("the server does not panic");
            ended.expect("the server ends in order");
        }
    }
}
