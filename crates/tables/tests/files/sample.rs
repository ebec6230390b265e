//! Small tables to write and read.

use std::{path::Path, sync::Arc};

use errare_core::{Material, Metric, Outcome};
use errare_tables::{BlockCache, FileError, Layer, TableFile, TableWriter, Value, WriteError};
use shakmaty::Color;

pub(crate) const LAYER: Layer = Layer::Metric(Metric::Dtc);

pub(crate) fn endgame() -> Material {
    "KQKR".parse().unwrap()
}

/// The values of a table, by side to move.
pub(crate) type Values = [Vec<Value>; 2];

/// Values with a little of everything: wins, draws, losses and illegal positions, in runs.
pub(crate) fn values(positions: usize) -> Values {
    let value = |i: usize| match i % 11 {
        0 | 5 => Value::NONE,
        1..4 => Value::DRAW,
        4..8 => Value::win((i / 100 % 31) as u16 * 2 + 1),
        _ => Value::loss((i / 70 % 20) as u16),
    };
    [
        (0..positions).map(value).collect(),
        (0..positions).map(|i| value(i * 7 + 3)).collect(),
    ]
}

/// Writes a table in pieces of at most this many values, alternating between the sides.
pub(crate) fn write(path: &Path, values: &Values, piece: usize) -> Result<u64, WriteError> {
    let mut writer = TableWriter::create(path, endgame(), LAYER, values[0].len() as u64)?;
    let [white, black] = values.each_ref().map(|values| values.chunks(piece));
    for (white, black) in white.zip(black) {
        writer.append(Color::White, white)?;
        writer.append(Color::Black, black)?;
    }
    writer.finish(false)
}

/// A table's bytes.
pub(crate) fn bytes(values: &Values) -> Vec<u8> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KQKR.dtc.errare");
    write(&path, values, usize::MAX).unwrap();
    std::fs::read(path).unwrap()
}

/// Opens a table's bytes.
pub(crate) fn open(bytes: Vec<u8>) -> Result<TableFile, FileError> {
    let cache = Arc::new(BlockCache::new(1 << 20));
    TableFile::from_source("KQKR.dtc.errare", Box::new(bytes), cache)
}

/// The outcome of every position: bulk reading and single positions must agree.
pub(crate) fn outcomes(table: &TableFile) -> Result<[Vec<Outcome>; 2], FileError> {
    let positions = table.description().positions;
    let read = |turn| {
        let codes = table.codes(turn, 0, positions as usize)?;
        let outcomes = codes.iter().enumerate().map(|(i, &code)| {
            let outcome = table.outcome(turn, i as u64)?;
            assert_eq!(outcome, table.palette(turn)[usize::from(code)]);
            Ok(outcome)
        });
        outcomes.collect::<Result<Vec<_>, FileError>>()
    };
    Ok([read(Color::White)?, read(Color::Black)?])
}

/// Panics unless every legal position has the outcome that was written.
pub(crate) fn assert_same(read: &[Vec<Outcome>; 2], written: &Values) {
    for (read, written) in read.iter().zip(written) {
        assert_eq!(read.len(), written.len());
        for (i, (&outcome, value)) in read.iter().zip(written).enumerate() {
            if let Some(expected) = value.outcome() {
                assert_eq!(outcome, expected, "position {i}");
            }
        }
    }
}
