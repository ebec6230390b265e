//! `errare markov`: the transition matrix of an endgame.

use errare_report::prediction;
use errare_service::{markov, model::Value};

use crate::prelude::*;

/// Computes the Markov matrix of a player's moves in an endgame
///
/// Entry m_ij is the probability that R_c, to move in a position of state i, moves to state j,
/// averaged over all positions of state i on the full board. States are win 0 (achieved), win 1, ...,
/// draw, drawn (for good: stalemate or a drawn subgame), ..., loss 1, loss 0, from the player's view;
/// j has the depth of the position after the move. Rows of states without positions are those of an
/// infallible player.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The endgame, as KQKR or KQvKR
    endgame: Material,

    /// The player's competence: 0 plays at random, inf is infallible
    #[arg(long, value_name = "C")]
    skill: Competence,

    /// The player's side: white is named first in KQKR, black second
    #[arg(long, default_value = "white")]
    side: Colour,

    /// Whether moves that lose value are never played (keep) or played as their preference says (risk)
    #[arg(long, default_value = "keep")]
    value: Value,

    #[command(flatten)]
    format: Format,

    #[command(flatten)]
    model: ModelOptions,
}

const EXAMPLES: &str = "\
Examples:
  errare markov KQKR --skill 20 --csv > kqkr.csv
  errare markov KQKR --skill 10 --side black --value risk";

/// Computes and shows.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let service = arguments.model.service()?;
    let request = markov::Request {
        endgame: arguments.endgame,
        skill: arguments.skill,
        side: arguments.side,
        value: arguments.value,
        model: arguments.model.get(),
    };
    let answer = watched(|watch| markov::answer(&service, &request, watch))?;
    arguments.format.show(&answer, prediction::matrix_csv)
}
