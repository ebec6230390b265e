//! Files that are written for people: whole, or not at all.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use errare_core::{NewFile, write_file};

/// Writes a file, which takes the place of what was there only when it is complete; `-` is standard
/// output.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    let written = match path.to_str() {
        Some("-") => io::stdout().write_all(text.as_bytes()),
        _ => write_file(path, text.as_bytes()),
    };
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// A file that is being written; it takes the place of what was there only when it is finished. `-` is standard output.
pub(crate) struct Partial {
    path: PathBuf,
    /// None for standard output.
    file: Option<NewFile>,
}

impl Partial {
    /// Begins a file.
    pub(crate) fn create(path: &Path) -> Result<Partial> {
        let file = (path.to_str() != Some("-")).then(|| NewFile::create(path));
        let file = file.transpose();
        Ok(Partial {
            path: path.to_owned(),
            file: file.with_context(|| format!("cannot write {}", path.display()))?,
        })
    }

    /// Puts the file into its place.
    pub(crate) fn finish(self) -> Result<()> {
        let finished = self.file.map_or(Ok(()), NewFile::finish);
        finished.with_context(|| format!("cannot write {}", self.path.display()))
    }
}

impl Write for Partial {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.file {
            Some(file) => file.write(bytes),
            None => io::stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.file {
            Some(file) => file.flush(),
            None => io::stdout().flush(),
        }
    }
}
