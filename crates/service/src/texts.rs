//! Reads whole files of text, plain or compressed.

use std::path::{Path, PathBuf};

use errare_core::FaultKind;
use errare_games::open;

use crate::Error;

/// The text of a file; `-` is standard input.
pub(crate) fn whole_text(path: &Path) -> Result<String, Error> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text).map_err(|error| {
        let path = path.display();
        Error::new(
            FaultKind::Missing,
            format!("cannot read {path} to its end: {error}"),
        )
    })?;
    Ok(text)
}

/// The concatenated text of all files.
pub(crate) fn all_text(paths: &[PathBuf]) -> Result<String, Error> {
    let texts = paths.iter().map(|path| whole_text(path));
    Ok(texts.collect::<Result<Vec<_>, _>>()?.join("\n\n"))
}
