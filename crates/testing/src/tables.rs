//! Tables that the tests of several crates read.

use std::{env, path::PathBuf};

use crate::scratch_directory;

/// The variable that names the directory of tables shared by all tests of `cargo xtask test`.
pub const TABLES: &str = "ERRARE_TEST_TABLES";

/// A directory of tables that tests may add to but not change: that of this run of `cargo xtask test`, so that every
/// table is built once, or else one shared by the tests of this process.
///
/// # Panics
/// Panics if no directory can be created.
pub fn shared_tables() -> PathBuf {
    match env::var_os(TABLES) {
        Some(directory) => directory.into(),
        None => scratch_directory(),
    }
}
