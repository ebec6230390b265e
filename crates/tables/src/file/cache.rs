//! A bounded cache of decoded blocks, shared by all tables and threads.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use quick_cache::{
    Weighter,
    sync::{Cache, DefaultLifecycle},
};
use rustc_hash::FxBuildHasher;
use shakmaty::Color;

use super::stream::BLOCK_LEN;

/// The codes of a block. They are allocated separately from the reference count, which is touched
/// at every lookup: the counts of all blocks stay in the processor's cache, where the codes would
/// not fit.
pub(super) type Codes = Arc<Box<[u8]>>;

/// Identifies a block: table, side to move, number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) table: u64,
    pub(super) turn: Color,
    pub(super) block: u32,
}

/// Weighs a block by its size in memory.
#[derive(Debug, Clone)]
struct Bytes;

impl Weighter<Key, Codes> for Bytes {
    fn weight(&self, _: &Key, codes: &Codes) -> u64 {
        codes.len() as u64
    }
}

/// A bounded cache of decoded blocks.
#[derive(Debug)]
pub struct BlockCache {
    blocks: Cache<Key, Codes, Bytes, FxBuildHasher>,
    tables: AtomicU64,
}

impl BlockCache {
    /// A cache that holds at most this many bytes.
    pub fn new(bytes: u64) -> BlockCache {
        let blocks = (bytes / BLOCK_LEN as u64).max(1);
        BlockCache {
            blocks: Cache::with(
                blocks as usize,
                bytes,
                Bytes,
                FxBuildHasher,
                DefaultLifecycle::default(),
            ),
            tables: AtomicU64::new(0),
        }
    }

    /// The number of bytes it holds now.
    pub fn bytes(&self) -> u64 {
        self.blocks.weight()
    }

    /// A number that identifies a table in this cache.
    pub(super) fn number_table(&self) -> u64 {
        self.tables.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the block and decodes it if necessary. Threads that want the same block wait for one
    /// of them to decode it.
    #[inline]
    pub(super) fn get<E>(
        &self,
        key: Key,
        decode: impl FnOnce() -> Result<Codes, E>,
    ) -> Result<Codes, E> {
        self.blocks.get_or_insert_with(&key, decode)
    }
}
