//! `errare rate`: a player's intrinsic rating.

mod annotate;
mod answer;
mod page;
mod print;

use std::{path::PathBuf, process::ExitCode};

use anyhow::{Result, ensure};
use clap::Args;
use errare_rating::PlayerTurns;

use crate::{calibrating::Calibrating, output, viewing::Viewing};

/// Rates a player by the quality of the moves played, with an interval
///
/// The rating is that of the calibrated agent that agrees best with the moves. Its interval is part of
/// it: 250 turns, some eight games, tell no more than about 200 Elo to either side.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    viewing: Viewing,

    /// The player, or a part of the name
    #[arg(long, value_name = "NAME")]
    player: String,

    /// Take all who match for one player, whose name is spelled in several ways
    #[arg(long)]
    merge: bool,

    #[command(flatten)]
    calibrating: Calibrating,

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
    #[arg(long, value_name = "GAMES.pgn")]
    pgn: Option<PathBuf>,

    /// Print JSON instead of tables
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print the ratings of all groups as CSV instead of tables
    #[arg(long)]
    csv: bool,
}

const EXAMPLES: &str = "\
Examples:
  errare rate study.db --player Timman --calibration calibration.json
  errare rate study.db --player Timman --html report.html --pgn annotated.pgn";

/// Rates and reports.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    ensure!(
        arguments.level > 0.0 && arguments.level < 1.0,
        "--level {} is not between 0 and 1",
        arguments.level
    );
    let (study, view) = arguments.viewing.open()?;
    let calibration = arguments.calibrating.load(&view.engine)?;
    let players = PlayerTurns::all(&study, &view)?;
    let player = PlayerTurns::find(players, &arguments.player, arguments.merge)?;
    if player.turns.is_empty() {
        talk!("errare: {} has no turn that is used", player.name);
        return Ok(ExitCode::from(1));
    }
    let answer = answer::Answer::new(&player, &calibration, arguments)?;
    if let Some(path) = &arguments.html {
        page::write(path, &answer)?;
    }
    if let Some(path) = &arguments.pgn {
        let agent = calibration.agent(answer.rating.mean);
        annotate::write(path, &study, &view, &player, &agent)?;
    }
    if arguments.json {
        output::json(&answer)?;
    } else if arguments.csv {
        print::csv(&answer)?;
    } else {
        print::tables(&answer)?;
    }
    Ok(ExitCode::SUCCESS)
}
