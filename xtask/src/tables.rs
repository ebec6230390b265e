//! The endgame tables of one run of the tests, so that each is built once, however many tests need it.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};

/// Tests that share tables (`errare_testing::shared_tables`) look here for the directory.
pub(crate) const VARIABLE: &str = "ERRARE_TEST_TABLES";

/// A directory of tables that is removed at the end.
pub(crate) struct Tables(PathBuf);

impl Tables {
    /// An empty directory: tables of an earlier run may come from another generator.
    pub(crate) fn new(target: &Path) -> Result<Tables> {
        let target = std::path::absolute(target).context("there is no current directory")?;
        let tables = Tables(target.join("tmp/test-tables"));
        tables.remove();
        let made = fs::create_dir_all(&tables.0);
        made.with_context(|| format!("cannot make {}", tables.0.display()))?;
        Ok(tables)
    }

    /// The directory.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Files that cannot be removed are overwritten or reported by the tests that find them.
    fn remove(&self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Drop for Tables {
    fn drop(&mut self) {
        self.remove();
    }
}
