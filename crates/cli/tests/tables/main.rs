//! `errare tables`, the binary as users run it.

mod build;
mod damage;
mod disturbance;
#[path = "../program/mod.rs"]
mod program;
mod question;

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    sync::LazyLock,
};

/// Tables of KQK and KPK with their subgames, which all tests read and none changes.
static TABLES: LazyLock<PathBuf> = LazyLock::new(|| {
    let directory = errare_testing::scratch_directory();
    let built = errare(&directory, &["build", "KQK", "KPK"]);
    assert_eq!(code(&built), 0, "{}", stderr(&built));
    directory
});

fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = program::errare();
    command
        .arg("tables")
        .args(arguments)
        .env("ERRARE_TABLES", directory)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs `errare tables`.
fn errare(directory: &Path, arguments: &[&str]) -> Output {
    command(directory, arguments).output().unwrap()
}

/// Runs it over the existing tables.
fn on_tables(arguments: &[&str]) -> Output {
    errare(&TABLES, arguments)
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// The tables and unfinished files in a directory.
fn files(directory: &Path) -> (Vec<String>, Vec<String>) {
    let Ok(entries) = fs::read_dir(directory) else {
        return (Vec::new(), Vec::new());
    };
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.path().is_file())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
        .into_iter()
        .partition(|name| name.ends_with(".errare"))
}
