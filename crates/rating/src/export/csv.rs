//! Comma-separated values. Missing values are empty.

use std::{fmt::Write, io};

use errare_core::NewFile;

use super::table::{Columns, Sink, Values};

/// A file of comma-separated values.
pub(super) struct CsvSink {
    writer: csv::Writer<NewFile>,
    begun: bool,
}

impl CsvSink {
    pub(super) fn new(file: NewFile) -> CsvSink {
        CsvSink {
            writer: csv::Writer::from_writer(file),
            begun: false,
        }
    }
}

impl Sink for CsvSink {
    fn write(&mut self, columns: &Columns) -> io::Result<()> {
        if !self.begun {
            self.begun = true;
            self.writer.write_record(&columns.names)?;
        }
        let mut texts: Vec<_> = columns
            .values
            .iter()
            .map(|values| match values {
                Values::Text(texts) => Some(texts.iter()),
                _ => None,
            })
            .collect();
        let mut field = String::new();
        for row in 0..columns.rows() {
            for (values, texts) in columns.values.iter().zip(&mut texts) {
                field.clear();
                match values {
                    Values::Integer(values) => show(&mut field, values[row]),
                    Values::Real(values) => show(&mut field, values[row]),
                    Values::Flag(values) => show(&mut field, Some(values[row])),
                    Values::Text(_) => {
                        let text = texts.as_mut().and_then(Iterator::next).flatten();
                        field.push_str(text.unwrap_or(""));
                    }
                }
                self.writer.write_field(&field)?;
            }
            self.writer.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<NewFile> {
        self.writer
            .into_inner()
            .map_err(|error| io::Error::other(error.to_string()))
    }
}

fn show(field: &mut String, value: Option<impl std::fmt::Display>) {
    if let Some(value) = value {
        write!(field, "{value}").expect("a string takes everything");
    }
}
