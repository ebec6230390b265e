//! Files of a reproduction: the partial results of an interrupted run, and the user's games.

use std::{
    fs, io,
    io::Write,
    path::{Path, PathBuf},
};

use super::PaperEntry;
use crate::Error;

/// The entries left by an interrupted run, one line of JSON each.
#[derive(Debug)]
pub(super) struct Kept(PathBuf);

impl Kept {
    /// The entries in a directory, for this version of the program.
    pub(super) fn new(directory: &Path) -> Kept {
        let version = env!("CARGO_PKG_VERSION");
        Kept(directory.join(format!("reproduction-{version}.jsonl")))
    }

    /// The stored entries; a truncated line is computed again.
    pub(super) fn entries(&self) -> Vec<PaperEntry> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        text.lines()
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect()
    }

    /// Adds an entry. If that fails the entry will be computed again, which does no harm.
    pub(super) fn add(&self, entry: &PaperEntry) {
        let file = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.0);
        if let (Ok(mut file), Ok(line)) = (file, serde_json::to_string(entry)) {
            let _ = writeln!(file, "{line}");
        }
    }

    /// Deletes them.
    pub(super) fn forget(&self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The PGN files in a directory and its subdirectories, sorted by name.
pub(super) fn pgn_files(directory: &Path) -> Result<Vec<PathBuf>, Error> {
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

/// The text of all PGN files in a directory and its subdirectories.
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
