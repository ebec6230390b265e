//! Ratings of one player or of all.

use std::io::{self, Write};

use errare_service::rate::{Answer, Everyone};

use super::{Text, table};
use crate::rating::{
    AGREEMENT, COSTLY, EVERYONE, GROUP, LEGEND, MEANING, ORDER, Statement, agreement, costly_row,
    everyone_row, group_row, groups, headline, statements,
};

impl Text for Everyone {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}\n", self.evidence.engine)?;
        let players = self.players.iter().map(everyone_row);
        table(out, EVERYONE, 1, players)?;
        writeln!(out)?;
        for unrated in &self.unrated {
            let (player, turns) = (&unrated.player, unrated.turns);
            let reason = &unrated.reason;
            writeln!(out, "{player}: not rated, {reason} ({turns} turns).")?;
        }
        writeln!(out, "{ORDER}\n{MEANING}")
    }
}

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", headline(self))?;
        writeln!(out)?;
        let rows = statements(self);
        table(
            out,
            Statement::head(self),
            1,
            rows.iter().map(Statement::row),
        )?;
        writeln!(out, "\n{}", agreement(self))?;
        for warning in &self.warnings {
            writeln!(out, "Note: {warning}.")?;
        }
        for (title, groups) in groups(self) {
            let mut head = GROUP;
            head[0] = title;
            writeln!(out)?;
            table(out, head, 1, groups.iter().map(group_row))?;
        }
        writeln!(out, "\n{MEANING}\n{AGREEMENT}")?;
        if !self.costliest.is_empty() {
            writeln!(out)?;
            table(out, COSTLY, 4, self.costliest.iter().map(costly_row))?;
            writeln!(out, "\n{LEGEND}")?;
        }
        Ok(())
    }
}
