//! The engine process and its pipes: output is sent at once, input is read in lines of bounded length.
//!
//! Reading blocks on the caller's thread, and the engine's output wakes nothing else, which keeps the
//! driver cheap. A guard checks the clock now and then and kills an engine that is silent for too long,
//! which ends the read.

use std::{
    io::{Read, Write},
    ops::ControlFlow,
    path::Path,
    process::{ChildStdin, ChildStdout, Command, Stdio},
    sync::Arc,
    time::Duration,
};

use errare_core::Cancel;

use crate::{EngineError, guard::Guard};

/// Bytes read at once. An iteration over all moves takes about 10 kB.
const CHUNK: usize = 1 << 16;
/// Lines at least this long are refused.
const LONGEST_LINE: usize = 1 << 20;

/// What a line meant to the listener.
pub(crate) enum Heard<T> {
    /// The line it was waiting for.
    End(T),
    /// The engine is making progress.
    Progress,
    /// Nothing of interest.
    Nothing,
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Pipe {
    input: Arc<ChildStdin>,
    output: ChildStdout,
    guard: Guard,
    /// How long the engine may go without progress.
    silence: Duration,
    /// Unprocessed input is between `start` and `end`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Its last line, for error messages.
    last: Vec<u8>,
}

impl Pipe {
    /// Starts a program in its own process group, so that ctrl-C reaches only us.
    pub(crate) fn start(
        path: &Path,
        silence: Duration,
        cancel: Cancel,
    ) -> Result<Pipe, EngineError> {
        let mut command = Command::new(path);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut pipes = None;
        let spawn = || {
            let mut child = command.spawn().map_err(|source| EngineError::Start {
                path: path.to_owned(),
                source,
            })?;
            pipes = child.stdin.take().zip(child.stdout.take());
            Ok(child)
        };
        let guard = Guard::new(spawn, cancel)?;
        let (input, output) = pipes.expect("both are piped");
        Ok(Pipe {
            input: Arc::new(input),
            output,
            guard,
            silence,
            buffer: vec![0; 2 * CHUNK],
            start: 0,
            end: 0,
            last: Vec::new(),
        })
    }

    /// From now on the engine may go this long without progress.
    pub(crate) fn allow_silence(&mut self, silence: Duration) {
        self.silence = silence;
    }

    /// Returns a function that sends `stop`, from any thread.
    pub(crate) fn stopper(&self) -> impl Fn() + Send + use<> {
        let input = Arc::clone(&self.input);
        // An engine that is gone has stopped.
        move || drop((&*input).write_all(b"stop\n"))
    }

    /// Sends whole lines.
    pub(crate) fn send(&mut self, lines: &str) -> Result<(), EngineError> {
        let sent = (&*self.input).write_all(lines.as_bytes());
        sent.map_err(|_| EngineError::Ended(self.last_words()))
    }

    /// Reads lines until `hear` returns an end; fails if the engine stops making progress.
    pub(crate) fn listen<T>(
        &mut self,
        mut hear: impl FnMut(&[u8]) -> Result<Heard<T>, EngineError>,
    ) -> Result<T, EngineError> {
        self.guard.progress(self.silence);
        let end = loop {
            match self.lines(&mut hear)? {
                ControlFlow::Break(end) => break end,
                ControlFlow::Continue(true) => self.guard.progress(self.silence),
                ControlFlow::Continue(false) => {}
            }
            self.read()?;
        };
        self.guard.rest();
        Ok(end)
    }

    /// Handles the complete lines in the buffer; returns whether there was progress.
    fn lines<T>(
        &mut self,
        hear: &mut impl FnMut(&[u8]) -> Result<Heard<T>, EngineError>,
    ) -> Result<ControlFlow<T, bool>, EngineError> {
        let mut progress = false;
        while let Some(length) = memchr::memchr(b'\n', &self.buffer[self.start..self.end]) {
            let line = &self.buffer[self.start..self.start + length];
            self.start += length + 1;
            match hear(line)? {
                Heard::End(end) => return Ok(ControlFlow::Break(end)),
                Heard::Progress => progress = true,
                Heard::Nothing => {}
            }
            if self.start == self.end {
                self.last.clear();
                self.last.extend_from_slice(line);
            }
        }
        Ok(ControlFlow::Continue(progress))
    }

    /// Waits for more input.
    fn read(&mut self) -> Result<(), EngineError> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end > LONGEST_LINE {
            return Err(EngineError::EndlessLine);
        }
        if self.buffer.len() < self.end + CHUNK {
            self.buffer.resize(self.end + CHUNK, 0);
        }
        match self.output.read(&mut self.buffer[self.end..]) {
            Ok(length @ 1..) => self.end += length,
            Ok(0) | Err(_) => return Err(self.guard.cause(self.silence, self.last_words())),
        }
        Ok(())
    }

    fn last_words(&self) -> String {
        let unfinished = &self.buffer[self.start..self.end];
        let last = if unfinished.is_empty() {
            &self.last
        } else {
            unfinished
        };
        let last = &last[..last.len().min(200)];
        String::from_utf8_lossy(last).into_owned()
    }
}
