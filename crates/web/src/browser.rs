//! The browser of the desktop.

use std::{
    io,
    process::{Command, Stdio},
};

use crate::FirstPage;

impl FirstPage {
    /// Opens the page in the browser, if there is a desktop.
    pub fn open(&self) -> io::Result<()> {
        let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
            ("open", &[])
        } else if cfg!(windows) {
            ("cmd", &["/C", "start", ""])
        } else {
            ("xdg-open", &[])
        };
        Command::new(program)
            .args(arguments)
            .arg(&self.here)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(drop)
    }
}
