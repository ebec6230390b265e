//! No bytes make the reader of table files panic, hang or take much memory.
//!
//! Checksums would reject almost every input. So the input is read once as a file, and once as the
//! directory of a file with correct checksums and a block that is a valid frame.

#![no_main]

use std::sync::Arc;

use errare_tables::{BlockCache, TableFile};
use libfuzzer_sys::fuzz_target;
use shakmaty::Color;

const PRELUDE_LEN: usize = 40;

/// A zstd frame of four zeros.
const FRAME: [u8; 13] = [
    0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x04, 0x21, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
];

fuzz_target!(|input: &[u8]| {
    read(input.to_vec());
    read(sealed(input));
});

/// A file with this directory.
fn sealed(directory: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x89ERRARE\n\x01\0\0\0".to_vec();
    bytes.extend(((PRELUDE_LEN + FRAME.len()) as u64).to_le_bytes());
    bytes.extend((directory.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(directory).to_le_bytes());
    bytes.extend([0; 4]);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes.extend(FRAME);
    bytes.extend(directory);
    bytes
}

/// Reads a position of every block, and one that does not exist.
fn read(bytes: Vec<u8>) {
    let cache = Arc::new(BlockCache::new(1 << 20));
    let Ok(table) = TableFile::from_source("KQKR.dtc.errare", Box::new(bytes), cache) else {
        return;
    };
    let positions = table.description().positions;
    let block_len = table.description().block_len as usize;
    for turn in Color::ALL {
        for index in (0..positions).step_by(block_len) {
            let _ = table.outcome(turn, index);
        }
        assert!(table.outcome(turn, positions).is_err());
    }
}
