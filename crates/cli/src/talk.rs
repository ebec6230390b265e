//! What goes to standard error: talk, for people. A closed standard error is no reason to stop.

use std::{
    fmt::Arguments,
    io::{self, IsTerminal, Write},
};

use errare_report::text::Folding;

/// As `eprintln!`, but wraps lines at a terminal, and does not panic where standard error is closed or full.
macro_rules! talk {
    ($($words:tt)*) => { crate::talk::say(format_args!($($words)*)) };
}

/// Says something.
pub(crate) fn say(words: Arguments<'_>) {
    let mut out = io::stderr();
    let _ = match out.is_terminal() {
        true => writeln!(Folding::new(out), "{words}"),
        false => writeln!(out, "{words}"),
    };
}
