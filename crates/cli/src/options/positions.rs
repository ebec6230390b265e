//! The position argument, or many positions on standard input, and how they are judged.

use std::{
    env,
    ffi::OsString,
    io::{BufRead, Lines, StdinLock},
};

use crate::prelude::*;

/// A position, or many.
#[derive(Debug, Args)]
pub(crate) struct Positions {
    /// The position as FEN, or - to read one per line from standard input; underscores may stand for spaces
    #[arg(required = true, num_args = 1..)]
    fen: Vec<String>,

    /// Answer in JSON, one line a position where there are many
    #[arg(long)]
    pub(crate) json: bool,
}

impl Positions {
    /// Whether positions come from standard input.
    pub(crate) fn are_many(&self) -> bool {
        matches!(&self.fen[..], [dash] if dash == "-")
    }

    /// The positions as written, read lazily. Skips empty lines.
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

/// Positions and how to judge them.
#[derive(Debug, Args)]
pub(crate) struct PositionOptions {
    #[command(flatten)]
    pub(crate) positions: Positions,

    /// The metric in which moves are compared: dtm, dtc, dtz or dtr
    ///
    /// dtm is the depth to mate, dtc to conversion (mate, capture or promotion), dtz to a zeroing
    /// move (mate, capture or pawn move), dtr the least k such that a k-move rule does not spoil
    /// the win. Moves are compared in dtr with the clock of the FEN counted.
    #[arg(long, default_value = "dtc")]
    pub(crate) metric: Metric,

    /// Directory of Syzygy tables for positions with more men than our tables have [default: $ERRARE_SYZYGY]
    ///
    /// Several are separated as in PATH.
    #[arg(long, value_name = "DIR")]
    syzygy: Option<OsString>,

    #[command(flatten)]
    pub(crate) tables: TableOptions,
}

impl PositionOptions {
    /// Directories of Syzygy tables.
    pub(crate) fn syzygy(&self) -> Vec<PathBuf> {
        let named = self.syzygy.clone().filter(|path| !path.is_empty());
        let named = named.or_else(|| environment("ERRARE_SYZYGY"));
        named.map_or_else(Vec::new, |paths| env::split_paths(&paths).collect())
    }
}
