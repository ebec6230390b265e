//! `cargo xtask serve`: runs the workbench, after installing what it needs if possible.

use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::programs;

/// Optional programs of the workbench, and what they are for.
const WANTED: [(&str, &str, &str); 3] = [
    ("node", "nodejs", "the pages (the API works without)"),
    ("npm", "npm", "the pages (the API works without)"),
    (
        "stockfish",
        "stockfish",
        "opponents that play like people, and intrinsic ratings",
    ),
];

/// Installs missing programs if permitted, builds, and serves.
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
