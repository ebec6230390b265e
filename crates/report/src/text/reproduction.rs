//! The papers computed again, one line per entry.

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
        for (why, ids) in reasons(self) {
            writeln!(out, "{}: {why}\n", listed(&ids))?;
        }
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

/// The first names, and how many more there are.
fn listed(ids: &[&str]) -> String {
    const SHOWN: usize = 3;
    match ids.len().saturating_sub(SHOWN) {
        0 | 1 => ids.join(", "),
        more => format!("{} and {more} more", ids[..SHOWN].join(", ")),
    }
}

/// Why entries differ, cannot be computed or go beyond the paper, each reason once with the entries that it
/// explains.
fn reasons(answer: &Answer) -> Vec<(&str, Vec<&str>)> {
    let mut reasons: Vec<(&str, Vec<&str>)> = Vec::new();
    for entry in &answer.entries {
        let Some(why) = entry.why.as_deref() else {
            continue;
        };
        match reasons.iter_mut().find(|(known, _)| *known == why) {
            Some((_, ids)) => ids.push(&entry.id),
            None => reasons.push((why, vec![&entry.id])),
        }
    }
    reasons
}
