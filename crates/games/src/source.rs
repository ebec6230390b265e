//! Sources of games: a file, plain, `.gz` or `.zst`, or standard input.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use errare_core::{Fault, FaultKind};
use flate2::bufread::MultiGzDecoder;

use crate::text::Utf8;

/// A source could not be read.
#[derive(Debug, thiserror::Error)]
#[error("cannot read {}", path.display())]
pub struct SourceError {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl Fault for SourceError {
    fn kind(&self) -> FaultKind {
        match self.source.kind() {
            io::ErrorKind::NotFound => FaultKind::Missing,
            _ => FaultKind::Internal,
        }
    }
}

/// Magic number of gzip files.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Magic number of Zstandard files.
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a text (`-` is standard input), decompresses it if necessary and returns it as UTF-8. Lines that are not valid
/// UTF-8 are read as Windows-1252.
pub fn open(path: &Path) -> Result<Box<dyn Read>, SourceError> {
    let error = |source| SourceError {
        path: path.to_owned(),
        source,
    };
    if path == Path::new("-") {
        return decompressed(io::stdin()).map_err(error);
    }
    File::open(path).and_then(decompressed).map_err(error)
}

/// A file with a zero byte this close to its start, such as a program or database, is not text.
const BEGINNING: u64 = 512;

/// Decompresses a text if necessary and returns it as UTF-8. The format is detected from the first bytes, so a pipe works
/// too.
pub fn decompressed(mut input: impl Read + 'static) -> io::Result<Box<dyn Read>> {
    let mut beginning = Vec::new();
    input.by_ref().take(BEGINNING).read_to_end(&mut beginning)?;
    let (gzip, zstandard) = (
        beginning.starts_with(&GZIP),
        beginning.starts_with(&ZSTANDARD),
    );
    if !gzip && !zstandard && beginning.contains(&0) {
        let what = "it is not a text file";
        return Err(io::Error::new(io::ErrorKind::InvalidData, what));
    }
    let whole = BufReader::new(io::Cursor::new(beginning).chain(input));
    Ok(if gzip {
        Box::new(Utf8::new(BufReader::new(MultiGzDecoder::new(whole))))
    } else if zstandard {
        Box::new(Utf8::new(BufReader::new(zstd::Decoder::with_buffer(
            whole,
        )?)))
    } else {
        Box::new(Utf8::new(whole))
    })
}
