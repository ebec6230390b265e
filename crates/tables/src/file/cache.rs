//! Decoded blocks, kept while there is room. One cache serves all tables and all threads.

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

/// The codes of a block. They are apart from the count of their users, which is touched at every
/// lookup: the counts of all blocks stay in the processor's cache, where the codes do not.
pub(super) type Codes = Arc<Box<[u8]>>;

/// Which block: of which table, which side to move, which of its blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) table: u64,
    pub(super) turn: Color,
    pub(super) block: u32,
}

/// A block weighs what it takes in memory.
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

    /// How many bytes it holds now.
    pub fn bytes(&self) -> u64 {
        self.blocks.weight()
    }

    /// A number for a table that no other table has.
    pub(super) fn number_table(&self) -> u64 {
        self.tables.fetch_add(1, Ordering::Relaxed)
    }

    /// The block, decoded if it is not at hand. Threads that want the same block wait for one of
    /// them to decode it.
    #[inline]
    pub(super) fn get<E>(
        &self,
        key: Key,
        decode: impl FnOnce() -> Result<Codes, E>,
    ) -> Result<Codes, E> {
        self.blocks.get_or_insert_with(&key, decode)
    }
}
