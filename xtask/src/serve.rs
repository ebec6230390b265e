//! `cargo xtask serve`: the workbench, with whatever it needs installed if that is possible.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::programs;

/// What the workbench is better with, and what is missing without it.
const WANTED: [(&str, &str, &str); 3] = [
    ("node", "nodejs", "the pages (the API works without)"),
    ("npm", "npm", "the pages (the API works without)"),
    (
        "stockfish",
        "stockfish",
        "opponents that play like people, and intrinsic ratings",
    ),
];

/// Installs what is missing if it may, builds, and serves.
pub(crate) fn serve(arguments: &[String]) -> Result<()> {
    for (name, package, purpose) in WANTED {
        if programs::find(name).is_none() && programs::install(package, purpose).is_err() {
            eprintln!("{name} is missing: install {package} yourself for {purpose}");
        }
    }
    eprintln!("building; the first time takes a few minutes");
    let status = Command::new(env!("CARGO"))
        .args([
            "run",
            "--release",
            "--package",
            "errare",
            "--no-default-features",
            "--features",
            "web",
            "--",
        ])
        .args(["serve", "--open"])
        .args(arguments)
        .status()
        .context("cannot start cargo")?;
    match status.success() {
        true => Ok(()),
        false => bail!("errare serve failed"),
    }
}
