//! Where games are read from: a file, plain, `.gz` or `.zst`, or standard input.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
};

use errare_core::{Fault, FaultKind};
use flate2::bufread::MultiGzDecoder;

use crate::text::Utf8;

/// A source that cannot be read.
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

/// What a gzip file begins with.
const GZIP: [u8; 2] = [0x1f, 0x8b];
/// What a Zstandard file begins with.
const ZSTANDARD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Opens a text, `-` for standard input, decompresses it if need be and gives it as UTF-8: what is not UTF-8 is taken for
/// Windows-1252, line by line.
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

/// A file with a zero among its first bytes, as programs and databases have, is not text.
const BEGINNING: u64 = 512;

/// A text that may be compressed, as UTF-8. Its first bytes say how, so it may come through a pipe as well.
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
