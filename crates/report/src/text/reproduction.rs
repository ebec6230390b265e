//! The papers computed again, a line an entry.

use std::io::{self, Write};

use errare_service::reproduce::Answer;

use super::{Text, table, table::cut};
use crate::reproduction;

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let entries = self.entries.iter().map(|entry| {
            vec![
                reproduction::sign(entry).to_owned(),
                entry.id.clone(),
                cut(&entry.printed, 32),
                cut(entry.computed.as_deref().unwrap_or("-"), 32),
            ]
        });
        table(out, ["", "name", "printed", "computed"], 4, entries)?;
        writeln!(out)?;
        for entry in self.surprises() {
            writeln!(
                out,
                "{}: {} printed, {} computed, which was not expected",
                entry.id,
                entry.printed,
                entry.computed.as_deref().unwrap_or("nothing"),
            )?;
        }
        writeln!(out, "{}", reproduction::summary(self))
    }
}
