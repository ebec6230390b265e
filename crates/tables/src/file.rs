//! Table files: one layer of one endgame, for both sides to move.
//!
//! A file is a fixed [prelude](prelude), compressed blocks of codes, and a [directory](directory)
//! that describes the table and finds its blocks. A code is a byte: the place of the position's
//! outcome in the palette of its side to move. `docs/table-format.md` specifies every byte.
//!
//! The writer streams: blocks are written as values arrive, then the directory, and finally the
//! prelude. Nothing is visible under the table's name before the whole file is on disk.

mod cache;
mod directory;
mod encoder;
mod error;
mod partial;
mod prelude;
mod reader;
mod source;
mod stream;
mod writer;

use std::path::Path;

use errare_core::Material;

use crate::Layer;

pub(crate) use self::partial::remove_stale;
pub use self::{
    cache::BlockCache,
    directory::{Description, Side},
    error::{FileError, Part, WriteError},
    reader::TableFile,
    source::ByteSource,
    writer::TableWriter,
};

/// The extension of table files.
const EXTENSION: &str = "errare";

/// The name of a table's file: `KQKR.dtc.errare`.
pub(crate) fn file_name(material: Material, layer: Layer) -> String {
    format!("{material}.{layer}.{EXTENSION}")
}

/// The table that a file of this name holds; `None` if it is not the name of a table file.
pub(crate) fn table_named(path: &Path) -> Option<(Material, Layer)> {
    let name = path.file_name()?.to_str()?;
    let mut parts = name.split('.');
    let (endgame, layer) = (parts.next()?.parse().ok()?, Layer::named(parts.next()?)?);
    (name == file_name(endgame, layer)).then_some((endgame, layer))
}
