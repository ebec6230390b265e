//! Players ranked by how much they agree with the engine.

use std::io::{self, Write};

use errare_service::screen::Answer;

use super::{Text, table};
use crate::screening::{HEAD, LEGEND, notes, row, thresholds, unscreened};

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.evidence.engine)?;
        let rows = self.players.iter().map(|listed| row(&listed.one));
        table(out, HEAD, 1, rows)?;
        writeln!(out, "\n{LEGEND}\n")?;
        for text in [thresholds(self)].into_iter().chain(notes(self)) {
            writeln!(out, "{text}")?;
        }
        if let Some(unscreened) = unscreened(self) {
            writeln!(out, "{unscreened}; --html names them.")?;
        }
        writeln!(
            out,
            "A label says what to do next and nothing about a person: z measures agreement,\nnot its cause."
        )
    }

    fn remarks(&self) -> Vec<String> {
        self.warnings.clone()
    }
}
