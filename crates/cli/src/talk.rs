//! What goes to standard error: talk, for people. A closed standard error is no reason to stop.

/// As `eprintln!`, but does not panic where standard error is closed or full.
macro_rules! talk {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}
