//! Errors of table files. Every message names the file.

use std::{
    fmt, io,
    path::{Path, PathBuf},
};

use errare_core::Material;

use shakmaty::Color;

use super::{prelude::VERSION, table_named};
use crate::Layer;

/// Why a table could not be read.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The operating system reported an error.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// Not a table, whatever its name.
    #[error("{} is not an Errare table", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A table in a newer format.
    #[error(
        "{} is in format {version}, made by a newer errare than this one, which reads format {VERSION}",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its format.
        version: u32,
    },
    /// A table in an older format.
    #[error(
        "{} is in format {version}, made by an older errare than this one, which reads format {VERSION}",
        path.display()
    )]
    Older {
        /// The file.
        path: PathBuf,
        /// Its format.
        version: u32,
    },
    /// The end of the file is missing.
    #[error("{} is truncated", path.display())]
    Truncated {
        /// The file.
        path: PathBuf,
    },
    /// The bytes differ from those that were written.
    #[error("{} is damaged in its {part}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damage is.
        part: Part,
    },
    /// A file that was renamed.
    #[error("{} holds {found}, not what its name says", path.display())]
    Misnamed {
        /// The file.
        path: PathBuf,
        /// The table that it holds.
        found: String,
    },
    /// A position beyond the end of the table.
    #[error("{} has {positions} positions and none at {index}", path.display())]
    NoSuchPosition {
        /// The file.
        path: PathBuf,
        /// The number of positions for each side to move.
        positions: u64,
        /// The first one asked for that is not there.
        index: u64,
    },
}

impl FileError {
    /// The file.
    pub fn path(&self) -> &Path {
        match self {
            FileError::Read { path, .. }
            | FileError::Foreign { path }
            | FileError::Newer { path, .. }
            | FileError::Older { path, .. }
            | FileError::Truncated { path }
            | FileError::Damaged { path, .. }
            | FileError::Misnamed { path, .. }
            | FileError::NoSuchPosition { path, .. } => path,
        }
    }

    /// The table that the file should hold, judging by its name.
    pub fn table(&self) -> Option<(Material, Layer)> {
        table_named(self.path())
    }
}

/// A part of a table's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The fixed bytes at the start.
    Prelude,
    /// The description of the table and the index of its blocks.
    Directory,
    /// One block of positions.
    Block {
        /// The side to move.
        turn: Color,
        /// The number of the block.
        block: u32,
    },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Prelude => f.write_str("prelude"),
            Part::Directory => f.write_str("directory"),
            Part::Block { turn, block } => write!(f, "block {block} of {turn} to move"),
        }
    }
}

/// Why a table could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The operating system reported an error; most often the disk is full.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The outcomes do not fit into a byte.
    #[error(
        "{} has more than 256 outcomes with {turn} to move, the most that the format holds",
        path.display()
    )]
    TooManyOutcomes {
        /// The file.
        path: PathBuf,
        /// The side to move.
        turn: Color,
    },
    /// Too few or too many values for the number of positions.
    #[error(
        "{} needs {expected} values with {turn} to move and was given {given}",
        path.display()
    )]
    Length {
        /// The file.
        path: PathBuf,
        /// The side to move.
        turn: Color,
        /// The number of positions.
        expected: u64,
        /// The number of values.
        given: u64,
    },
}
