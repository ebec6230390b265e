//! What a reproduction reads and leaves in directories: the entries of an interrupted run, and the user's games.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use super::Entry;
use crate::Error;

/// Entries that an interrupted run has left, a line of JSON each.
#[derive(Debug)]
pub(super) struct Kept(PathBuf);

impl Kept {
    /// Those in a directory, of this version of the program.
    pub(super) fn new(directory: &Path) -> Kept {
        let version = env!("CARGO_PKG_VERSION");
        Kept(directory.join(format!("reproduction-{version}.jsonl")))
    }

    /// What is kept; a line that was cut off is computed again.
    pub(super) fn entries(&self) -> Vec<Entry> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// Adds an entry. If that fails the entry will be computed again, which is no harm.
    pub(super) fn add(&self, entry: &Entry) {
        let file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.0);
        if let (Ok(mut file), Ok(line)) = (file, serde_json::to_string(entry)) {
            let _ = writeln!(file, "{line}");
        }
    }

    /// Forgets them.
    pub(super) fn forget(&self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The PGN files in a directory and in those below it, in the order of their names.
pub fn pgn_files(directory: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    collect(directory, &mut files).map_err(|error| unreadable(directory, &error))?;
    files.sort();
    Ok(files)
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "pgn") {
            files.push(path);
        }
    }
    Ok(())
}

/// The text of all PGN files in a directory and in those below it.
pub fn all_games(directory: &Path) -> Result<String, Error> {
    let mut text = String::new();
    for path in pgn_files(directory)? {
        let bytes = fs::read(&path).map_err(|error| unreadable(&path, &error))?;
        text += &String::from_utf8_lossy(&bytes);
        text.push('\n');
    }
    Ok(text)
}

fn unreadable(path: &Path, error: &io::Error) -> Error {
    Error::new(
        errare_core::FaultKind::Missing,
        format!("cannot read {}: {error}", path.display()),
    )
}
