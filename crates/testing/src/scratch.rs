//! A directory that all tests of a process share.

use std::{
    env, fs, mem,
    path::PathBuf,
    process::{Command, Stdio},
};

/// What is static is never dropped, so that a shell waits for the end of the process, however it comes, and removes the
/// directory.
const SWEEP: &str = r#"trap "" INT TERM HUP; read _; rm -rf "$0""#;

/// A new directory, gone when the process is. Without a shell it stays.
///
/// # Panics
///
/// If no directory can be made.
pub fn scratch_directory() -> PathBuf {
    let parent = target().map_or_else(env::temp_dir, |target| target.join("tmp"));
    fs::create_dir_all(&parent).expect("a place for scratch directories");
    let directory = tempfile::tempdir_in(parent)
        .expect("a scratch directory")
        .keep();
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

/// The target directory that the test was built in.
fn target() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let deps = program.ancestors().find(|path| path.ends_with("deps"))?;
    Some(deps.parent()?.parent()?.to_owned())
}
