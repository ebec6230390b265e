//! Parquet, one row group per batch, compressed with Snappy.

use std::{io, sync::Arc};

use errare_core::NewFile;
use parquet::{
    basic::{Compression, LogicalType, Repetition, Type as Physical},
    data_type::{BoolType, ByteArray, ByteArrayType, DoubleType, Int32Type},
    errors::ParquetError,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::types::Type,
};

use super::table::{Columns, Sink, Values};

/// A Parquet file.
pub(super) struct ParquetSink {
    writer: SerializedFileWriter<NewFile>,
}

impl ParquetSink {
    pub(super) fn new(file: NewFile, columns: &Columns) -> io::Result<ParquetSink> {
        let schema = Arc::new(schema(columns).map_err(io::Error::other)?);
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .build();
        let writer = SerializedFileWriter::new(file, schema, Arc::new(properties));
        Ok(ParquetSink {
            writer: writer.map_err(io::Error::other)?,
        })
    }
}

impl Sink for ParquetSink {
    fn write(&mut self, columns: &Columns) -> io::Result<()> {
        write(&mut self.writer, columns).map_err(io::Error::other)
    }

    fn finish(self: Box<Self>) -> io::Result<NewFile> {
        self.writer.into_inner().map_err(io::Error::other)
    }
}

fn schema(columns: &Columns) -> Result<Type, ParquetError> {
    let column = |(name, values): (&String, &Values)| {
        let (physical, logical) = match values {
            Values::Integer(_) => (Physical::INT32, None),
            Values::Real(_) => (Physical::DOUBLE, None),
            Values::Text(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
            Values::Flag(_) => (Physical::BOOLEAN, None),
        };
        let repetition = match values {
            Values::Flag(_) => Repetition::REQUIRED,
            _ => Repetition::OPTIONAL,
        };
        let column = Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(repetition)
            .build()?;
        Ok(Arc::new(column))
    };
    let fields: Result<Vec<_>, ParquetError> = columns
        .names
        .iter()
        .zip(&columns.values)
        .map(column)
        .collect();
    Type::group_type_builder("table")
        .with_fields(fields?)
        .build()
}

fn write(
    writer: &mut SerializedFileWriter<NewFile>,
    columns: &Columns,
) -> Result<(), ParquetError> {
    let mut group = writer.next_row_group()?;
    for values in &columns.values {
        let mut column = group.next_column()?.expect("a column for each");
        match values {
            Values::Integer(values) => {
                let (present, levels) = split(values.iter().copied());
                column
                    .typed::<Int32Type>()
                    .write_batch(&present, Some(&levels), None)?;
            }
            Values::Real(values) => {
                let (present, levels) = split(values.iter().copied());
                column
                    .typed::<DoubleType>()
                    .write_batch(&present, Some(&levels), None)?;
            }
            Values::Text(texts) => {
                let (present, levels) = split(texts.iter().map(|text| text.map(ByteArray::from)));
                column
                    .typed::<ByteArrayType>()
                    .write_batch(&present, Some(&levels), None)?;
            }
            Values::Flag(values) => {
                column.typed::<BoolType>().write_batch(values, None, None)?;
            }
        }
        column.close()?;
    }
    group.close()?;
    Ok(())
}

/// The values present, and the definition level of each row: is there a value?
fn split<T>(values: impl Iterator<Item = Option<T>>) -> (Vec<T>, Vec<i16>) {
    let mut present = Vec::new();
    let mut levels = Vec::new();
    for value in values {
        levels.push(i16::from(value.is_some()));
        present.extend(value);
    }
    (present, levels)
}
