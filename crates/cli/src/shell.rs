//! Quoting for the shell.

use std::{env, iter};

/// Quotes a word if the shell would misread it.
pub(crate) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:=@%".contains(c);
    match !word.is_empty() && word.chars().all(plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

/// The command as it was typed, for reports.
pub(crate) fn typed_command() -> String {
    let words = env::args_os().skip(1);
    let words = words.map(|word| quoted(&word.to_string_lossy()));
    let command = iter::once("errare".to_owned()).chain(words);
    command.collect::<Vec<_>>().join(" ")
}
