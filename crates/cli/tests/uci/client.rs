//! A real client: python's `chess.engine`, which `cargo xtask test` installs.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

use crate::{TABLES, program};

/// Where `cargo xtask test` puts a python with the package, unless another is named.
fn python() -> Option<PathBuf> {
    let named = std::env::var_os("ERRARE_PYTHON").map(PathBuf::from);
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    let python = named.unwrap_or(target);
    let import = Command::new(&python)
        .args(["-c", "import chess.engine"])
        .output();
    import.ok().filter(|it| it.status.success()).map(|_| python)
}

#[test]
fn a_real_client_plays_whole_games() {
    let Some(python) = python() else {
        return errare_testing::skip(
            "no python with the package chess; cargo xtask test installs one",
        );
    };
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/uci/client.py");
    let played = Command::new(python)
        .arg(script)
        .arg(program::errare().get_program())
        .arg(&*TABLES)
        .arg(errare_engine::find(None).expect("cargo xtask test installs Stockfish"))
        .output()
        .expect("python starts");
    let said = String::from_utf8_lossy(&played.stdout);
    let errors = String::from_utf8_lossy(&played.stderr);
    assert!(played.status.success(), "{said}\n{errors}");
    assert!(said.contains("all games are played"), "{said}");
}
