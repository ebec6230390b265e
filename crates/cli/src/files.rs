//! Writes output files whole or not at all.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use errare_core::{directory_of, write_file};

/// Writes a file, replacing an existing one only when the new one is complete; `-` is standard
/// output.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let written = match path.to_str() {
        Some("-") => io::stdout().write_all(text.as_bytes()),
        _ => write_file(path, text.as_bytes()),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a text to a file if one was named.
pub(crate) fn write_to<E: Into<anyhow::Error>>(
    path: Option<&PathBuf>,
    text: impl FnOnce() -> Result<String, E>,
) -> Result<()> {
    match path {
        Some(path) => write(path, &text().map_err(Into::into)?),
        None => Ok(()),
    }
}

/// Appends to a file, created if missing; `-` is standard output.
pub(crate) fn append(path: &Path, text: &str) -> Result<()> {
    let written = match path.to_str() {
        Some("-") => io::stdout().write_all(text.as_bytes()),
        _ => (File::options().create(true).append(true).open(path))
            .and_then(|mut file| file.write_all(text.as_bytes())),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Rejects a file that cannot be appended to, before there is anything to write.
pub(crate) fn must_be_writable(path: &Path) -> Result<()> {
    let opened = match path.exists() {
        true => File::options().append(true).open(path).map(drop),
        false => directory_of(path).map(drop),
    };
    opened.with_context(|| format!("cannot write {}", path.display()))
}
