//! The list of drills, and the person's progress.

use std::io::{self, Write};

use errare_service::practice::{
    Drill, Rush,
    history::{Progress, ProgressPoint},
};

use super::{Text, table};
use crate::{practice::day, words::counted};

impl Text for [Drill] {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        for drill in self {
            let (name, endgame, title) = (&drill.name, drill.endgame().to_string(), &drill.title);
            writeln!(out, "{name:<17} {endgame:<6} {title}")?;
            writeln!(out, "    {} {}\n", drill.instruction, drill.goal)?;
        }
        Ok(())
    }
}

impl Text for Progress {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        if self.points.is_empty() {
            writeln!(out, "No session has a move yet.")?;
        } else {
            let header = ["date", "game", "task", "result", "slips", "c (95 %)"];
            table(&mut *out, header, 4, self.points.iter().map(row))?;
        }
        if self.points.is_empty() && self.slips == 0 {
            return Ok(());
        }
        let recalled = self.recalled.map_or(String::new(), |share| {
            format!(", {:.0} % of reviews went well", 100.0 * share)
        });
        let slips = counted(self.slips.into(), "slip", "slips");
        writeln!(out, "{slips} kept for review, {} due{recalled}.", self.due)?;
        if self.due > 0 {
            writeln!(out, "errare practice --review tries them again.")?;
        }
        Ok(())
    }
}

fn row(point: &ProgressPoint) -> Vec<String> {
    let session = &point.session;
    let result = match (&session.result, session.achieved) {
        (None, _) => "open".to_owned(),
        (Some(result), true) => format!("{result} ✓"),
        (Some(result), false) => result.clone(),
    };
    let start = session.drill.as_ref().unwrap_or(&session.endgame);
    vec![
        day(session.begun),
        start.clone(),
        session.task.clone(),
        result,
        session.slips.to_string(),
        point.words().unwrap_or_else(|| "-".to_owned()),
    ]
}

impl Text for Rush {
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "\n{}", self.result().words)
    }
}
