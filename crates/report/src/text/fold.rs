//! Wraps paragraphs to the width of a terminal.

/// The width of a terminal.
pub(super) const WIDTH: usize = 80;

/// Wraps at 80 columns; further lines are indented like the first.
pub fn wrapped(text: &str) -> String {
    folded(text, WIDTH)
}

/// Wraps at this many columns.
pub(crate) fn folded(text: &str, columns: usize) -> String {
    let indent: String = text.chars().take_while(|c| *c == ' ').collect();
    let (mut lines, mut length) = (vec![String::new()], 0);
    for word in text.trim_start().split(' ') {
        let line = lines.last_mut().expect("there is a first line");
        let width = visible(word);
        if length > 0 && indent.len() + length + 1 + width > columns {
            lines.push(word.to_owned());
            length = width;
        } else {
            if !line.is_empty() {
                line.push(' ');
                length += 1;
            }
            line.push_str(word);
            length += width;
        }
    }
    lines
        .iter()
        .map(|line| format!("{indent}{line}"))
        .collect::<Vec<_>>()
        .join("\n")
}

/// The number of columns of a word, ignoring escape sequences.
fn visible(word: &str) -> usize {
    let (mut count, mut escaped) = (0, false);
    for character in word.chars() {
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

    #[test]
    fn lines_are_set_in_and_escape_sequences_take_no_room() {
        let word = "\u{1b}[1mword\u{1b}[0m";
        let text = format!("  {}", vec![word; 30].join(" "));
        let lines: Vec<usize> = wrapped(&text).lines().map(visible).collect();
        assert_eq!(lines, [76, 76]);
    }
}
