//! Encodes a table file to any seekable writer.

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

/// An unfinished table file.
pub(super) struct Encoder<W> {
    out: W,
    /// The file, for error messages.
    path: PathBuf,
    /// The number of bytes written.
    len: u64,
    material: Material,
    layer: Layer,
    positions: u64,
    /// By side to move.
    streams: [Stream; 2],
}

impl<W: Write + Seek> Encoder<W> {
    /// Starts a table with this many positions for each side to move.
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
            streams: Color::ALL.map(|turn| Stream::new(turn, positions)),
        };
        // The prelude is written last. Until then the file is not a table.
        encoder.write(&[0; Prelude::LEN])?;
        Ok(encoder)
    }

    /// Appends values for one side to move.
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

    /// Completes the file; returns the writer and the length.
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

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use errare_core::Metric;

    use super::*;

    /// A disk that is full after some bytes.
    struct Disk {
        bytes: Cursor<Vec<u8>>,
        room: usize,
    }

    impl Write for Disk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let taken = bytes.len().min(self.room);
            if taken == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.room -= taken;
            self.bytes.write(&bytes[..taken])
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for Disk {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.bytes.seek(to)
        }
    }

    fn encode<W: Write + Seek>(out: W) -> Result<(W, u64), WriteError> {
        let path = Path::new("KQK.dtm.errare");
        let layer = Layer::Metric(Metric::Dtm);
        let mut encoder = Encoder::new(out, path, "KQK".parse().unwrap(), layer, 200)?;
        for turn in Color::ALL {
            encoder.append(turn, &[Value::DRAW; 150])?;
            encoder.append(turn, &[Value::win(1); 50])?;
        }
        encoder.finish(false)
    }

    #[test]
    fn a_full_disk_is_an_error_wherever_it_strikes() {
        let disk = |room| Disk {
            bytes: Cursor::default(),
            room,
        };
        let (whole, len) = encode(disk(usize::MAX)).unwrap();
        assert_eq!(whole.bytes.get_ref().len() as u64, len);
        // The prelude is written twice.
        let needed = len as usize + Prelude::LEN;
        for room in 0..needed {
            let Err(error) = encode(disk(room)) else {
                panic!("{room} bytes were enough");
            };
            assert!(matches!(
                error,
                WriteError::Write { source, .. } if source.kind() == io::ErrorKind::StorageFull
            ));
        }
        assert!(encode(disk(needed)).is_ok());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_message_of_a_full_disk_names_the_file() {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
        let error = encode(full.unwrap()).err().unwrap();
        assert_eq!(error.to_string(), "cannot write KQK.dtm.errare");
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert!(source.contains("No space left on device"), "{source}");
    }
}
