//! Messages for people, on standard error. A closed standard error is no reason to stop.

use std::{
    fmt::Arguments,
    io::{self, IsTerminal, Write},
};

use errare_report::text::Folding;

/// Like `eprintln!`, but wraps lines at a terminal and does not panic if standard error is closed or full.
macro_rules! talk {
    ($($words:tt)*) => { crate::talk::say(format_args!($($words)*)) };
}

/// Prints a message.
pub(crate) fn say(words: Arguments<'_>) {
    let mut out = io::stderr();
    let _ = match out.is_terminal() {
        true => writeln!(Folding::new(out), "{words}"),
        false => writeln!(out, "{words}"),
    };
}
