//! What goes to standard output: a table for people or JSON for programs.

use std::io::{self, Write};

use anyhow::Result;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

/// Prints a value as JSON.
pub(super) fn json(value: &impl Serialize) -> Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, value)?;
    writeln!(out)?;
    Ok(())
}

/// A table with this head, numbers to the right: every column but the first `texts`.
pub(super) fn table(
    head: &[&str],
    texts: usize,
    rows: impl IntoIterator<Item = Vec<String>>,
) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_header(head)
        .add_rows(rows);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
        if column.index >= texts {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Prints a table.
pub(super) fn print(table: &Table) -> Result<()> {
    let mut out = io::stdout().lock();
    for line in table.lines() {
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
