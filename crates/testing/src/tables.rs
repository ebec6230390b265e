//! Tables that the tests of several crates read.

use std::{env, path::PathBuf};

use crate::scratch_directory;

/// The variable that names the directory of tables in which `cargo xtask test` has all tests build what they need.
pub const TABLES: &str = "ERRARE_TEST_TABLES";

/// A directory of tables to which tests may add, but in which they change nothing: that of this run of `cargo xtask test`, so
/// that every table is built once, or else one that the tests of this process share.
///
/// # Panics
///
/// If no directory can be made.
pub fn shared_tables() -> PathBuf {
    match env::var_os(TABLES) {
        Some(directory) => directory.into(),
        None => scratch_directory(),
    }
}
