//! What there is to practise, and how it has been going.

use std::{io::Write, path::Path, process::ExitCode};

use anyhow::Result;
use errare_service::practice::{
    drills as all_drills,
    history::{History, now},
};
use serde::Serialize;

use super::show;
use crate::{files, output};

/// Lists the drills.
pub(super) fn drills(json: bool) -> Result<ExitCode> {
    if json {
        output::json(&all_drills())?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = anstream::stdout().lock();
    for drill in all_drills() {
        let title = format!("{:<17} {:<6} {}", drill.name, drill.endgame(), drill.title);
        writeln!(out, "{title}")?;
        let words = format!("{} {}", drill.instruction, drill.goal);
        writeln!(out, "{}\n", show::wrapped(&format!("    {words}")))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows how the person is getting on.
pub(super) fn progress(history: &History, json: bool) -> Result<ExitCode> {
    let progress = history.progress(now())?;
    if json {
        output::json(&progress)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = anstream::stdout().lock();
    if progress.points.is_empty() {
        writeln!(out, "No session yet in {}.", history.path().display())?;
        return Ok(ExitCode::SUCCESS);
    }
    let rows = progress.points.iter().map(|point| {
        let session = &point.session;
        let result = match (&session.result, session.achieved) {
            (None, _) => "open".to_owned(),
            (Some(result), true) => format!("{result} ✓"),
            (Some(result), false) => result.clone(),
        };
        vec![
            date(session.begun),
            session
                .drill
                .clone()
                .unwrap_or_else(|| session.endgame.clone()),
            session.task.clone(),
            result,
            session.moves.to_string(),
            session.slips.to_string(),
            session.ceded.to_string(),
            point.words().unwrap_or_else(|| "-".to_owned()),
        ]
    });
    let header = [
        "date", "start", "task", "result", "moves", "slips", "ceded", "c (95 %)",
    ];
    errare_report::text::table(&mut out, header, 4, rows)?;
    let recalled = progress.recalled.map_or(String::new(), |share| {
        format!(", {:.0} % of reviews went well", 100.0 * share)
    });
    let slips = errare_report::words::counted(progress.slips as u64, "slip", "slips");
    writeln!(
        out,
        "{slips} kept for review, {} due{recalled}.",
        progress.due
    )?;
    if progress.due > 0 {
        writeln!(out, "errare practice --review tries them again.")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// "2026-11-16", by the calendar of Greenwich.
pub(super) fn date(seconds: i64) -> String {
    errare_report::practice::date(seconds).replace('.', "-")
}

/// Everything in the history, for a file.
#[derive(Serialize)]
struct Export<'a> {
    sessions: &'a [errare_service::practice::Session],
    slips: Vec<errare_service::practice::history::Slip>,
}

/// Writes the history to a file.
pub(super) fn export(history: &History, file: &Path) -> Result<ExitCode> {
    let sessions = history.sessions()?;
    let text = match file
        .extension()
        .is_some_and(|extension| extension == "json")
    {
        true => {
            let export = Export {
                sessions: &sessions,
                slips: history.slips()?,
            };
            serde_json::to_string_pretty(&export)? + "\n"
        }
        false => sessions.iter().map(errare_report::practice::pgn).collect(),
    };
    files::write(file, &text)?;
    let count = errare_report::words::counted(sessions.len() as u64, "session", "sessions");
    talk!("{count} written to {}", file.display());
    Ok(ExitCode::SUCCESS)
}
