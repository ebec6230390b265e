//! Text tables.

use std::io::{self, Write};

use comfy_table::{Cell, CellAlignment, LineStyle, Table, TableStyle};

use super::fold::WIDTH;

/// The minimum length to which a first cell is shortened.
const SHORTEST: usize = 8;

/// Writes a table with these rows; columns from `numbers` on are right-aligned. If the first column is text, it is shortened
/// so that the table fits a terminal of 80 columns.
///
/// ```
/// let mut text = Vec::new();
/// let moves = [vec!["Qd5+".to_owned(), "31".to_owned()], vec!["Ka7".to_owned(), "9".to_owned()]];
/// errare_report::text::table(&mut text, ["move", "dtc"], 1, moves)?;
/// let expected = " move   dtc\n────────────\n Qd5+    31\n Ka7      9\n";
/// assert_eq!(String::from_utf8(text).unwrap(), expected);
/// # std::io::Result::Ok(())
/// ```
pub fn table<T: ToString, C: Into<Cell>>(
    out: &mut (impl Write + ?Sized),
    header: impl IntoIterator<Item = T>,
    numbers: usize,
    rows: impl IntoIterator<Item = Vec<C>>,
) -> io::Result<()> {
    let style = TableStyle::new().header_separator(LineStyle::none().fill('─').junction('─'));
    let header: Vec<Cell> = header.into_iter().map(Cell::new).collect();
    let rows = rows.into_iter().map(|row| row.into_iter().map(Into::into));
    let mut rows: Vec<Vec<Cell>> = rows.map(Iterator::collect).collect();
    if numbers > 0 {
        fit(&header, &mut rows);
    }
    let mut table = Table::new();
    // The output decides whether a terminal or NO_COLOR allows colours.
    table.load_style(style).enforce_styling();
    table.set_header(header);
    table.add_rows(rows);
    for column in table.column_iter_mut().skip(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    writeln!(out, "{}", table.trim_fmt())
}

/// Shortens the cells of the first column until the table fits a terminal.
fn fit(header: &[Cell], rows: &mut [Vec<Cell>]) {
    let length = |cell: &Cell| cell.content().chars().count();
    let width = |column: usize| {
        let cells = rows.iter().map(Vec::as_slice).chain([header]);
        let widths = cells.filter_map(|row| row.get(column).map(length));
        widths.max().unwrap_or(0)
    };
    // A column has a space before and after it, and there is one between two.
    let others: usize = (1..header.len()).map(|column| width(column) + 3).sum();
    let most = WIDTH.saturating_sub(others + 2).max(SHORTEST);
    for cell in rows.iter_mut().filter_map(|row| row.first_mut()) {
        if length(cell) > most {
            *cell = Cell::new(cut(&cell.content(), most));
        }
    }
}

/// Cuts a cell to at most this many characters.
pub(super) fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most - 1).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_fit_eighty_columns() {
        let written = |names: &[&str]| {
            fn row<'a>(name: &&'a str) -> Vec<&'a str> {
                let numbers = ["2323", "1", "12", "3075", "1476 to 3323", "50.0", "0.0808"];
                [&[*name], &numbers[..]].concat()
            }
            let mut out = Vec::new();
            let head = [
                "player", "Elo", "games", "turns", "rating", "interval", "mm %", "ad",
            ];
            table(&mut out, head, 1, names.iter().map(row)).unwrap();
            String::from_utf8(out).unwrap()
        };
        let text = written(&["A name that nobody on earth has ever had", "Short"]);
        assert!(
            text.lines().all(|line| line.chars().count() <= WIDTH),
            "{text}"
        );
        assert!(text.contains(" A name that no… "), "{text}");
        assert!(!written(&["Short"]).contains('…'));
    }
}
