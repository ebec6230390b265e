//! Python with the package `chess`, an independent reader of the program's output.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// The Python installed by `cargo xtask test`, unless another is named; without one the test is skipped.
pub(crate) fn with_chess() -> Option<PathBuf> {
    let named = std::env::var_os("ERRARE_PYTHON").map(PathBuf::from);
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let python = named.unwrap_or(target);
    let import = Command::new(&python)
        .args(["-c", "import chess.engine"])
        .output();
    if import.is_ok_and(|it| it.status.success()) {
        return Some(python);
    }
    errare_testing::skip("no python with the package chess; cargo xtask test installs one");
    None
}
