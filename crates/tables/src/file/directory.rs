//! The directory at the end of a table file: the description of the table, its palettes, and the
//! positions of its blocks.

use errare_core::{Material, Outcome, Plies};
use shakmaty::Color;
use zstd::zstd_safe::compress_bound;

use super::prelude::Prelude;
use crate::{Layer, Value, layout::side};

/// The maximum number of outcomes for one side to move: a code is a byte.
pub(super) const MAX_OUTCOMES: usize = 256;

/// The largest block accepted, so that no file can demand much memory.
const MAX_BLOCK_LEN: u32 = 1 << 24;

/// The flag for a table whose DTZ under the 50-move rule has a file of its own.
const SEPARATE_DTZ50: u32 = 1;

/// A table file's description of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Description {
    /// The endgame.
    pub material: Material,
    /// The layer.
    pub layer: Layer,
    /// The program that made the file, with its version.
    pub producer: String,
    /// The number of stored positions for each side to move, illegal ones included.
    pub positions: u64,
    /// Does [`Layer::Dtz50`] differ from DTZ in this endgame, and so have a file of its own?
    pub separate_dtz50: bool,
    /// Positions per block.
    pub block_len: u32,
    /// White to move, Black to move.
    pub(super) sides: [Side; 2],
}

impl Description {
    /// The description for one side to move.
    pub fn side(&self, turn: Color) -> &Side {
        &self.sides[side(turn)]
    }

    /// The number of blocks for each side to move.
    pub(super) fn blocks(&self) -> u64 {
        self.positions.div_ceil(u64::from(self.block_len))
    }
}

/// The outcomes with one side to move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Side {
    /// The distinct outcomes; a position's code is an index into them.
    pub palette: Vec<Outcome>,
    /// The number of stored legal positions with each outcome of the palette.
    pub counts: Vec<u64>,
}

impl Side {
    /// The number of stored legal positions.
    pub fn legal(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The depth of the deepest win.
    pub fn deepest_win(&self) -> Option<Plies> {
        self.deepest(1)
    }

    /// The depth of the deepest loss.
    pub fn deepest_loss(&self) -> Option<Plies> {
        self.deepest(-1)
    }

    fn deepest(&self, sign: i32) -> Option<Plies> {
        let alike = self.palette.iter().filter(|outcome| outcome.sign() == sign);
        alike.filter_map(|outcome| outcome.plies()).max()
    }
}

/// The position of a compressed block, and its checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) offset: u64,
    pub(super) len: u32,
    pub(super) crc: u32,
}

impl Block {
    /// The length of a block's entry in the directory.
    const ENTRY_LEN: u64 = 16;
}

/// Everything in a table file except the positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Directory {
    pub(super) description: Description,
    /// By side to move.
    pub(super) blocks: [Vec<Block>; 2],
}

impl Directory {
    /// The directory as bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let table = &self.description;
        let (endgame, layer) = (table.material.to_string(), table.layer.to_string());
        for text in [&endgame, &layer, &table.producer] {
            bytes.push(text.len() as u8);
            bytes.extend(text.as_bytes());
        }
        bytes.extend(table.positions.to_le_bytes());
        bytes.extend(table.block_len.to_le_bytes());
        let flags = if table.separate_dtz50 {
            SEPARATE_DTZ50
        } else {
            0
        };
        bytes.extend(flags.to_le_bytes());
        for (side, blocks) in table.sides.iter().zip(&self.blocks) {
            bytes.extend((side.palette.len() as u16).to_le_bytes());
            for (&outcome, count) in side.palette.iter().zip(&side.counts) {
                bytes.extend(Value::from(outcome).to_bits().to_le_bytes());
                bytes.extend(count.to_le_bytes());
            }
            for block in blocks {
                bytes.extend(block.offset.to_le_bytes());
                bytes.extend(block.len.to_le_bytes());
                bytes.extend(block.crc.to_le_bytes());
            }
        }
        bytes
    }

    /// Decodes the directory of a file whose blocks end at `blocks_end`; `None` if it is not
    /// plausible.
    pub(super) fn decode(bytes: &[u8], blocks_end: u64) -> Option<Directory> {
        let mut bytes = Bytes(bytes);
        let material: Material = bytes.text()?.parse().ok()?;
        let layer = Layer::named(bytes.text()?)?;
        let producer = bytes.text()?.to_owned();
        let positions = bytes.u64()?;
        let block_len = bytes.u32()?;
        let flags = bytes.u32()?;
        let plausible = positions > 0
            && block_len.is_power_of_two()
            && block_len <= MAX_BLOCK_LEN
            && flags & !SEPARATE_DTZ50 == 0;
        if !plausible {
            return None;
        }
        let mut description = Description {
            material,
            layer,
            producer,
            positions,
            separate_dtz50: flags & SEPARATE_DTZ50 != 0,
            block_len,
            sides: Default::default(),
        };
        let mut blocks = [Vec::new(), Vec::new()];
        for turn in Color::ALL {
            description.sides[side(turn)] = bytes.side(positions)?;
            blocks[side(turn)] = bytes.blocks(description.blocks(), block_len, blocks_end)?;
        }
        bytes.0.is_empty().then_some(Directory {
            description,
            blocks,
        })
    }
}

/// The bytes left to decode.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(array)
    }

    fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn text(&mut self) -> Option<&'a str> {
        let [len] = self.array()?;
        let (text, rest) = self.0.split_at_checked(usize::from(len))?;
        self.0 = rest;
        str::from_utf8(text).ok()
    }

    fn side(&mut self, positions: u64) -> Option<Side> {
        let outcomes = usize::from(self.u16()?);
        if !(1..=MAX_OUTCOMES).contains(&outcomes) {
            return None;
        }
        let mut side = Side::default();
        let mut legal = 0u64;
        for _ in 0..outcomes {
            let outcome = Value::from_bits(self.u16()?).outcome()?;
            let count = self.u64()?;
            legal = legal.checked_add(count)?;
            if side.palette.contains(&outcome) {
                return None;
            }
            side.palette.push(outcome);
            side.counts.push(count);
        }
        (legal <= positions).then_some(side)
    }

    fn blocks(&mut self, count: u64, block_len: u32, end: u64) -> Option<Vec<Block>> {
        // Allocate no more than the input can hold.
        if count > self.0.len() as u64 / Block::ENTRY_LEN {
            return None;
        }
        let longest = compress_bound(block_len as usize) as u64;
        (0..count)
            .map(|_| {
                let block = Block {
                    offset: self.u64()?,
                    len: self.u32()?,
                    crc: self.u32()?,
                };
                let inside = block.offset >= Prelude::LEN as u64
                    && block.offset.checked_add(u64::from(block.len))? <= end;
                (inside && u64::from(block.len) <= longest).then_some(block)
            })
            .collect()
    }
}
