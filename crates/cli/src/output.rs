//! What goes to standard output.

use std::io::{self, Write};

use serde::Serialize;

/// Writes a value as JSON, indented.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}
