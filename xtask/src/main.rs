//! Chores of the workspace, run as `cargo xtask <chore>`.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail};

fn main() -> Result<ExitCode> {
    match std::env::args().nth(1).as_deref() {
        Some("test") => test().map(|()| ExitCode::SUCCESS),
        _ => {
            eprintln!("usage: cargo xtask test    install what the tests need and run them all");
            Ok(ExitCode::from(2))
        }
    }
}

/// Runs every test of the workspace, documentation examples included.
fn test() -> Result<()> {
    cargo(&["test", "--workspace"])
}

fn cargo(arguments: &[&str]) -> Result<()> {
    let status = Command::new(env!("CARGO"))
        .args(arguments)
        .status()
        .context("cannot start cargo")?;
    if !status.success() {
        bail!("cargo {} failed", arguments.join(" "));
    }
    Ok(())
}
