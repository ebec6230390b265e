//! Finds the depth that best explains the moves of games.

use std::{error, num::NonZeroU32, path::Path};

use errare_core::{FaultKind, Watch, with_causes};
use errare_games::{Game, games, open};
use errare_minimax::{Alpha, DepthRater, RatedPlayer, Terminals, rate};
use serde::{Deserialize, Serialize};
use shakmaty::Chess;

use super::search;
use crate::Error;

/// Settings of the rating.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MinimaxRateSettings {
    /// The depths to try.
    #[cfg_attr(feature = "schema", schema(value_type = Vec<u32>))]
    pub depths: Vec<NonZeroU32>,
    /// The rate at which a player is assumed to move at random.
    pub lapse: f64,
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// The value of terminal positions.
    pub terminals: Terminals,
    /// Start even if it may take more than an hour?
    #[serde(default)]
    pub long: bool,
}

/// The error allowed in probabilities: far below the contribution of the lapse.
const TOLERANCE: f64 = 1e-6;

/// How well each depth explains each player's moves.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxRateAnswer))]
pub struct Answer {
    /// The number of scores a leaf can have; null for continuous scores.
    pub alpha: Alpha,
    /// The value of terminal positions.
    pub terminals: Terminals,
    /// The rate at which a player is assumed to move at random.
    pub lapse: f64,
    /// The players of each game.
    pub players: Vec<PlayerAnswer>,
}

/// A player of a game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerAnswer {
    /// Depth by depth.
    #[serde(flatten)]
    pub rated: RatedPlayer,
    /// The depth that explains the moves best.
    pub best: Option<u32>,
}

/// Rates the players of the games of a file.
pub fn answer(
    file: &Path,
    settings: &MinimaxRateSettings,
    watch: &dyn Watch,
) -> Result<Answer, Error> {
    rate_games(&read(file, watch)?, settings, watch)
}

fn read(file: &Path, watch: &dyn Watch) -> Result<Vec<Game>, Error> {
    let missing = |error: &dyn error::Error| Error::new(FaultKind::Missing, with_causes(error));
    let mut all = Vec::new();
    for game in games(open(file).map_err(|error| missing(&error))?) {
        let game = game.map_err(|error| {
            missing(&error).context(format!("cannot read {} to its end", file.display()))
        })?;
        for problem in &game.problems {
            watch.tell(&format!("game {}: {problem}", game.number));
        }
        all.push(game);
    }
    Ok(all)
}

/// Rates the players of games.
pub fn rate_games(
    games: &[Game],
    settings: &MinimaxRateSettings,
    watch: &dyn Watch,
) -> Result<Answer, Error> {
    if !(0.0..=1.0).contains(&settings.lapse) {
        return Err(Error::bad_request(
            "a lapse is a probability between 0 and 1, such as 0.01",
        ));
    }
    let positions: usize = games.iter().map(|game| game.moves.len()).sum();
    // The greatest depth takes nearly all of the time.
    if let Some(&depth) = settings.depths.iter().max() {
        let times = positions.try_into().unwrap_or(u32::MAX);
        let start = Chess::default();
        search::check_cost(&start, depth, settings.alpha, times, settings.long)?;
    }
    let rating = DepthRater {
        depths: settings.depths.clone(),
        alpha: settings.alpha,
        terminals: settings.terminals,
        lapse: settings.lapse,
        tolerance: TOLERANCE,
    };
    watch.begin("searching positions", Some(positions as u64));
    let mut players = Vec::new();
    for game in games {
        for rated in rate(game, &rating, watch)? {
            let best = rated.best().map(|fit| fit.depth.get());
            players.push(PlayerAnswer { rated, best });
        }
    }
    Ok(Answer {
        alpha: settings.alpha,
        terminals: settings.terminals,
        lapse: settings.lapse,
        players,
    })
}
