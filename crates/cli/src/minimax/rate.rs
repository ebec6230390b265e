//! `errare minimax rate`: the depth that explains the moves of games best.

use errare_minimax::{Alpha, Terminals};
use errare_service::minimax::rate::{self, MinimaxRateSettings};

use super::search::{self, Consent, Depths};
use crate::prelude::*;

#[derive(Args)]
pub(super) struct Arguments {
    /// Games in PGN, plain, `.gz` or `.zst`; `-` reads standard input.
    file: PathBuf,
    /// The depths to try.
    #[arg(long, default_value = "1..4", value_parser = search::depths)]
    depths: Depths,
    /// How often a player is taken to move at random.
    #[arg(long, default_value = "0.01")]
    lapse: f64,
    /// How many scores a leaf can have, or `continuous`.
    #[arg(long, default_value = "continuous")]
    alpha: Alpha,
    /// What an end of the game inside the tree is worth: `recognised` or `paper`.
    #[arg(long, default_value = "recognised")]
    terminals: Terminals,
    #[command(flatten)]
    consent: Consent,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let settings = MinimaxRateSettings {
        depths: arguments.depths.0.clone(),
        lapse: arguments.lapse,
        alpha: arguments.alpha,
        terminals: arguments.terminals,
        long: arguments.consent.yes,
    };
    let answer = watched(|watch| rate::answer(&arguments.file, &settings, watch))?;
    if answer.players.iter().all(|player| player.rated.moves == 0) {
        talk!("errare: no moves in {}", arguments.file.display());
        return Ok(exit_code(false));
    }
    output::show(&answer, json)
}
