//! Exact predictions for one position against the infallible opponent, and simulated games. Where value is at risk,
//! the position is followed as against any other opponent (`hunted`).

use std::thread;

use errare_core::{FaultKind, Material, Watch};
use errare_endgame::{ExactPredictor, Oracle, Simulator, TieBreak};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};

use super::{PredictOpponent, ValueRule, hunted};
use crate::{Error, Service, spread::Spread};

/// A position to follow exactly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PredictPositionRequest))]
pub struct Request {
    /// The position, which the side to move wins.
    pub fen: String,
    /// How the infallible opponent breaks ties.
    #[serde(default)]
    pub ties: TieBreak,
    /// Games to simulate as well.
    #[serde(default)]
    pub simulate: Option<Simulation>,
}

/// Games to simulate from the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Simulation {
    /// The number of games.
    pub games: u64,
    /// The number of moves after which games are abandoned.
    #[serde(default = "Simulation::most_moves")]
    pub max_moves: u64,
    /// The seed of the random numbers; random if missing.
    #[serde(default)]
    pub seed: Option<u64>,
}

impl Simulation {
    /// The default number of moves after which games are abandoned.
    pub fn most_moves() -> u64 {
        100_000
    }

    /// Refuses games that would not tell how often the player wins within this many moves.
    fn check(&self, moves: u32) -> Result<(), Error> {
        if self.games < 2 {
            return Err(Error::bad_request(format!(
                "simulate at least 2 games, not {}",
                self.games
            )));
        }
        if self.max_moves < moves.into() {
            return Err(Error::bad_request(format!(
                "games abandoned after {} moves do not show whether they are won within {moves}",
                self.max_moves
            )));
        }
        Ok(())
    }
}

/// The prediction for one position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema), schema(as = PredictPositionAnswer))]
pub struct Answer {
    /// The position.
    pub fen: String,
    /// The opponent.
    pub opponent: PredictOpponent,
    /// How the opponent breaks ties.
    pub ties: TieBreak,
    /// The expected number of the player's moves; none where play may go on for ever, or nearly so.
    pub expected_moves: Option<f64>,
    /// Bounds of the exact number.
    pub bounds: Option<[f64; 2]>,
    /// The probability of winning in time.
    pub win_within: f64,
    /// The probability of winning in the end, where value is at risk; none where play takes too long to be solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub win: Option<f64>,
    /// The simulated games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Simulated>,
}

/// The results of simulated games.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Simulated {
    /// The number of games.
    pub games: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// The number of abandoned games.
    pub unfinished: u64,
    /// The length of the finished games.
    pub moves: Option<Spread>,
    /// The share of games won in time. The hunter plays for length in all of them.
    pub win_within: f64,
}

/// The side of the endgame to move in the position, which must agree with the rest of the request.
pub(super) fn player(request: &super::Request, position: &Chess) -> Result<Color, Error> {
    let (endgame, flipped) = Material::of(position.board());
    if endgame != request.endgame {
        return Err(Error::bad_request(format!(
            "the position is one of {endgame}, not of {}",
            request.endgame
        )));
    }
    let infallible = request.opponent == PredictOpponent::INFALLIBLE;
    if matches!(request.opponent, PredictOpponent::Competence(_)) && !infallible {
        return Err(Error::bad_request(
            "a position is followed exactly against the infallible opponent, the Predator or the hunter",
        ));
    }
    if let Some(wanted) = &request.position
        && !(infallible && request.value == ValueRule::Keep)
    {
        hunted::check(wanted, request.value)?;
    }
    if let Some(simulation) = request.position.as_ref().and_then(|it| it.simulate) {
        simulation.check(request.moves)?;
    }
    Ok(match flipped {
        true => !position.turn(),
        false => position.turn(),
    })
}

pub(super) fn answer(
    service: &Service,
    request: &super::Request,
    wanted: &Request,
    oracle: &Oracle,
    position: &Chess,
    watch: &dyn Watch,
) -> Result<Answer, Error> {
    if request.value == ValueRule::Risk {
        return hunted::infallible(service, request, wanted, oracle, position, watch);
    }
    let memory = service.tables.memory()?;
    let kappa = request.model.kappa;
    let exact = ExactPredictor::new(oracle, position, kappa, wanted.ties, memory, watch)?;
    let competence = request.skill.get();
    let expected = exact.expected_moves(position, competence, watch)?;
    let win_within = exact.win_within(position, competence, request.moves, watch)?;
    let simulator = || Ok(exact.simulator(position, competence)?);
    let simulated = simulate(request, wanted, simulator, watch)?;
    Ok(Answer {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        opponent: request.opponent,
        ties: wanted.ties,
        expected_moves: Some(expected.value),
        bounds: Some([expected.low, expected.high]),
        win_within,
        win: None,
        simulated,
    })
}

/// The games to simulate, if any.
pub(super) fn simulate(
    request: &super::Request,
    wanted: &Request,
    simulator: impl FnOnce() -> Result<Simulator, Error>,
    watch: &dyn Watch,
) -> Result<Option<Simulated>, Error> {
    let Some(simulation) = wanted.simulate else {
        return Ok(None);
    };
    let Simulation {
        games, max_moves, ..
    } = simulation;
    let seed = simulation.seed.unwrap_or_else(rand::random);
    let threads = thread::available_parallelism()
        .map_err(|error| Error::new(FaultKind::Internal, error.to_string()))?
        .get();
    let lengths = simulator()?.play(games, seed, max_moves, threads, watch)?;
    let in_time = |&&moves: &&u64| moves <= request.moves.into();
    let won = lengths.moves.iter().filter(in_time).count();
    let games = (lengths.moves.len() + lengths.unfinished) as u64;
    Ok(Some(Simulated {
        games,
        seed,
        unfinished: lengths.unfinished as u64,
        moves: Spread::of(lengths.moves.iter().map(|&moves| moves as f64)),
        win_within: won as f64 / games as f64,
    }))
}
