//! `errare markov`: the transition matrix of an endgame.

use errare_report::prediction;
use errare_service::{markov, model::ValueRule};

use crate::prelude::*;

/// Computes the Markov matrix of a player's moves in an endgame
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: WrittenEndgame,

    /// The player's competence: 0 plays at random, inf is infallible
    #[arg(long, value_name = "C")]
    skill: Competence,

    /// The player's side: white is named first in KQKR, black second
    #[arg(long, default_value = "white")]
    side: Colour,

    /// Whether moves that lose value are never played (keep) or played as their preference says (risk)
    #[arg(long, default_value = "keep")]
    value: ValueRule,

    #[command(flatten)]
    format: Format,

    #[command(flatten)]
    model: ModelOptions,
}

pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.model.tables.service()?;
    let request = markov::Request {
        endgame: arguments.endgame.material(),
        skill: arguments.skill,
        side: side_of(&arguments.endgame, arguments.side),
        value: arguments.value,
        model: arguments.model.get(),
    };
    let answer = watched(|watch| markov::answer(&service, &request, watch))?;
    arguments.format.show(&answer, prediction::matrix_csv)
}
