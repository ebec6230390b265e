//! Other people's programs: a client of lila-tablebase, and schemathesis, both in Python, which `cargo xtask test`
//! provides.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use crate::server::Server;

/// The Python of `cargo xtask test`, if it has a module.
fn python(module: &str) -> Option<PathBuf> {
    let named = env::var_os("ERRARE_PYTHON").map(PathBuf::from);
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python3");
    let python = named.unwrap_or(usual);
    let import = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .output();
    import.ok().filter(|it| it.status.success()).map(|_| python)
}

/// Runs a script of this directory against a server.
fn run(module: &str, script: &str) {
    let Some(python) = python(module) else {
        let reason = format!("no Python with the package {module}; cargo xtask test installs one");
        return errare_testing::skip(&reason);
    };
    let server = Server::start();
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/suite");
    let output = Command::new(python)
        .arg(directory.join(script))
        .arg(format!("http://{}", server.address))
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("Python starts");
    assert!(
        output.status.success(),
        "{}\n{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

#[test]
fn a_client_of_lila_tablebase_reads_our_answers() {
    run("chess", "lila_client.py");
}

#[test]
fn schemathesis_finds_no_fault() {
    run("schemathesis", "schemathesis_run.py");
}
