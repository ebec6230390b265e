//! The build lock of an endgame: an advisory operating-system lock on a dedicated file, which a
//! killed process cannot keep.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::{Path, PathBuf},
};

use errare_core::Material;

use super::StoreError;

/// Lock files are kept apart from the tables. They are empty and stay: removing one while others
/// wait for it would give two processes the same lock.
const DIRECTORY: &str = "locks";

/// The exclusive right to build an endgame's tables, until dropped.
#[derive(Debug)]
pub struct BuildLock {
    _file: File,
}

impl BuildLock {
    /// Waits for the lock.
    pub(super) fn acquire(directory: &Path, material: Material) -> Result<BuildLock, StoreError> {
        let (path, file) = open(directory, material)?;
        file.lock()
            .map_err(|source| StoreError::Lock { path, source })?;
        Ok(BuildLock { _file: file })
    }

    /// Acquires the lock, unless another process or thread has it.
    pub(super) fn try_acquire(
        directory: &Path,
        material: Material,
    ) -> Result<Option<BuildLock>, StoreError> {
        let (path, file) = open(directory, material)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(BuildLock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(source)) => Err(StoreError::Lock { path, source }),
        }
    }
}

fn open(directory: &Path, material: Material) -> Result<(PathBuf, File), StoreError> {
    let locks = directory.join(DIRECTORY);
    let path = locks.join(material.to_string());
    let create = || -> io::Result<File> {
        fs::create_dir_all(&locks)?;
        File::options()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
    };
    match create() {
        Ok(file) => Ok((path, file)),
        Err(source) => Err(StoreError::Directory {
            path: directory.to_owned(),
            source,
        }),
    }
}
