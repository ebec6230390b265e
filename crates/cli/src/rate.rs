//! `errare rate`: intrinsic ratings.

use std::{path::PathBuf, process::ExitCode};

use anyhow::Result;
use clap::Args;
use errare_report::{annotated, csv, page};
use errare_service::rate::{self, Answer, Everyone, Request};

use crate::{
    files,
    options::{
        directory,
        evidence::{self, EvidenceOptions},
        format::Format,
    },
    watch::watched,
};

/// Rates players by the quality of the moves played, with an interval
///
/// Games are evaluated first where they are not yet, into a study beside the file or the one named by
/// --store; a study is rated as it is. The rating is that of the calibrated agent that agrees best with
/// the moves. Read it with its interval: 250 turns, about eight games, give no more than about 200 Elo to
/// either side. Without --player all players are rated.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    evidence: EvidenceOptions,

    /// The player, or a part of the name [default: all players]
    #[arg(long, value_name = "NAME")]
    player: Option<String>,

    /// Treat all matching names as one player whose name is spelled in several ways
    #[arg(long, requires = "player")]
    merge: bool,

    /// How often the interval should contain the true rating
    #[arg(long, default_value = "0.95")]
    level: f64,

    /// How many of the costliest turns to show
    #[arg(long, default_value = "10", value_name = "N")]
    costliest: usize,

    /// Write a report as a page
    #[arg(long, value_name = "REPORT.html")]
    html: Option<PathBuf>,

    /// Write the games with evaluations and the probability of each move at the player's own level
    #[arg(long, value_name = "GAMES.pgn", requires = "player")]
    pgn: Option<PathBuf>,

    #[command(flatten)]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  errare rate games.pgn
  errare rate games.pgn --player Timman --html report.html --pgn annotated.pgn
  errare rate study.db --player Timman --calibration calibration.json";

/// Rates and reports.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = directory::service()?;
    let request = Request {
        player: arguments.player.clone(),
        merge: arguments.merge,
        level: arguments.level,
        costliest: arguments.costliest,
        annotate: arguments.pgn.is_some(),
        ..Request::new(arguments.evidence.choice())
    };
    if arguments.player.is_none() {
        let everyone = watched(|watch| rate::everyone(&service, &request, watch))?;
        return all(arguments, &everyone);
    }
    let answer = watched(|watch| rate::answer(&service, &request, watch))?;
    if let Some(path) = &arguments.html {
        files::write(path, &page::rating(&answer, Some(&evidence::command()))?)?;
    }
    if let Some(path) = &arguments.pgn {
        let mut text = Vec::new();
        annotated::write(&mut text, &answer.annotated)?;
        files::write(path, &String::from_utf8(text)?)?;
    }
    let answer = Answer {
        annotated: Vec::new(),
        ..answer
    };
    arguments.format.show(&answer, csv::rating)
}

fn all(arguments: &Arguments, everyone: &Everyone) -> Result<ExitCode> {
    if let Some(path) = &arguments.html {
        files::write(path, &page::ratings(everyone, Some(&evidence::command()))?)?;
    }
    arguments.format.show(everyone, csv::ratings)?;
    Ok(ExitCode::from(u8::from(everyone.players.is_empty())))
}
