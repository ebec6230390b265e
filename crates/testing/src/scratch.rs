//! A directory shared by all tests of a process.

use std::{
    env, fs, mem,
    path::PathBuf,
    process::{Command, Stdio},
};

/// Statics are never dropped, so a shell waits for the end of the process, whatever its cause, and removes the
/// directory.
const SWEEP: &str = r#"trap "" INT TERM HUP; read _; rm -rf "$0""#;

/// A new directory that is removed when the process ends. Without a shell it stays.
///
/// # Panics
///
/// Panics if the directory cannot be created.
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
