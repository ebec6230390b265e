//! Writes a table to a temporary file that is renamed when complete.

use std::{
    io,
    path::{Path, PathBuf},
};

use errare_core::Material;
use shakmaty::Color;

use super::{encoder::Encoder, error::WriteError, partial::Partial};
use crate::{Layer, Value};

/// An unfinished table file. If dropped before it is finished, it leaves nothing behind.
pub struct TableWriter {
    encoder: Encoder<Partial>,
    path: PathBuf,
}

impl TableWriter {
    /// Starts a table with this many positions for each side to move.
    pub fn create(
        path: impl Into<PathBuf>,
        material: Material,
        layer: Layer,
        positions: u64,
    ) -> Result<TableWriter, WriteError> {
        let path = path.into();
        let partial = Partial::create(&path).map_err(failed(&path))?;
        let encoder = Encoder::new(partial, &path, material, layer, positions)?;
        Ok(TableWriter { encoder, path })
    }

    /// Appends the next values of one side to move, in stored order and in pieces of any size. The
    /// two sides are independent.
    pub fn append(&mut self, turn: Color, values: &[Value]) -> Result<(), WriteError> {
        self.encoder.append(turn, values)
    }

    /// Completes the table, syncs it to disk and moves it into place; returns its size in bytes.
    /// For [`Metric::Dtr`](errare_core::Metric::Dtr), `separate_dtz50` says whether
    /// [`Layer::Dtz50`] differs from DTZ.
    pub fn finish(self, separate_dtz50: bool) -> Result<u64, WriteError> {
        let TableWriter { encoder, path } = self;
        let (partial, bytes) = encoder.finish(separate_dtz50)?;
        partial.persist(&path).map_err(failed(&path))?;
        Ok(bytes)
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> WriteError {
    let path = path.to_owned();
    |source| WriteError::Write { path, source }
}
