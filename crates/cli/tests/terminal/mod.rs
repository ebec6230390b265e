//! The program at a pseudo-terminal of 80 columns, and the contents of the screen.

use std::{
    fs::File,
    io::{Read, Write},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};

use nix::{
    pty::{Winsize, openpty},
    sys::signal::{Signal, kill},
    unistd::Pid,
};

/// The time limit of the program.
const PATIENCE: Duration = Duration::from_secs(300);

/// High enough that nothing scrolls away.
const SIZE: Winsize = Winsize {
    ws_row: 1000,
    ws_col: 80,
    ws_xpixel: 0,
    ws_ypixel: 0,
};

/// The program at a terminal.
pub(crate) struct Terminal {
    child: Child,
    keys: File,
    output: Receiver<Vec<u8>>,
    screen: vt100::Parser,
}

impl Terminal {
    /// Runs a command there.
    pub(crate) fn run(mut command: Command) -> Terminal {
        let pty = openpty(&SIZE, None).unwrap();
        let end = || Stdio::from(pty.slave.try_clone().unwrap());
        let child = command
            .env("TERM", "xterm")
            .env("NO_COLOR", "1")
            .stdin(end())
            .stdout(end())
            .stderr(end())
            .spawn()
            .unwrap();
        // The command also holds ends of the terminal, and would keep it open.
        drop(command);
        drop(pty.slave);
        let keys = File::from(pty.master);
        let mut reading = keys.try_clone().unwrap();
        let (sender, output) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            // When the program has ended, Linux returns an error.
            while let Ok(count @ 1..) = reading.read(&mut buffer) {
                if sender.send(buffer[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Terminal {
            child,
            keys,
            output,
            screen: vt100::Parser::new(SIZE.ws_row, SIZE.ws_col, 0),
        }
    }

    /// The contents of the screen.
    pub(crate) fn screen(&self) -> String {
        self.screen.screen().contents()
    }

    /// Waits until the screen is as it should be.
    pub(crate) fn wait_until(&mut self, wanted: impl Fn(&str) -> bool) {
        while !wanted(&self.screen()) {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(error) => panic!("{error} after:\n{}", self.screen()),
            }
        }
    }

    /// Presses keys.
    pub(crate) fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    /// Interrupts the program, as the terminal of its session does on ctrl-C.
    pub(crate) fn interrupt(&self) {
        let process = Pid::from_raw(self.child.id().try_into().unwrap());
        kill(process, Signal::SIGINT).unwrap();
    }

    /// Types a line at a prompt.
    pub(crate) fn type_line(&mut self, prompt: &str, line: &str) {
        self.wait_until(|screen| screen.trim_end().ends_with(prompt));
        self.press(&format!("{line}\r"));
        self.wait_until(|screen| screen.contains(&format!("{prompt} {line}")));
    }

    /// Everything that was on the screen, with the exit code.
    pub(crate) fn finish(mut self) -> (String, Option<i32>) {
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(bytes) => self.screen.process(&bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("the program does not end ({error}):\n{}", self.screen()),
            }
        }
        (self.screen(), self.child.wait().unwrap().code())
    }
}
