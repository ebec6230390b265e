//! A directory that all tests of a process share.
//!
//! What is static is never dropped, so that a shell waits for the end of the process, however it comes,
//! and removes the directory.

use std::{
    env, mem,
    path::PathBuf,
    process::{Command, Stdio},
};

const SWEEP: &str = r#"trap "" INT TERM HUP; read _; rm -rf "$0""#;

/// A new directory, gone when the process is. Without a shell it stays.
pub(crate) fn directory() -> PathBuf {
    let parent = option_env!("CARGO_TARGET_TMPDIR").map_or_else(env::temp_dir, PathBuf::from);
    let directory = tempfile::tempdir_in(parent).unwrap().keep();
    let sweeper = Command::new("sh")
        .args(["-c", SWEEP])
        .arg(&directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    // The pipe to it is closed when the process ends.
    mem::forget(sweeper);
    directory
}
