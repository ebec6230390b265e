//! The two games between Browne and BELLE, and the user's own.

use errare_choice::{Kappa, PriorShape};
use errare_endgame::{AnalyserSettings, GameAnalysis, Oracle, Values, analyse};
use errare_games::Game;

use crate::Error;

/// Both games with the printed notes.
pub(super) const BROWNE_BELLE: &str =
    include_str!("../../../endgame/tests/suite/data/browne-belle.pgn");

/// Games 1 and 2.
pub(super) fn browne_belle() -> Vec<Game> {
    games(BROWNE_BELLE)
}

/// The games of a text, as far as they can be read.
pub(super) fn games(pgn: &str) -> Vec<Game> {
    errare_games::games(pgn.as_bytes())
        .filter_map(Result::ok)
        .collect()
}

/// The Analyser's result for a game.
pub(super) fn analysed(
    oracle: &Oracle,
    game: &Game,
    kappa: Kappa,
    grid: &str,
) -> Result<GameAnalysis, Error> {
    let settings = AnalyserSettings {
        kappa,
        values: Values::Kept,
        grid: grid.parse().expect("grids are well written here"),
        prior: PriorShape::Uniform,
    };
    Ok(analyse(oracle, game, &settings)?)
}
