//! Reports and counts skipped tests, so that nobody mistakes them for passed.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

/// The variable that tells tests where to record that they were skipped (`errare_testing::skip`).
pub(crate) const VARIABLE: &str = "ERRARE_SKIPPED_TESTS";

/// The list of skipped tests.
pub(crate) struct Skipped(PathBuf);

impl Skipped {
    /// An empty list.
    pub(crate) fn new(target: &Path) -> Result<Skipped> {
        let path = target.join("skipped-tests.txt");
        fs::create_dir_all(target).with_context(|| format!("cannot make {}", target.display()))?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(Skipped(path.canonicalize().unwrap_or(path))),
        }
    }

    /// The file.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Prints the skipped tests.
    pub(crate) fn tell(&self) -> Result<()> {
        let text = match fs::read_to_string(&self.0) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            result => result.with_context(|| format!("cannot read {}", self.0.display()))?,
        };
        let mut tests: Vec<&str> = text.lines().collect();
        tests.sort_unstable();
        tests.dedup();
        println!("\nskipped tests: {}", tests.len());
        for test in tests {
            println!("  {test}");
        }
        Ok(())
    }
}
