//! The process and its two pipes: what is written goes out at once, what is read comes line by line and
//! not without end.

use std::{
    io::{Read, Write},
    ops::ControlFlow,
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::{Duration, Instant},
};

use crate::EngineError;

/// How much is read at once. An iteration over all moves has some 10 kB.
const CHUNK: usize = 1 << 16;
/// How many chunks may wait.
const CHUNKS: usize = 16;
/// No line is as long as this.
const LONGEST_LINE: usize = 1 << 20;
/// How often to see whether to stop, while the engine says nothing.
const PULSE: Duration = Duration::from_millis(100);

/// What a line was to the listener.
pub(crate) enum Heard<T> {
    /// What it waited for.
    End(T),
    /// Something that shows the engine at work.
    Progress,
    /// Nothing of use.
    Nothing,
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Pipe {
    child: Child,
    input: ChildStdin,
    chunks: Receiver<Vec<u8>>,
    /// What was read and not heard yet begins at `start`.
    buffer: Vec<u8>,
    start: usize,
    /// What it said last, for messages.
    last: Vec<u8>,
    silence: Duration,
    stop: Arc<AtomicBool>,
}

impl Pipe {
    /// Starts a program, in a process group of its own: ctrl-C is for us to handle.
    pub(crate) fn start(
        path: &Path,
        silence: Duration,
        stop: Arc<AtomicBool>,
    ) -> Result<Pipe, EngineError> {
        let mut command = Command::new(path);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|source| EngineError::Start {
            path: path.to_owned(),
            source,
        })?;
        let input = child.stdin.take().expect("it is piped");
        let chunks = read(child.stdout.take().expect("it is piped"));
        Ok(Pipe {
            child,
            input,
            chunks,
            buffer: Vec::with_capacity(2 * CHUNK),
            start: 0,
            last: Vec::new(),
            silence,
            stop,
        })
    }

    /// Sends whole lines.
    pub(crate) fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        let sent = self.input.write_all(lines.as_bytes());
        sent.map_err(|_| EngineError::Ended(self.last_words()))
    }

    /// Listens to lines until the end that `hear` waits for, if the engine does not stop making progress.
    pub(crate) fn listen<T>(
        &mut self,
        mut hear: impl FnMut(&[u8]) -> Result<Heard<T>, EngineError>,
    ) -> Result<T, EngineError> {
        let mut heard = Instant::now();
        loop {
            let lines = self.lines(&mut hear)?;
            match lines {
                ControlFlow::Break(end) => return Ok(end),
                ControlFlow::Continue(true) => heard = Instant::now(),
                ControlFlow::Continue(false) => {}
            }
            if self.buffer.len() > LONGEST_LINE {
                return Err(EngineError::EndlessLine);
            }
            self.wait(heard + self.silence)?;
        }
    }

    /// Listens to the whole lines that are here, up to the end; says whether there was progress.
    fn lines<T>(
        &mut self,
        hear: &mut impl FnMut(&[u8]) -> Result<Heard<T>, EngineError>,
    ) -> Result<ControlFlow<T, bool>, EngineError> {
        let mut progress = false;
        while let Some(length) = memchr::memchr(b'\n', &self.buffer[self.start..]) {
            let line = &self.buffer[self.start..self.start + length];
            self.start += length + 1;
            match hear(line)? {
                Heard::End(end) => return Ok(ControlFlow::Break(end)),
                Heard::Progress => progress = true,
                Heard::Nothing => {}
            }
            if self.start == self.buffer.len() {
                self.last.clear();
                self.last.extend_from_slice(line);
            }
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        Ok(ControlFlow::Continue(progress))
    }

    /// Waits for more, until the deadline.
    fn wait(&mut self, deadline: Instant) -> Result<(), EngineError> {
        loop {
            if self.stop.load(Relaxed) {
                return Err(EngineError::Stopped);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(EngineError::Silent {
                    seconds: self.silence.as_secs(),
                    last: self.last_words(),
                });
            }
            match self.chunks.recv_timeout(left.min(PULSE)) {
                Ok(chunk) => {
                    self.buffer.extend_from_slice(&chunk);
                    return Ok(());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(EngineError::Ended(self.last_words()));
                }
            }
        }
    }

    fn last_words(&self) -> String {
        let unfinished = &self.buffer[self.start..];
        let last = if unfinished.is_empty() {
            &self.last
        } else {
            unfinished
        };
        let last = &last[..last.len().min(200)];
        String::from_utf8_lossy(last).into_owned()
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // It has nothing to save, and may be deaf.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads in a thread of its own, which ends with the pipe. A pipe has no other way, on every system, to
/// wait for a limited time.
fn read(mut output: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::sync_channel(CHUNKS);
    thread::spawn(move || {
        let mut buffer = vec![0; CHUNK];
        while let Ok(length @ 1..) = output.read(&mut buffer) {
            if sender.send(buffer[..length].to_vec()).is_err() {
                break;
            }
        }
    });
    receiver
}
