//! The values of one side to move on their way into a file: palette, codes, compressed blocks.

use std::{io, path::Path};

use errare_core::Outcome;
use rayon::prelude::*;
use shakmaty::Color;
use zstd::bulk::Compressor;

use super::{
    directory::{Block, MAX_OUTCOMES, Side},
    error::WriteError,
};
use crate::Value;

/// Positions to a block. A single position costs the decoding of its block: half of this saves half
/// of that but makes files 4 % larger, twice this saves 1 % (KBBKN, DTM and DTZ).
pub(super) const BLOCK_LEN: usize = 1 << 15;

/// How hard zstd tries. Level 3 takes twice the time and makes files of five men no smaller: depths
/// repeat in runs, seldom in longer patterns.
const LEVEL: i32 = 1;

/// Values that are gathered before they are encoded, their blocks in parallel.
const BATCH_LEN: usize = 128 * BLOCK_LEN;

/// A block that is ready to be written.
pub(super) struct Encoded {
    pub(super) bytes: Vec<u8>,
    pub(super) crc: u32,
    /// How many legal positions have each code.
    counts: [u32; MAX_OUTCOMES],
}

/// The values of one side to move.
pub(super) struct Stream {
    turn: Color,
    /// Values that wait for their batch to be full.
    gathered: Vec<Value>,
    /// How many values have come.
    given: u64,
    /// How many values are to come in all.
    expected: u64,
    /// By [`Value::to_bits`].
    codes: Vec<Option<u8>>,
    palette: Vec<Outcome>,
    counts: [u64; MAX_OUTCOMES],
    /// The blocks written so far.
    pub(super) blocks: Vec<Block>,
}

impl Stream {
    /// A stream that this many values will come by.
    pub(super) fn new(turn: Color, expected: u64) -> Stream {
        Stream {
            turn,
            gathered: Vec::new(),
            given: 0,
            expected,
            codes: vec![None; 1 + usize::from(u16::MAX)],
            palette: Vec::new(),
            counts: [0; MAX_OUTCOMES],
            blocks: Vec::new(),
        }
    }

    /// Refuses more values than there are positions.
    pub(super) fn check_room(&self, values: usize, path: &Path) -> Result<(), WriteError> {
        let given = self.given + values as u64;
        if given > self.expected {
            return Err(self.wrong_length(given, path));
        }
        Ok(())
    }

    /// Refuses to end before the last value has come.
    pub(super) fn check_complete(&self, path: &Path) -> Result<(), WriteError> {
        if self.given < self.expected {
            return Err(self.wrong_length(self.given, path));
        }
        Ok(())
    }

    fn wrong_length(&self, given: u64, path: &Path) -> WriteError {
        WriteError::Length {
            path: path.to_owned(),
            turn: self.turn,
            expected: self.expected,
            given,
        }
    }

    /// Takes values until the batch is full, and returns those that are left.
    pub(super) fn gather<'a>(&mut self, values: &'a [Value]) -> &'a [Value] {
        let room = BATCH_LEN - self.gathered.len();
        let (taken, left) = values.split_at(values.len().min(room));
        self.gathered.extend_from_slice(taken);
        self.given += taken.len() as u64;
        left
    }

    /// Whether the batch is full, or the last.
    pub(super) fn is_ready(&self) -> bool {
        self.gathered.len() == BATCH_LEN || self.given == self.expected
    }

    /// Encodes the batch, block by block.
    pub(super) fn encode(&mut self, path: &Path) -> Result<Vec<Encoded>, WriteError> {
        self.extend_palette(path)?;
        let encoded = self
            .gathered
            .par_chunks(BLOCK_LEN)
            .map_init(Compressor::default, |compressor, block| {
                self.encode_block(block, compressor)
            })
            .collect::<io::Result<Vec<_>>>()
            .map_err(|source| WriteError::Write {
                path: path.to_owned(),
                source,
            })?;
        self.gathered.clear();
        for block in &encoded {
            for (sum, &count) in self.counts.iter_mut().zip(&block.counts) {
                *sum += u64::from(count);
            }
        }
        Ok(encoded)
    }

    /// Gives codes to the outcomes that come for the first time, in their order.
    fn extend_palette(&mut self, path: &Path) -> Result<(), WriteError> {
        let known = || -> Vec<bool> { self.codes.iter().map(Option::is_some).collect() };
        let new_values: Vec<Vec<Value>> = self
            .gathered
            .par_chunks(BLOCK_LEN)
            .map_init(known, |known, block| {
                let mut first_seen = |value: &&Value| {
                    let known = &mut known[usize::from(value.to_bits())];
                    !std::mem::replace(known, true)
                };
                block
                    .iter()
                    .filter(|value| first_seen(value))
                    .copied()
                    .collect()
            })
            .collect();
        for value in new_values.into_iter().flatten() {
            let code = &mut self.codes[usize::from(value.to_bits())];
            if let (Some(outcome), None) = (value.outcome(), &code) {
                let next = u8::try_from(self.palette.len());
                *code = Some(next.map_err(|_| WriteError::TooManyOutcomes {
                    path: path.to_owned(),
                    turn: self.turn,
                })?);
                self.palette.push(outcome);
            }
        }
        Ok(())
    }

    /// The code of a value; none if it is new, or no legal position.
    #[inline]
    fn code(&self, value: Value) -> Option<u8> {
        self.codes[usize::from(value.to_bits())]
    }

    /// Encodes the values of a block. What is no legal position is never asked for and takes the
    /// code of the position before it (or of the first legal one), so that it costs next to nothing.
    fn encode_block(
        &self,
        values: &[Value],
        compressor: &mut Compressor<'_>,
    ) -> io::Result<Encoded> {
        let mut counts = [0; MAX_OUTCOMES];
        let mut last = values
            .iter()
            .find_map(|&value| self.code(value))
            .unwrap_or(0);
        let codes: Vec<u8> = values
            .iter()
            .map(|&value| {
                if let Some(code) = self.code(value) {
                    counts[usize::from(code)] += 1;
                    last = code;
                }
                last
            })
            .collect();
        compressor.set_compression_level(LEVEL)?;
        let bytes = compressor.compress(&codes)?;
        let crc = crc32fast::hash(&bytes);
        Ok(Encoded { bytes, crc, counts })
    }

    /// What the directory says about this side.
    pub(super) fn side(&self) -> Side {
        let mut palette = self.palette.clone();
        if palette.is_empty() {
            // No position is legal. They all have code 0, which must mean something.
            palette.push(Outcome::Draw);
        }
        let counts = self.counts[..palette.len()].to_vec();
        Side { palette, counts }
    }
}
