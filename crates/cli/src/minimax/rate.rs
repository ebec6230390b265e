//! `errare minimax rate`: the depth that explains the moves of games best.

use errare_service::minimax::{
    rate::{self, MinimaxRateSettings},
    typed::SearchDepths,
};

use super::search::Tree;
use crate::prelude::*;

#[derive(Args)]
pub(super) struct Arguments {
    /// Games in PGN, plain, `.gz` or `.zst`; `-` reads standard input.
    file: PathBuf,
    /// The depths to try.
    #[arg(long, default_value = "1..4")]
    depths: SearchDepths,
    /// How often a player is taken to move at random.
    #[arg(long, default_value = "0.01")]
    lapse: f64,
    #[command(flatten)]
    tree: Tree,
}

pub(super) fn run(arguments: &Arguments, json: bool) -> Result<ExitCode> {
    let settings = MinimaxRateSettings {
        depths: arguments.depths.0.clone(),
        lapse: arguments.lapse,
        alpha: arguments.tree.alpha,
        terminals: arguments.tree.terminals,
        long: arguments.tree.consent.yes,
    };
    let answer = watched(|watch| rate::answer(&arguments.file, &settings, watch))?;
    if answer.players.iter().all(|player| player.rated.moves == 0) {
        talk!("errare: no moves in {}", arguments.file.display());
        return Ok(exit_code(false));
    }
    output::show(&answer, json)
}
