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

/// Runs every test of the workspace, documentation examples included, also after one has failed.
fn test() -> Result<()> {
    programs()?;
    cargo(&["test", "--workspace", "--no-fail-fast"])
}

/// Sees to it that there are the programs that some tests drive.
fn programs() -> Result<()> {
    if let Err(missing) = errare_engine::find(None) {
        install("stockfish").with_context(|| missing.to_string())?;
    }
    let browser = Command::new("chromium").arg("--version").output();
    if browser.is_err() {
        install("chromium")?;
    }
    Ok(())
}

/// Installs a package of Debian and its like.
fn install(package: &str) -> Result<()> {
    eprintln!("installing {package}, which some tests need");
    let apt = |arguments: &[&str]| {
        let status = Command::new("apt-get").args(arguments).status();
        status.is_ok_and(|status| status.success())
    };
    let install = ["install", "--yes", "--no-install-recommends", package];
    // On a fresh machine the lists of packages may be missing.
    let installed = apt(&install) || (apt(&["update"]) && apt(&install));
    if !installed {
        bail!("{package} could not be installed by apt-get; install it and try again");
    }
    Ok(())
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
