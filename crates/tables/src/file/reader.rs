//! Reads a table; everything is checked before it is used.

use std::{
    cell::RefCell,
    fmt,
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use errare_core::Outcome;
use rayon::prelude::*;
use shakmaty::Color;
use zstd::bulk::Decompressor;

use super::{
    cache::{BlockCache, Codes, Key},
    directory::{Description, Directory},
    error::{FileError, Part},
    prelude::Prelude,
    source::ByteSource,
};
use crate::{Layout, layout::side};

/// The longest directory accepted, a thousand times that of the largest five-man table.
const MAX_DIRECTORY_LEN: u64 = 1 << 28;

thread_local! {
    /// Reused, because creating one takes about as long as decoding a block.
    static DECOMPRESSOR: RefCell<Decompressor<'static>> = RefCell::default();
}

/// A table's file, open for reading by any number of threads.
pub struct TableFile {
    path: PathBuf,
    source: Box<dyn ByteSource>,
    directory: Directory,
    cache: Arc<BlockCache>,
    /// The table's number in the cache.
    number: u64,
}

impl TableFile {
    /// Opens a table whose decoded blocks will be kept in the cache.
    pub fn open(path: impl Into<PathBuf>, cache: Arc<BlockCache>) -> Result<TableFile, FileError> {
        let path = path.into();
        match File::open(&path) {
            Ok(file) => TableFile::from_source(path, Box::new(file), cache),
            Err(source) => Err(FileError::Read { path, source }),
        }
    }

    /// Opens a table whose bytes are not in a file; the path is for error messages.
    pub fn from_source(
        path: impl Into<PathBuf>,
        source: Box<dyn ByteSource>,
        cache: Arc<BlockCache>,
    ) -> Result<TableFile, FileError> {
        let path = path.into();
        let directory = read_directory(source.as_ref(), &path)?;
        let number = cache.number_table();
        Ok(TableFile {
            path,
            source,
            directory,
            cache,
            number,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The file's description of itself.
    pub fn description(&self) -> &Description {
        &self.directory.description
    }

    /// The distinct outcomes with one side to move. The code of a position is an index into them.
    pub fn palette(&self, turn: Color) -> &[Outcome] {
        &self.description().side(turn).palette
    }

    /// Checks that the table has as many positions as the layout of its endgame.
    pub(crate) fn check_layout(&self, layout: &Layout) -> Result<(), FileError> {
        if self.description().positions == layout.len() {
            return Ok(());
        }
        Err(self.damaged_directory())
    }

    /// Checks that the table was written by a builder, which uses fewer outcomes than the format allows:
    /// depths fit into a byte, and one code is reserved.
    pub(crate) fn check_codes(&self) -> Result<(), FileError> {
        let fits = |outcome: &Outcome| outcome.plies().is_none_or(|plies| plies.0 < 256);
        let sides = Color::ALL.map(|turn| self.palette(turn));
        if sides
            .iter()
            .all(|palette| palette.len() < 256 && palette.iter().all(fits))
        {
            return Ok(());
        }
        Err(self.damaged_directory())
    }

    /// Reads the whole file and verifies the checksums of its blocks.
    pub(crate) fn check_blocks(&self) -> Result<(), FileError> {
        Color::ALL.into_iter().try_for_each(|turn| {
            let blocks = self.directory.blocks[side(turn)].len() as u32;
            (0..blocks).into_par_iter().try_for_each(|number| {
                self.compressed(turn, number)?;
                Ok(())
            })
        })
    }

    /// The error for an implausible directory.
    pub(crate) fn damaged_directory(&self) -> FileError {
        FileError::Damaged {
            path: self.path.clone(),
            part: Part::Directory,
        }
    }

    /// The outcome of the legal position at an index, through the cache. For an illegal position the
    /// result is meaningless.
    #[inline]
    pub fn outcome(&self, turn: Color, index: u64) -> Result<Outcome, FileError> {
        self.check_position(index)?;
        // Shifts, not divisions: the length of a block is a power of two.
        let block_len = self.description().block_len;
        let key = Key {
            table: self.number,
            turn,
            block: (index >> block_len.trailing_zeros()) as u32,
        };
        let codes = self.cache.get(key, || self.block(turn, key.block))?;
        let code = codes[index as usize & (block_len as usize - 1)];
        Ok(self.palette(turn)[usize::from(code)])
    }

    /// The codes of `len` positions from `start` on, decoded in parallel and without the cache.
    pub fn codes(&self, turn: Color, start: u64, len: usize) -> Result<Vec<u8>, FileError> {
        if let Some(last) = (len as u64).checked_sub(1) {
            self.check_position(start.saturating_add(last))?;
        }
        let mut codes = vec![0; len];
        let block_len = self.description().block_len as usize;
        let mut block = (start / block_len as u64) as u32;
        let mut skipped = (start % block_len as u64) as usize;
        let mut pieces = Vec::new();
        let mut left = codes.as_mut_slice();
        while !left.is_empty() {
            let (piece, rest) = left.split_at_mut(left.len().min(block_len - skipped));
            pieces.push((block, skipped, piece));
            (block, skipped, left) = (block + 1, 0, rest);
        }
        pieces
            .into_par_iter()
            .try_for_each(|(block, skipped, piece)| {
                let decoded = self.block(turn, block)?;
                piece.copy_from_slice(&decoded[skipped..][..piece.len()]);
                Ok(())
            })?;
        Ok(codes)
    }

    fn check_position(&self, index: u64) -> Result<(), FileError> {
        let positions = self.description().positions;
        if index < positions {
            return Ok(());
        }
        Err(FileError::NoSuchPosition {
            path: self.path.clone(),
            positions,
            index,
        })
    }

    /// Reads a block and verifies its checksum.
    fn compressed(&self, turn: Color, number: u32) -> Result<Vec<u8>, FileError> {
        let block = self.directory.blocks[side(turn)][number as usize];
        let compressed = read(self.source.as_ref(), block.offset, block.len as usize)
            .map_err(|source| unreadable(&self.path, source))?;
        match crc32fast::hash(&compressed) == block.crc {
            true => Ok(compressed),
            false => Err(self.damaged_block(turn, number)),
        }
    }

    fn damaged_block(&self, turn: Color, block: u32) -> FileError {
        FileError::Damaged {
            path: self.path.clone(),
            part: Part::Block { turn, block },
        }
    }

    /// Reads, checks and decodes a block.
    fn block(&self, turn: Color, number: u32) -> Result<Codes, FileError> {
        let damaged = || self.damaged_block(turn, number);
        let compressed = self.compressed(turn, number)?;
        let table = self.description();
        let block_len = u64::from(table.block_len);
        let len = (table.positions - u64::from(number) * block_len).min(block_len) as usize;
        let codes = DECOMPRESSOR
            .with_borrow_mut(|decompressor| decompressor.decompress(&compressed, len))
            .map_err(|_| damaged())?;
        let outcomes = self.palette(turn).len();
        let sound = codes.len() == len && codes.iter().all(|&code| usize::from(code) < outcomes);
        if sound {
            Ok(Arc::new(codes.into_boxed_slice()))
        } else {
            Err(damaged())
        }
    }
}

impl fmt::Debug for TableFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableFile")
            .field("path", &self.path)
            .field("description", self.description())
            .finish_non_exhaustive()
    }
}

/// Reads and checks the prelude and the directory.
fn read_directory(source: &dyn ByteSource, path: &Path) -> Result<Directory, FileError> {
    let unreadable = |source| unreadable(path, source);
    let damaged = || FileError::Damaged {
        path: path.to_owned(),
        part: Part::Directory,
    };
    let size = source.size().map_err(unreadable)?;
    let start = read(source, 0, size.min(Prelude::LEN as u64) as usize).map_err(unreadable)?;
    let prelude = Prelude::decode(&start, path)?;
    if size < prelude.file_len() {
        return Err(FileError::Truncated {
            path: path.to_owned(),
        });
    }
    if size > prelude.file_len() || prelude.directory_len > MAX_DIRECTORY_LEN {
        return Err(damaged());
    }
    let len = prelude.directory_len as usize;
    let bytes = read(source, prelude.directory_offset, len).map_err(unreadable)?;
    if crc32fast::hash(&bytes) != prelude.directory_crc {
        return Err(damaged());
    }
    Directory::decode(&bytes, prelude.directory_offset).ok_or_else(damaged)
}

fn read(source: &dyn ByteSource, offset: u64, len: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; len];
    source.read_at(&mut bytes, offset)?;
    Ok(bytes)
}

fn unreadable(path: &Path, source: io::Error) -> FileError {
    let path = path.to_owned();
    match source.kind() {
        io::ErrorKind::UnexpectedEof => FileError::Truncated { path },
        _ => FileError::Read { path, source },
    }
}
