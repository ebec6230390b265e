//! Files that are written for people: whole, or not at all.

use std::{
    io::{self, Write},
    path::Path,
};

use anyhow::{Context, Result};
use errare_core::write_file;

/// Writes a file, which takes the place of what was there only when it is complete; `-` is standard
/// output.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let written = match path.to_str() {
        Some("-") => io::stdout().write_all(text.as_bytes()),
        _ => write_file(path, text.as_bytes()),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}
