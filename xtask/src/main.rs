//! Chores of the workspace, run as `cargo xtask <chore>`.

mod programs;
mod serve;
mod skipped;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context, Result, bail};

use self::skipped::Skipped;

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.split_first() {
        Some((chore, rest)) if chore == "test" => test(rest).map(|()| ExitCode::SUCCESS),
        Some((chore, rest)) if chore == "serve" => serve::serve(rest).map(|()| ExitCode::SUCCESS),
        _ => {
            eprintln!(
                "usage: cargo xtask test [ARGUMENTS OF cargo test]\n       \
                 cargo xtask serve [ARGUMENTS OF errare serve]\n\n\
                 test installs what the tests need and runs them all, or those that the arguments name;\n\
                 serve installs what the workbench needs, builds it and opens it in the browser"
            );
            Ok(ExitCode::from(2))
        }
    }
}

/// Runs every test of the workspace, including documentation examples, continues after failures, and reports which
/// were skipped.
fn test(arguments: &[String]) -> Result<()> {
    let target = target();
    let python = programs::provide(&target)?;
    let skipped = Skipped::new(&target)?;
    let status = Command::new(env!("CARGO"))
        .args(["test", "--workspace", "--no-fail-fast"])
        .args(["--features", "errare/parquet"])
        .args(arguments)
        .env("ERRARE_PYTHON", python)
        .env(skipped::VARIABLE, skipped.path())
        .status()
        .context("cannot start cargo")?;
    skipped.tell()?;
    if !status.success() {
        bail!("some tests failed");
    }
    Ok(())
}

/// The workspace's target directory.
fn target() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(usual, PathBuf::from)
}
