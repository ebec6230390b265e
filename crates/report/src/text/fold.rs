//! Wraps what people read to the width of a terminal.

use std::{
    io::{self, Write},
    mem,
};

/// The width of a terminal.
pub(super) const WIDTH: usize = 80;

/// A gap that leaves fewer columns than this has no room for a paragraph below it.
const NARROWEST: usize = 20;

/// A writer that wraps each line at 80 columns: the last words of a line, after its last gap of two or more spaces, continue
/// below themselves. Text in backticks is not broken, so that it can be copied.
///
/// ```
/// use std::io::Write;
///
/// let mut text = Vec::new();
/// let line = "  Qe1+?  still wins, but takes 24 moves instead of 22; Kc7 was best. Type retry to try again.";
/// writeln!(errare_report::text::Folding::new(&mut text), "{line}")?;
/// let expected = "  Qe1+?  still wins, but takes 24 moves instead of 22; Kc7 was best. Type retry\n         to try again.\n";
/// assert_eq!(String::from_utf8(text).unwrap(), expected);
/// # std::io::Result::Ok(())
/// ```
#[derive(Debug)]
pub struct Folding<W: Write> {
    out: W,
    line: Vec<u8>,
}

impl<W: Write> Folding<W> {
    /// Wraps lines written to `out`.
    pub fn new(out: W) -> Folding<W> {
        Folding {
            out,
            line: Vec::new(),
        }
    }

    fn end_line(&mut self) -> io::Result<()> {
        let line = mem::take(&mut self.line);
        let line = String::from_utf8_lossy(&line);
        self.out.write_all(folded(&line, WIDTH).as_bytes())
    }
}

impl<W: Write> Write for Folding<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if let [line @ .., b'\n'] = piece {
                self.line.extend_from_slice(line);
                self.end_line()?;
                self.out.write_all(b"\n")?;
            } else {
                self.line.extend_from_slice(piece);
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.end_line()?;
        self.out.flush()
    }
}

impl<W: Write> Drop for Folding<W> {
    fn drop(&mut self) {
        let _ = self.flush();
    }
}

/// Wraps a line at this many columns.
pub(crate) fn folded(line: &str, columns: usize) -> String {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let gap = line.trim_end().rfind("  ").map_or(indent, |gap| gap + 2);
    let (head, body) = line.split_at(gap.max(indent));
    let hang = visible(head);
    if visible(line) <= columns || hang + NARROWEST > columns {
        return line.to_owned();
    }
    let mut lines = vec![String::new()];
    for word in words(body) {
        let line = lines.last_mut().expect("there is a first line");
        if line.is_empty() {
            line.push_str(word);
        } else if hang + visible(line) + 1 + visible(word) <= columns {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    format!("{head}{}", lines.join(&format!("\n{:hang$}", "")))
}

/// The words of a text; text in backticks counts as one.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let paired = text.matches('`').count().is_multiple_of(2);
    let mut quoted = false;
    text.split(move |character| {
        quoted ^= paired && character == '`';
        character == ' ' && !quoted
    })
}

/// The number of columns of a text, ignoring escape sequences.
fn visible(text: &str) -> usize {
    let (mut count, mut escaped) = (0, false);
    for character in text.chars() {
        match character {
            '\u{1b}' => escaped = true,
            'm' if escaped => escaped = false,
            _ if escaped => {}
            _ => count += 1,
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(text: &str) -> Vec<usize> {
        folded(text, WIDTH).lines().map(visible).collect()
    }

    #[test]
    fn lines_are_set_in_and_escape_sequences_take_no_room() {
        let word = "\u{1b}[1mword\u{1b}[0m";
        let text = format!("  {}", vec![word; 30].join(" "));
        assert_eq!(widths(&text), [76, 76]);
    }

    #[test]
    fn commands_and_rows_of_numbers_stay_whole() {
        let command = "`errare tables build KQKR --metric dtc --tables /a/directory`";
        let text = format!("there is no table of KQKR; build it with {command}");
        assert_eq!(widths(&text), [40, command.len()]);
        let row = "  1234".repeat(20);
        assert_eq!(folded(&row, WIDTH), row);
    }
}
