//! Writes a solution to its files.

use errare_core::{Metric, Watch};
use shakmaty::Color;

use super::{
    BuildTask,
    usage::{Moment, Usage},
};
use crate::{Layer, Store, TableWriter, Value, WriteError, generate::Sink};

/// The unfinished tables of a task.
pub(crate) struct Tables<'a> {
    store: &'a Store,
    task: &'a BuildTask,
    positions: u64,
    watch: &'a dyn Watch,
    /// The number of values written.
    stored: u64,
    writers: Vec<(Layer, TableWriter)>,
    separate_dtz50: bool,
    usage: Usage,
}

impl<'a> Tables<'a> {
    /// Starts tables with this many positions for each side to move.
    pub(crate) fn new(
        store: &'a Store,
        task: &'a BuildTask,
        positions: u64,
        watch: &'a dyn Watch,
    ) -> Tables<'a> {
        Tables {
            store,
            task,
            positions,
            watch,
            stored: 0,
            writers: Vec::new(),
            separate_dtz50: false,
            usage: Usage::default(),
        }
    }

    fn writer(&mut self, layer: Layer) -> Result<&mut TableWriter, WriteError> {
        let found = self.writers.iter().position(|(other, _)| *other == layer);
        let index = match found {
            Some(index) => index,
            None => {
                let writer = self
                    .store
                    .writer(self.task.material, layer, self.positions)?;
                self.writers.push((layer, writer));
                self.writers.len() - 1
            }
        };
        Ok(&mut self.writers[index].1)
    }

    /// The number of values written so far.
    pub(crate) fn stored(&self) -> u64 {
        self.stored
    }

    /// Appends values to a layer's table.
    fn append(&mut self, layer: Layer, turn: Color, values: &[Value]) -> Result<(), WriteError> {
        self.writer(layer)?.append(turn, values)?;
        self.stored += values.len() as u64;
        self.watch.advance(values.len() as u64);
        Ok(())
    }

    /// Moves all tables into place; returns the layers with their file sizes, and the resources
    /// used by all the writing.
    pub(crate) fn finish(mut self) -> Result<(Vec<(Layer, u64)>, Usage), WriteError> {
        let begun = Moment::now();
        let mut written = Vec::new();
        // DTR comes last, because it says whether DTZ50 exists.
        self.writers
            .sort_by_key(|(layer, _)| *layer == Layer::Metric(Metric::Dtr));
        for (layer, writer) in self.writers {
            if layer != Layer::Dtz50 || self.separate_dtz50 {
                written.push((layer, writer.finish(self.separate_dtz50)?));
            }
        }
        self.usage += begun.elapsed();
        Ok((written, self.usage))
    }
}

impl Sink for Tables<'_> {
    type Error = WriteError;

    fn take(&mut self, layer: Layer, turn: Color, values: &[Value]) -> Result<(), WriteError> {
        let begun = Moment::now();
        // DTZ is solved along with DTR and may exist already.
        if self.task.layers.contains(&layer) {
            self.append(layer, turn, values)?;
        }
        // Without pawns, exactly the conversions are zeroing moves.
        let conversion = Layer::Metric(Metric::Dtc);
        if layer == Layer::Metric(Metric::Dtz) && self.task.layers.contains(&conversion) {
            self.append(conversion, turn, values)?;
        }
        self.usage += begun.elapsed();
        Ok(())
    }

    fn dtz50_differs(&mut self) {
        self.separate_dtz50 = true;
    }
}
