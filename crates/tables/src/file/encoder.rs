//! The bytes of a table's file, written to anything that can be written to and rewound.

use std::{
    io::{self, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use errare_core::Material;
use shakmaty::Color;

use super::{
    directory::{Block, Description, Directory},
    error::WriteError,
    prelude::Prelude,
    stream::{BLOCK_LEN, Stream},
};
use crate::{Layer, Value, layout::side};

/// The program that makes the files.
const PRODUCER: &str = concat!("errare ", env!("CARGO_PKG_VERSION"));

/// A table's file in the making.
pub(super) struct Encoder<W> {
    out: W,
    /// The file, for messages.
    path: PathBuf,
    /// How much has been written.
    len: u64,
    material: Material,
    layer: Layer,
    positions: u64,
    /// By side to move.
    streams: [Stream; 2],
}

impl<W: Write + Seek> Encoder<W> {
    /// Begins a table with this many positions for each side to move.
    pub(super) fn new(
        out: W,
        path: &Path,
        material: Material,
        layer: Layer,
        positions: u64,
    ) -> Result<Encoder<W>, WriteError> {
        let mut encoder = Encoder {
            out,
            path: path.to_owned(),
            len: 0,
            material,
            layer,
            positions,
            streams: [Color::White, Color::Black].map(|turn| Stream::new(turn, positions)),
        };
        // The prelude is written last. Until then the file is no table.
        encoder.write(&[0; Prelude::LEN])?;
        Ok(encoder)
    }

    /// Takes the next values of one side to move.
    pub(super) fn append(&mut self, turn: Color, mut values: &[Value]) -> Result<(), WriteError> {
        self.streams[side(turn)].check_room(values.len(), &self.path)?;
        while !values.is_empty() {
            let stream = &mut self.streams[side(turn)];
            values = stream.gather(values);
            if stream.is_ready() {
                self.write_batch(turn)?;
            }
        }
        Ok(())
    }

    fn write_batch(&mut self, turn: Color) -> Result<(), WriteError> {
        for block in self.streams[side(turn)].encode(&self.path)? {
            self.streams[side(turn)].blocks.push(Block {
                offset: self.len,
                len: block.bytes.len() as u32,
                crc: block.crc,
            });
            self.write(&block.bytes)?;
        }
        Ok(())
    }

    /// Completes the file, and returns what it was written to and its length.
    pub(super) fn finish(mut self, separate_dtz50: bool) -> Result<(W, u64), WriteError> {
        for stream in &self.streams {
            stream.check_complete(&self.path)?;
        }
        let directory = Directory {
            description: Description {
                material: self.material,
                layer: self.layer,
                producer: PRODUCER.to_owned(),
                positions: self.positions,
                separate_dtz50,
                block_len: BLOCK_LEN as u32,
                sides: self.streams.each_ref().map(Stream::side),
            },
            blocks: self
                .streams
                .each_mut()
                .map(|stream| std::mem::take(&mut stream.blocks)),
        };
        let directory = directory.encode();
        let prelude = Prelude {
            directory_offset: self.len,
            directory_len: directory.len() as u64,
            directory_crc: crc32fast::hash(&directory),
        };
        self.write(&directory)?;
        let rewound = self.out.seek(SeekFrom::Start(0));
        rewound.map_err(|source| self.failed(source))?;
        self.write(&prelude.encode())?;
        Ok((self.out, prelude.file_len()))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        let written = self.out.write_all(bytes);
        written.map_err(|source| self.failed(source))?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    fn failed(&self, source: io::Error) -> WriteError {
        WriteError::Write {
            path: self.path.clone(),
            source,
        }
    }
}
