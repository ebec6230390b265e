//! `errare difficulty`: how hard endgames are to win.

use errare_report::{plot, prediction};
use errare_service::difficulty;

use crate::prelude::*;

/// Says how difficult endgames are to win for a fallible player against an infallible one
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The endgames, as KQKR or KQvKR
    #[arg(required = true)]
    endgames: Vec<WrittenEndgame>,

    /// The side that wins: white is named first in KQKR, black second
    #[arg(long, default_value = "white")]
    side: Colour,

    /// Number of moves within which the win has to be achieved
    #[arg(long, value_name = "N", default_value_t = 50)]
    moves: u32,

    /// Also solve the best possible resistance, the exact hunter's, for these competences
    #[arg(long, value_name = "C,...", value_delimiter = ',')]
    hunter: Vec<Competence>,

    /// Draw length and chance against competence, as SVG
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    format: Format,

    #[command(flatten)]
    model: ModelOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.model.tables.service()?;
    let mut found = Vec::new();
    for endgame in &arguments.endgames {
        let request = difficulty::Request {
            endgames: vec![endgame.material()],
            side: side_of(endgame, arguments.side),
            moves: arguments.moves,
            hunter: arguments.hunter.clone(),
            model: arguments.model.get(),
        };
        let answer = watched(|watch| difficulty::answer(&service, &request, watch))?;
        if !answer.without_win.is_empty() {
            talk!("errare: this side has no win in {endgame}");
        }
        found.extend(answer.found);
    }
    let found = &found;
    if found.is_empty() {
        return Ok(ExitCode::FAILURE);
    }
    let drawing = || plot::svg(&prediction::difficulty_panels(found, arguments.moves));
    files::write_to(arguments.plot.as_ref(), drawing)?;
    let rows = |out, found: &Vec<_>| prediction::difficulty_csv(out, found);
    arguments.format.show(found, rows)
}
