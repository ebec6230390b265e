//! The process and its two pipes: what is written goes out at once, what is read comes in lines of bounded
//! length.
//!
//! Reading waits in the system, on the caller's thread, and nothing else is woken by what the engine says:
//! that is what makes a driver cheap. A guard looks at the clock now and then; an engine that is silent
//! for too long is killed, which ends the reading.

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

/// How much is read at once. An iteration over all moves has some 10 kB.
const CHUNK: usize = 1 << 16;
/// No line is as long as this.
const LONGEST_LINE: usize = 1 << 20;

/// What a line meant to the listener.
pub(crate) enum Heard<T> {
    /// What it was waiting for.
    End(T),
    /// Something that shows the engine at work.
    Progress,
    /// Nothing of use.
    Nothing,
}

/// A running engine.
#[derive(Debug)]
pub(crate) struct Pipe {
    input: Arc<ChildStdin>,
    output: ChildStdout,
    guard: Guard,
    /// How long the engine may make no progress.
    silence: Duration,
    /// What was read and not handled yet is from `start` to `end`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// What it said last, for messages.
    last: Vec<u8>,
}

impl Pipe {
    /// Starts a program, in a process group of its own: ctrl-C is for us to handle.
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

    /// Asks the engine to end its search, from any thread.
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

    /// Listens to lines until the end that `hear` waits for, if the engine does not stop making progress.
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

    /// Listens to the whole lines that are here, up to the end; says whether there was progress.
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

    /// Waits for more.
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
