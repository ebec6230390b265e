//! The argument that is a position, or many of them on standard input.

use std::io::{self, BufRead, Lines, StdinLock};

use clap::Args;

/// A position, or many.
#[derive(Debug, Args)]
pub(crate) struct Positions {
    /// The position as FEN, or - to read one a line from standard input; underscores may stand for spaces
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,
}

impl Positions {
    /// Whether there are any number of them, on standard input.
    pub(crate) fn are_many(&self) -> bool {
        matches!(&self.fen[..], [dash] if dash == "-")
    }

    /// The positions as they were written, read as they are asked for. Empty lines are passed over.
    pub(crate) fn texts(&self) -> impl Iterator<Item = io::Result<String>> {
        let (one, lines): (_, Option<Lines<StdinLock<'_>>>) = match self.are_many() {
            true => (None, Some(io::stdin().lock().lines())),
            false => (Some(Ok(self.fen.join(" "))), None),
        };
        let lines = lines.into_iter().flatten();
        let filled =
            |line: &io::Result<String>| line.as_ref().map_or(true, |l| !l.trim().is_empty());
        one.into_iter().chain(lines.filter(filled))
    }
}
