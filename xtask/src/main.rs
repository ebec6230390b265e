//! Chores of the workspace, run as `cargo xtask <chore>`.

mod programs;
mod serve;
mod skipped;
mod suite;
mod tables;

use std::{
    path::{Path, PathBuf},
    process::{Command, ExitCode},
};

use anyhow::{Context, Result, bail};

use self::{skipped::Skipped, tables::Tables};

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
    let tables = Tables::new(&target)?;
    let prepare = |command: &mut Command| {
        command
            .env("ERRARE_PYTHON", &python)
            .env(skipped::VARIABLE, skipped.path())
            .env(tables::VARIABLE, tables.path())
            // Code that is compiled only once is compiled in larger units: that takes less time, and the tests
            // run faster.
            .env("CARGO_INCREMENTAL", "0");
    };
    let failed = match arguments {
        [] => suite::run(&target, prepare)?,
        _ => some(arguments, prepare)?,
    };
    skipped.tell()?;
    if !failed.is_empty() {
        bail!("these failed: {}", failed.join(", "));
    }
    Ok(())
}

/// The tests that arguments of cargo name.
fn some(arguments: &[String], prepare: impl Fn(&mut Command)) -> Result<Vec<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--no-fail-fast"]).args(suite::WHOLE);
    prepare(cargo.args(arguments));
    let status = cargo.status().context("cannot start cargo")?;
    let failed = (!status.success()).then(|| "some tests".to_owned());
    Ok(failed.into_iter().collect())
}

/// The workspace's target directory.
fn target() -> PathBuf {
    let usual = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../target");
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(usual, PathBuf::from)
}
