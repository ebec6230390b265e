//! Matches between two automata, as in the paper: adjudicated at a limit of plies, with the paper's win(δ_1, δ_2).

use errare_core::Watch;
use errare_minimax::{
    Alpha, ConnectFour, GamePosition, MatchTally, MinimaxMatch, MinimaxPlayer, Othello, PlayedGame,
};
use serde::{Deserialize, Serialize};

use super::search;
use crate::{Error, matches::GameName};

/// A match between two players.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxMatchRequest))]
pub struct Request {
    /// The players: `minimax:depth=4`, `zero:depth=4` or `random`, with settings after a comma.
    pub players: [String; 2],
    /// The game.
    #[serde(default)]
    pub game: GameName,
    /// The number of games, with alternating colours.
    pub games: u32,
    /// The number of plies after which games are adjudicated.
    pub max_plies: u32,
    /// The starting position of chess games, as FEN or `start`.
    #[serde(default)]
    pub from: Option<String>,
    /// The seed of the random numbers; random if missing.
    #[serde(default)]
    pub seed: Option<u64>,
    /// Start even if it may take more than an hour?
    #[serde(default)]
    pub long: bool,
}

/// The result of the match.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = MinimaxMatchAnswer))]
pub struct Answer {
    /// The seed of the random numbers.
    pub seed: u64,
    /// The game.
    pub game: GameName,
    /// The number of games.
    pub games: u32,
    /// The players, by name.
    pub players: [String; 2],
    /// The results.
    pub results: MatchTally,
}

/// Plays the match.
pub fn answer(request: &Request, watch: &dyn Watch) -> Result<Answer, Error> {
    if request.from.is_some() && request.game != GameName::Chess {
        return Err(Error::bad_request(
            "a position to start from is for chess; the other games start from their own",
        ));
    }
    let players: [MinimaxPlayer; 2] = [request.players[0].parse()?, request.players[1].parse()?];
    let seed = request.seed.unwrap_or_else(rand::random);
    let played = match request.game {
        GameName::Chess => {
            let start = search::position(request.from.as_deref().unwrap_or("start"))?;
            meet(request, players, seed, start, watch)?
        }
        GameName::Othello => meet(request, players, seed, Othello::default(), watch)?,
        GameName::Connect4 => meet(request, players, seed, ConnectFour::default(), watch)?,
    };
    Ok(Answer {
        seed,
        game: request.game,
        games: request.games,
        players: players.map(|player| player.to_string()),
        results: MatchTally::of(&played),
    })
}

fn meet<G: GamePosition>(
    request: &Request,
    players: [MinimaxPlayer; 2],
    seed: u64,
    start: G,
    watch: &dyn Watch,
) -> Result<Vec<PlayedGame>, Error> {
    let moves = request.games.saturating_mul(request.max_plies / 2);
    for player in players {
        if let MinimaxPlayer::Minimax(automaton) = player {
            // An upper bound: sampled searches are pruned, and games end before the limit.
            let depth = automaton.depth;
            search::check_cost(&start, depth, Alpha::CONTINUOUS, moves, request.long)?;
        }
    }
    let meeting = MinimaxMatch {
        players,
        start,
        games: request.games,
        most_plies: request.max_plies,
        seed,
    };
    Ok(meeting.play(watch)?)
}
