//! Unfinished files. Each is locked by the process that writes it, which distinguishes files being
//! written from those left behind by a dead process.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

/// The suffix of unfinished files.
const SUFFIX: &str = "partial";

/// Numbers the unfinished files of this process.
static COUNTER: AtomicU32 = AtomicU32::new(0);

/// An unfinished file, next to its final place. It is removed when dropped.
#[derive(Debug)]
pub(super) struct Partial {
    file: File,
    path: PathBuf,
}

impl Partial {
    /// A new file beside `target`.
    pub(super) fn create(target: &Path) -> io::Result<Partial> {
        loop {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let mut name = target.as_os_str().to_owned();
            name.push(format!(".{}-{number}.{SUFFIX}", std::process::id()));
            let path = PathBuf::from(name);
            let file = match File::options().write(true).create_new(true).open(&path) {
                // Another machine or container may have a process with the same id.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                result => result?,
            };
            // Until it was locked, the file looked stale and may have been removed.
            match file.try_lock() {
                Ok(()) if path.try_exists()? => return Ok(Partial { file, path }),
                Ok(()) | Err(TryLockError::WouldBlock) => {}
                Err(TryLockError::Error(error)) => return Err(error),
            }
        }
    }

    /// Syncs the file to disk, then renames it into place.
    pub(super) fn persist(self, target: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        fs::rename(&self.path, target)?;
        sync_directory(target)
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        // After a rename nothing is left under this name. A file that cannot be removed now is
        // stale as soon as the lock is gone.
        let _ = fs::remove_file(&self.path);
    }
}

impl io::Write for Partial {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl io::Seek for Partial {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

/// Makes a rename durable. Windows has no equivalent.
fn sync_directory(path: &Path) -> io::Result<()> {
    match path.parent() {
        Some(directory) if cfg!(unix) => {
            let current = directory.as_os_str().is_empty();
            let directory = if current { Path::new(".") } else { directory };
            File::open(directory)?.sync_all()
        }
        _ => Ok(()),
    }
}

/// Removes unfinished files that no running process is writing.
pub(crate) fn remove_stale(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.extension().is_none_or(|extension| extension != SUFFIX) {
            continue;
        }
        // A missing file was finished or removed by its writer.
        match File::options().write(true).open(&path) {
            Ok(file) if file.try_lock().is_ok() => ignore_missing(fs::remove_file(&path))?,
            Ok(_) => {}
            Err(error) => ignore_missing(Err(error))?,
        }
    }
    Ok(())
}

fn ignore_missing(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        result => result,
    }
}
