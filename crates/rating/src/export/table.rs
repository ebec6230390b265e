//! A table by columns, a batch of rows at a time.

use std::io;

use errare_core::NewFile;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Integer,
    Real,
    Text,
    Flag,
}

/// The values of a column.
#[derive(Debug)]
pub(super) enum Values {
    Integer(Vec<Option<i32>>),
    Real(Vec<Option<f64>>),
    Text(Texts),
    Flag(Vec<bool>),
}

/// Concatenated texts and their ends; `None` for a missing one.
#[derive(Debug, Default)]
pub(super) struct Texts {
    all: String,
    ends: Vec<Option<usize>>,
}

/// Columns with their names.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) names: Vec<String>,
    pub(super) values: Vec<Values>,
}

/// A destination for tables.
pub(super) trait Sink {
    /// Writes some rows.
    fn write(&mut self, columns: &Columns) -> io::Result<()>;
    /// Writes the end of the file.
    fn finish(self: Box<Self>) -> io::Result<NewFile>;
}

impl Columns {
    pub(super) fn new<N: Into<String>>(columns: impl IntoIterator<Item = (N, Type)>) -> Columns {
        let columns = columns.into_iter().map(|(name, of)| {
            let values = match of {
                Type::Integer => Values::Integer(Vec::new()),
                Type::Real => Values::Real(Vec::new()),
                Type::Text => Values::Text(Texts::default()),
                Type::Flag => Values::Flag(Vec::new()),
            };
            (name.into(), values)
        });
        let (names, values) = columns.unzip();
        Columns { names, values }
    }

    /// A row to be filled from left to right.
    pub(super) fn row(&mut self) -> ExportRow<'_> {
        ExportRow(self.values.iter_mut())
    }

    pub(super) fn rows(&self) -> usize {
        match self.values.first() {
            None => 0,
            Some(Values::Integer(values)) => values.len(),
            Some(Values::Real(values)) => values.len(),
            Some(Values::Text(texts)) => texts.ends.len(),
            Some(Values::Flag(values)) => values.len(),
        }
    }

    pub(super) fn clear(&mut self) {
        for values in &mut self.values {
            match values {
                Values::Integer(values) => values.clear(),
                Values::Real(values) => values.clear(),
                Values::Text(texts) => {
                    texts.all.clear();
                    texts.ends.clear();
                }
                Values::Flag(values) => values.clear(),
            }
        }
    }
}

impl Texts {
    fn push(&mut self, text: Option<&str>) {
        self.all.push_str(text.unwrap_or(""));
        self.ends.push(text.map(|_| self.all.len()));
    }

    /// The texts.
    pub(super) fn iter(&self) -> impl Iterator<Item = Option<&str>> {
        let mut start = 0;
        self.ends.iter().map(move |end| {
            let text = end.map(|end| &self.all[start..end]);
            start = end.unwrap_or(start);
            text
        })
    }
}

/// A row that is being filled.
pub(super) struct ExportRow<'c>(std::slice::IterMut<'c, Values>);

impl ExportRow<'_> {
    pub(super) fn integer(&mut self, value: Option<i32>) {
        match self.0.next() {
            Some(Values::Integer(values)) => values.push(value),
            other => panic!("an integer for {other:?}"),
        }
    }

    pub(super) fn real(&mut self, value: Option<f64>) {
        match self.0.next() {
            Some(Values::Real(values)) => values.push(value),
            other => panic!("a number for {other:?}"),
        }
    }

    pub(super) fn text(&mut self, value: Option<&str>) {
        match self.0.next() {
            Some(Values::Text(texts)) => texts.push(value),
            other => panic!("a text for {other:?}"),
        }
    }

    pub(super) fn flag(&mut self, value: bool) {
        match self.0.next() {
            Some(Values::Flag(values)) => values.push(value),
            other => panic!("a flag for {other:?}"),
        }
    }
}
