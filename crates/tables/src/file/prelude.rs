//! The fixed bytes at the start of a table file: identification, length, and the position of the
//! directory. Magic, version and checksum stay in place in every version of the format.

use std::path::Path;

use super::error::{FileError, Part};

/// The first bytes of every table. The first is not ASCII and the last is a line feed, so that a
/// text-mode transfer is detected.
const MAGIC: [u8; 8] = *b"\x89ERRARE\n";

/// The format written and read here. The order of the positions is part of it.
pub(crate) const VERSION: u32 = 1;

/// The contents of the prelude.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prelude {
    /// The offset of the directory, which is the last part of the file.
    pub(super) directory_offset: u64,
    /// The length of the directory.
    pub(super) directory_len: u64,
    /// The checksum of the directory.
    pub(super) directory_crc: u32,
}

impl Prelude {
    /// The length of the prelude.
    pub(super) const LEN: usize = 40;

    /// The bytes covered by the checksum, which is the last field.
    const CHECKED: usize = Prelude::LEN - 4;

    /// The length of the whole file.
    pub(super) fn file_len(&self) -> u64 {
        self.directory_offset.saturating_add(self.directory_len)
    }

    /// The prelude as bytes.
    pub(super) fn encode(&self) -> [u8; Prelude::LEN] {
        let mut bytes = [0; Prelude::LEN];
        bytes[0..8].copy_from_slice(&MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..20].copy_from_slice(&self.directory_offset.to_le_bytes());
        bytes[20..28].copy_from_slice(&self.directory_len.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.directory_crc.to_le_bytes());
        // Bytes 32 to 35 are reserved and zero.
        let crc = crc32fast::hash(&bytes[..Prelude::CHECKED]);
        bytes[Prelude::CHECKED..].copy_from_slice(&crc.to_le_bytes());
        bytes
    }

    /// Decodes the prelude at the start of a file.
    pub(super) fn decode(start: &[u8], path: &Path) -> Result<Prelude, FileError> {
        let path = || path.to_owned();
        let known = start.len().min(MAGIC.len());
        if start[..known] != MAGIC[..known] {
            return Err(FileError::Foreign { path: path() });
        }
        let Some((bytes, _)) = start.split_first_chunk::<{ Prelude::LEN }>() else {
            return Err(FileError::Truncated { path: path() });
        };
        let word = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|i| bytes[at + i]));
        let long = |at: usize| u64::from(word(at)) | u64::from(word(at + 4)) << 32;
        if crc32fast::hash(&bytes[..Prelude::CHECKED]) != word(Prelude::CHECKED) {
            let part = Part::Prelude;
            return Err(FileError::Damaged { path: path(), part });
        }
        match word(8) {
            VERSION => Ok(Prelude {
                directory_offset: long(12),
                directory_len: long(20),
                directory_crc: word(28),
            }),
            version if version > VERSION => Err(FileError::Newer {
                path: path(),
                version,
            }),
            version => Err(FileError::Older {
                path: path(),
                version,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRELUDE: Prelude = Prelude {
        directory_offset: 0x0102_0304_0506,
        directory_len: 77,
        directory_crc: 0xdead_beef,
    };

    #[test]
    fn preludes_are_read_as_they_were_written() {
        let read = Prelude::decode(&PRELUDE.encode(), Path::new("KQK.dtc.errare")).unwrap();
        assert_eq!(read, PRELUDE);
        assert_eq!(read.file_len(), 0x0102_0304_0506 + 77);
    }

    /// The messages that users see.
    #[test]
    fn what_is_no_prelude_of_ours_is_told_apart() {
        let message = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = PRELUDE.encode().to_vec();
            change(&mut bytes);
            Prelude::decode(&bytes, Path::new("tables/KQKR.dtc.errare"))
                .unwrap_err()
                .to_string()
        };
        let with_version = |version: u32| {
            message(&|bytes| {
                bytes[8..12].copy_from_slice(&version.to_le_bytes());
                let crc = crc32fast::hash(&bytes[..Prelude::CHECKED]);
                bytes[Prelude::CHECKED..].copy_from_slice(&crc.to_le_bytes());
            })
        };
        assert_eq!(
            message(&|bytes| bytes[1] = b'M'),
            "tables/KQKR.dtc.errare is not an Errare table"
        );
        assert_eq!(
            with_version(2),
            "tables/KQKR.dtc.errare is in format 2, made by a newer errare than this one, \
             which reads format 1"
        );
        assert_eq!(
            with_version(0),
            "tables/KQKR.dtc.errare is in format 0, made by an older errare than this one, which \
             reads format 1"
        );
        assert_eq!(
            message(&|bytes| bytes.truncate(5)),
            "tables/KQKR.dtc.errare is truncated"
        );
        assert_eq!(
            message(&|bytes| bytes[20] ^= 1),
            "tables/KQKR.dtc.errare is damaged in its prelude"
        );
    }
}
