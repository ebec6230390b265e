//! The directory of tables: finds, opens, lists and removes them, and locks endgames for building.
//!
//! Several processes may use one directory at once. A table appears under its name only when it is
//! complete, so readers need no lock. Builders of the same endgame take turns with [`Store::lock`].

mod lock;

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

use errare_core::{Material, Metric};
use rustc_hash::FxHashMap;

pub use self::lock::BuildLock;
use crate::{
    Layer, Layout,
    file::{
        BlockCache, Description, FileError, TableFile, TableWriter, WriteError, file_name,
        remove_stale, table_named,
    },
    probe::OpenTable,
};

/// A directory of tables. Clones share its cache and its open files.
#[derive(Debug, Clone)]
pub struct Store {
    directory: PathBuf,
    cache: Arc<BlockCache>,
    open: Arc<RwLock<FxHashMap<(Material, Layer), Arc<TableFile>>>>,
    /// Tables open for probing, with their layouts. DTZ may stand in for DTZ50.
    pub(crate) probed: Arc<RwLock<FxHashMap<(Material, Layer), Arc<OpenTable>>>>,
}

/// Why the directory of tables is unusable.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The directory could not be listed or created.
    #[error("cannot use the directory of tables {}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The build lock could not be acquired.
    #[error("cannot lock {}; does the file system support locks?", path.display())]
    Lock {
        /// The lock file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// A table could not be removed.
    #[error("cannot remove {}", path.display())]
    Remove {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
}

/// A table in the directory.
#[derive(Debug)]
pub struct ListedTable {
    /// The endgame.
    pub material: Material,
    /// The layer.
    pub layer: Layer,
    /// The file.
    pub path: PathBuf,
    /// The length of the file.
    pub bytes: u64,
    /// The file's description of itself, or the error.
    pub description: Result<Description, FileError>,
}

impl Store {
    /// Opens the tables in a directory, with a cache of this many bytes for decoded blocks. A directory
    /// that does not exist holds no tables; it is created when the first one is built.
    pub fn open(directory: impl Into<PathBuf>, cache_bytes: u64) -> Store {
        Store {
            directory: directory.into(),
            cache: Arc::new(BlockCache::new(cache_bytes)),
            open: Arc::default(),
            probed: Arc::default(),
        }
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The number of bytes of decoded blocks in the cache.
    pub fn cached_bytes(&self) -> u64 {
        self.cache.bytes()
    }

    /// The path of a table, which need not exist.
    pub fn path(&self, material: Material, layer: Layer) -> PathBuf {
        self.directory.join(file_name(material, layer))
    }

    /// A table; `None` if there is no such file. A table is opened once and stays open; a missing one is
    /// looked for again each time.
    pub fn table(
        &self,
        material: Material,
        layer: Layer,
    ) -> Result<Option<Arc<TableFile>>, FileError> {
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(&(material, layer)) {
            return Ok(Some(Arc::clone(table)));
        }
        drop(open);
        let Some(table) = self.find(material, layer)?.map(Arc::new) else {
            return Ok(None);
        };
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(Arc::clone(
            open.entry((material, layer)).or_insert(table),
        )))
    }

    /// Closes the tables of an endgame, because their files have been replaced.
    pub(crate) fn forget(&self, material: Material) {
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        open.retain(|&(other, _), _| other != material);
        let mut probed = self.probed.write().unwrap_or_else(PoisonError::into_inner);
        probed.retain(|&(other, _), _| other != material);
    }

    /// A table; `None` if there is no such file. It does not stay open.
    pub(crate) fn find(
        &self,
        material: Material,
        layer: Layer,
    ) -> Result<Option<TableFile>, FileError> {
        match self.open_table(material, layer) {
            Err(FileError::Read { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Ok(None)
            }
            result => result.map(Some),
        }
    }

    /// Checks the bytes of a file before it enters the directory: is it this table, and whole? Errors name the file that it
    /// would become.
    pub fn check(
        &self,
        material: Material,
        layer: Layer,
        content: Arc<Vec<u8>>,
    ) -> Result<(), FileError> {
        let path = self.path(material, layer);
        let table = TableFile::from_source(path, Box::new(content), Arc::clone(&self.cache))?;
        let table = named(table, material, layer)?;
        if let Ok(layout) = Layout::new(material) {
            table.check_layout(&layout)?;
        }
        table.check_codes()?;
        table.check_blocks()
    }

    /// Opens a table and checks that it is the one its name says.
    fn open_table(&self, material: Material, layer: Layer) -> Result<TableFile, FileError> {
        let table = TableFile::open(self.path(material, layer), Arc::clone(&self.cache))?;
        named(table, material, layer)
    }

    /// Starts writing a table with this many positions for each side to move. The caller should hold the
    /// [lock](Store::lock) of the endgame.
    pub fn writer(
        &self,
        material: Material,
        layer: Layer,
        positions: u64,
    ) -> Result<TableWriter, WriteError> {
        TableWriter::create(self.path(material, layer), material, layer, positions)
    }

    /// Waits for the exclusive right to build an endgame's tables, and removes unfinished files of dead
    /// builders. Another process may have built the tables meanwhile: look for them again.
    pub fn lock(&self, material: Material) -> Result<BuildLock, StoreError> {
        self.prepare()?;
        BuildLock::acquire(&self.directory, material)
    }

    /// Like [`Store::lock`], but returns `None` instead of waiting.
    pub fn try_lock(&self, material: Material) -> Result<Option<BuildLock>, StoreError> {
        self.prepare()?;
        BuildLock::try_acquire(&self.directory, material)
    }

    /// Creates the directory and removes unfinished files of dead builders.
    fn prepare(&self) -> Result<(), StoreError> {
        fs::create_dir_all(&self.directory)
            .and_then(|()| remove_stale(&self.directory))
            .map_err(|source| self.unusable(source))
    }

    /// The tables in the directory: fewest men first, then by name and layer.
    pub fn list(&self) -> Result<Vec<ListedTable>, StoreError> {
        let entries = match fs::read_dir(&self.directory) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            result => result.map_err(|source| self.unusable(source))?,
        };
        let mut tables = Vec::new();
        for entry in entries {
            let path = entry.map_err(|source| self.unusable(source))?.path();
            if let Some((material, layer)) = table_named(&path) {
                tables.push(self.describe(material, layer, path));
            }
        }
        tables.sort_by_cached_key(|table| {
            (
                table.material.men(),
                table.material.to_string(),
                table.layer,
            )
        });
        Ok(tables)
    }

    fn describe(&self, material: Material, layer: Layer, path: PathBuf) -> ListedTable {
        let table = self.open_table(material, layer);
        ListedTable {
            material,
            layer,
            bytes: fs::metadata(&path).map_or(0, |metadata| metadata.len()),
            path,
            description: table.map(|table| table.description().clone()),
        }
    }

    /// Removes the tables of an endgame in some metrics, including damaged ones, and returns their
    /// files. Unfinished files of dead builders are removed as well.
    pub fn remove(
        &self,
        material: Material,
        metrics: &[Metric],
    ) -> Result<Vec<PathBuf>, StoreError> {
        self.forget(material);
        let mut removed = Vec::new();
        for layer in Layer::ALL {
            if !metrics.contains(&layer.metric()) {
                continue;
            }
            let path = self.path(material, layer);
            match fs::remove_file(&path) {
                Ok(()) => removed.push(path),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(source) => return Err(StoreError::Remove { path, source }),
            }
        }
        if self.directory.is_dir() {
            remove_stale(&self.directory).map_err(|source| self.unusable(source))?;
        }
        Ok(removed)
    }

    fn unusable(&self, source: io::Error) -> StoreError {
        StoreError::Directory {
            path: self.directory.clone(),
            source,
        }
    }
}

/// A table, if it is the one its name says.
fn named(table: TableFile, material: Material, layer: Layer) -> Result<TableFile, FileError> {
    let found = table.description();
    if (found.material, found.layer) != (material, layer) {
        return Err(FileError::Misnamed {
            path: table.path().to_owned(),
            found: format!("{} {}", found.material, found.layer),
        });
    }
    Ok(table)
}
