//! A real client: python's `chess.engine`.

use std::{path::Path, process::Command};

use crate::{TABLES, program, python};

#[test]
fn a_real_client_plays_whole_games() {
    let Some(python) = python::with_chess() else {
        return;
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
