//! `errare screen`: whose moves agree with the engine more than the rating explains?

use errare_report::{csv, page};
use errare_service::screen;

use crate::prelude::*;

/// Compares each player's moves with what the player's rating predicts, and ranks them
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    evidence: EvidenceOptions,

    /// Write a report as a page, with every game and turn, the method and its caveats
    #[arg(long, value_name = "REPORT.html")]
    html: Option<PathBuf>,

    #[command(flatten)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = service()?;
    let request = screen::Request {
        evidence: arguments.evidence.choice(),
        details: arguments.html.is_some(),
    };
    let answer = watched(|watch| screen::answer(&service, &request, watch))?;
    let page = || page::screening(&answer, Some(&typed_command()));
    files::write_to(arguments.html.as_ref(), page)?;
    if arguments.format.json {
        output::remark(&answer);
        output::json(&answer.players)?;
        return Ok(ExitCode::SUCCESS);
    }
    arguments.format.show(&answer, csv::screening)
}
