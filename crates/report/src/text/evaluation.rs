//! Summaries of evaluations, imports and exports.

use std::io::{self, Write};

use errare_core::grouped;
use errare_service::{
    evaluate::{Answer, ImportAnswer},
    export,
};

use super::Text;
use crate::words::counted;

impl Text for Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = |number: usize| grouped(number as u64);
        let Answer {
            positions, entered, ..
        } = self;
        writeln!(out, "engine     {}", self.engine)?;
        writeln!(
            out,
            "games      {}, {} of them new; {} skipped",
            count(self.games),
            count(entered.new_games),
            counted(entered.bad_games.len() as u64, "bad one", "bad ones"),
        )?;
        write!(out, "turns      {}", count(self.turns))?;
        for (reason, turns) in &self.excluded {
            write!(out, ", {} {reason}", count(*turns))?;
        }
        writeln!(
            out,
            "\npositions  {} evaluated, {} known already, {} left",
            count(positions.evaluated + positions.elsewhere),
            count(positions.known),
            count(positions.left),
        )
    }

    fn remarks(&self) -> Vec<String> {
        let (interrupted, failed) = (self.positions.interrupted, self.positions.failed);
        let remark = match (interrupted, failed) {
            (true, _) => {
                "interrupted; finished evaluations are kept, and the same command continues"
                    .to_owned()
            }
            (false, 0) => return Vec::new(),
            (false, failed) => format!(
                "positions at which the engine kept failing: {failed}; run the same command to retry them"
            ),
        };
        vec![remark]
    }
}

impl Text for ImportAnswer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let count = |number: usize| grouped(number as u64);
        writeln!(
            out,
            "{} turns of {}, {} new games, {} new evaluations",
            count(self.imported.turns),
            self.file.display(),
            count(self.imported.games),
            count(self.imported.evaluations),
        )
    }
}

impl Text for export::Answer {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", self.engine)?;
        for (file, rows) in self.files.iter().zip([self.turns, self.moves]) {
            writeln!(out, "{}: {} rows", file.display(), grouped(rows as u64))?;
        }
        Ok(())
    }
}
