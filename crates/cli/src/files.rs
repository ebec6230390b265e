//! Files that are written for people: whole, or not at all.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use errare_core::{directory_of, write_file};

/// Writes a file, which takes the place of what was there only when it is complete; `-` is standard
/// output.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let written = match path.to_str() {
        Some("-") => io::stdout().write_all(text.as_bytes()),
        _ => write_file(path, text.as_bytes()),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a text into a file if one was named.
pub(crate) fn write_to<E: Into<anyhow::Error>>(
    path: Option<&PathBuf>,
    text: impl FnOnce() -> Result<String, E>,
) -> Result<()> {
    match path {
        Some(path) => write(path, &text().map_err(Into::into)?),
        None => Ok(()),
    }
}

/// Adds to a file, which is made if there is none; `-` is standard output.
pub(crate) fn append(path: &Path, text: &str) -> Result<()> {
    let written = match path.to_str() {
        Some("-") => io::stdout().write_all(text.as_bytes()),
        _ => (File::options().create(true).append(true).open(path))
            .and_then(|mut file| file.write_all(text.as_bytes())),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// Refuses a file to which nothing can be added, before there is anything to add.
pub(crate) fn must_be_writable(path: &Path) -> Result<()> {
    let opened = match path.exists() {
        true => File::options().append(true).open(path).map(drop),
        false => directory_of(path).map(drop),
    };
    opened.with_context(|| format!("cannot write {}", path.display()))
}
