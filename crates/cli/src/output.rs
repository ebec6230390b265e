//! What goes to standard output.

use std::{
    io::{self, StdoutLock, Write},
    process::ExitCode,
};

use anstream::AutoStream;
use anyhow::Result;
use errare_report::text::{Folding, Text};
use serde::Serialize;

/// Prints an answer, as JSON or as text for people.
pub(crate) fn show<A: Serialize + Text + ?Sized>(answer: &A, as_json: bool) -> Result<ExitCode> {
    match as_json {
        true => {
            remark(answer);
            json(answer)?;
        }
        false => text(answer)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints an answer's remarks, whatever the output format.
pub(crate) fn remark(answer: &(impl Text + ?Sized)) {
    for remark in answer.remarks() {
        talk!("note: {remark}");
    }
}

/// Standard output for people: wraps lines, and drops styles where they cannot be shown.
pub(crate) fn for_people() -> Folding<AutoStream<StdoutLock<'static>>> {
    Folding::new(anstream::stdout().lock())
}

/// Writes an answer as text, with remarks on standard error.
pub(crate) fn text(answer: &(impl Text + ?Sized)) -> io::Result<()> {
    remark(answer);
    answer.write(&mut for_people())?;
    if let Some(aside) = answer.aside() {
        talk!("{aside}");
    }
    Ok(())
}

/// Writes a value as JSON, indented.
pub(crate) fn json(value: &(impl Serialize + ?Sized)) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}

/// Writes a value as one line of JSON.
pub(crate) fn json_line(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value)?;
    writeln!(out)
}
