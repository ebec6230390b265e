//! What goes to standard output.

use std::io::{self, Write};

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};
use serde::Serialize;

/// Writes a value as JSON, indented.
pub(crate) fn json(value: &impl Serialize) -> io::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)
}

/// A table without rows.
pub(crate) fn table<T: ToString>(header: impl IntoIterator<Item = T>) -> Table {
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    let mut table = Table::new();
    // What colours the terminal, or NO_COLOR, allows is decided where the text is written.
    table.load_style(style).enforce_styling();
    table.set_header(header.into_iter().map(Cell::new));
    table
}

/// Aligns the columns from this one on to the right.
pub(crate) fn numbers_from(table: &mut Table, column: usize) {
    for column in table.column_iter_mut().skip(column) {
        column.set_cell_alignment(CellAlignment::Right);
    }
}

/// Writes a table with these rows, numbers from this column on.
pub(crate) fn rows<T: ToString>(
    out: &mut impl Write,
    header: impl IntoIterator<Item = T>,
    numbers: usize,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> io::Result<()> {
    let mut table = table(header);
    table.add_rows(rows);
    numbers_from(&mut table, numbers);
    writeln!(out, "{}", table.trim_fmt())
}
