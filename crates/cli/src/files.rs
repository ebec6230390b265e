//! Files that are written for people: whole, or not at all.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail};
use errare_core::write_file;

/// Writes a file, which takes the place of what was there only when it is complete; `-` is standard
/// output.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    must_have_directory(path)?;
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

/// Refuses a file in a directory that is not there, whose own error would name a temporary file.
fn must_have_directory(path: &Path) -> Result<()> {
    match path.parent() {
        Some(directory) if !directory.as_os_str().is_empty() && !directory.is_dir() => bail!(
            "cannot write {}: there is no directory {}",
            path.display(),
            directory.display()
        ),
        _ => Ok(()),
    }
}

/// Refuses a file to which nothing can be added, before there is anything to add.
pub(crate) fn must_be_writable(path: &Path) -> Result<()> {
    must_have_directory(path)?;
    if path.exists() {
        let opened = File::options().append(true).open(path);
        opened.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}
