//! Encodes the values of one side to move: palette, codes, compressed blocks.

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

/// Positions per block. Looking up a single position decodes its block: halving this halves that
/// cost but makes files 4 % larger; doubling it saves 1 % (KBBKN, DTM and DTZ).
pub(super) const BLOCK_LEN: usize = 1 << 15;

/// The zstd level. Level 3 takes twice as long and makes five-man files no smaller: depths repeat in
/// runs, seldom in longer patterns.
const LEVEL: i32 = 1;

/// Values collected before their blocks are encoded in parallel.
const BATCH_LEN: usize = 128 * BLOCK_LEN;

/// A block ready to be written.
pub(super) struct Encoded {
    pub(super) bytes: Vec<u8>,
    pub(super) crc: u32,
    /// The number of legal positions with each code.
    counts: [u32; MAX_OUTCOMES],
}

/// The values of one side to move.
pub(super) struct Stream {
    turn: Color,
    /// Values waiting for the batch to fill up.
    gathered: Vec<Value>,
    /// The number of values received.
    given: u64,
    /// The number of values expected in total.
    expected: u64,
    /// By [`Value::to_bits`].
    codes: Vec<Option<u8>>,
    palette: Vec<Outcome>,
    counts: [u64; MAX_OUTCOMES],
    /// The blocks written so far.
    pub(super) blocks: Vec<Block>,
}

impl Stream {
    /// A stream for this many values.
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

    /// Rejects more values than there are positions.
    pub(super) fn check_room(&self, values: usize, path: &Path) -> Result<(), WriteError> {
        let given = self.given + values as u64;
        if given > self.expected {
            return Err(self.wrong_length(given, path));
        }
        Ok(())
    }

    /// Rejects an early end.
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

    /// Takes values until the batch is full, and returns the rest.
    pub(super) fn gather<'a>(&mut self, values: &'a [Value]) -> &'a [Value] {
        let room = BATCH_LEN - self.gathered.len();
        let (taken, left) = values.split_at(values.len().min(room));
        self.gathered.extend_from_slice(taken);
        self.given += taken.len() as u64;
        left
    }

    /// Is the batch full, or the last one?
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

    /// Assigns codes to new outcomes, in order of appearance.
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

    /// The code of a value; `None` if it is new or not a legal position.
    #[inline]
    fn code(&self, value: Value) -> Option<u8> {
        self.codes[usize::from(value.to_bits())]
    }

    /// Encodes the values of a block. Illegal positions are never looked up, so each takes the code
    /// of the position before it (or of the first legal one) and costs almost nothing.
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

    /// This side's part of the directory.
    pub(super) fn side(&self) -> Side {
        let mut palette = self.palette.clone();
        if palette.is_empty() {
            // No position is legal. All have code 0, which must stand for something.
            palette.push(Outcome::Draw);
        }
        let counts = self.counts[..palette.len()].to_vec();
        Side { palette, counts }
    }
}
