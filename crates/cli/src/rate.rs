//! `errare rate`: intrinsic ratings.

use errare_report::{annotated, csv, page};
use errare_service::rate;

use crate::prelude::*;

/// Rates players by the quality of the moves played, with an interval
#[derive(Debug, Args)]
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

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service()?;
    let request = rate::Request {
        player: arguments.player.clone(),
        merge: arguments.merge,
        level: arguments.level,
        costliest: arguments.costliest,
        annotate: arguments.pgn.is_some(),
        ..rate::Request::new(arguments.evidence.choice())
    };
    let (html, typed) = (arguments.html.as_ref(), typed_command());
    if arguments.player.is_none() {
        let everyone = watched(|watch| rate::everyone(&service, &request, watch))?;
        files::write_to(html, || page::ratings(&everyone, Some(&typed)))?;
        arguments.format.show(&everyone, csv::ratings)?;
        return Ok(exit_code(!everyone.players.is_empty()));
    }
    let mut answer = watched(|watch| rate::answer(&service, &request, watch))?;
    files::write_to(html, || page::rating(&answer, Some(&typed)))?;
    let games = std::mem::take(&mut answer.annotated);
    files::write_to(arguments.pgn.as_ref(), || annotated::text(&games))?;
    arguments.format.show(&answer, csv::rating)
}
