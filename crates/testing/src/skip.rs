//! Reports and counts tests that cannot run here.

use std::{env, fs::File, io::Write, thread};

/// The environment variable with the file in which `cargo xtask test` collects skipped tests.
pub const SKIPPED: &str = "ERRARE_SKIPPED_TESTS";

/// Reports that the calling test is skipped, and why.
pub fn skip(reason: &str) {
    let thread = thread::current();
    let test = thread.name().unwrap_or("a test");
    eprintln!("{test} is skipped: {reason}");
    if let Some(path) = env::var_os(SKIPPED) {
        let file = File::options().append(true).create(true).open(path);
        let told = file.and_then(|mut file| writeln!(file, "{test}: {reason}"));
        told.expect("the list of skipped tests can be written");
    }
}
