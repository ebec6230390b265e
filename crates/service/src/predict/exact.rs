//! One position, followed exactly against the infallible opponent, and by simulated games.

use std::thread;

use errare_core::{FaultKind, Material, Watch};
use errare_endgame::{ExactPredictor, Oracle, TieBreak};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};

use super::{Opponent, Value, hunted};
use crate::{Error, Service, spread::Spread};

/// A position to be followed exactly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Request {
    /// The position, which the side to move wins.
    pub fen: String,
    /// How the infallible opponent chooses among equally good moves.
    #[serde(default)]
    pub ties: TieBreak,
    /// Games to be played besides.
    #[serde(default)]
    pub simulate: Option<Simulation>,
}

/// Games to be played from the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Simulation {
    /// How many games.
    pub games: u64,
    /// Games are broken off after so many moves.
    #[serde(default = "Simulation::most_moves")]
    pub max_moves: u64,
    /// The seed of the random numbers; random if none is given.
    #[serde(default)]
    pub seed: Option<u64>,
}

impl Simulation {
    /// Games are broken off after so many moves if nothing else is said.
    pub fn most_moves() -> u64 {
        100_000
    }
}

/// What is expected of one position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Answer {
    /// The position.
    pub fen: String,
    /// The opponent.
    pub opponent: Opponent,
    /// How the opponent chooses among equally good moves.
    pub ties: TieBreak,
    /// The expected number of the player's moves; none where play may go on for ever, or nearly so.
    pub expected_moves: Option<f64>,
    /// The exact number lies between these.
    pub bounds: Option<[f64; 2]>,
    /// How likely the win is achieved in time.
    pub win_within: f64,
    /// What games from the position were like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub simulated: Option<Simulated>,
}

/// What games from the position were like.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Simulated {
    /// How many were played.
    pub games: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// How many were broken off.
    pub unfinished: u64,
    /// The length of the games that were finished.
    pub moves: Option<Spread>,
    /// The share of the games that were won in time.
    pub win_within: f64,
}

/// The side of the endgame that is to move in the position, which must fit the other wishes.
pub(super) fn player(request: &super::Request, position: &Chess) -> Result<Color, Error> {
    let (endgame, flipped) = Material::of(position.board());
    if endgame != request.endgame {
        return Err(Error::bad_request(format!(
            "the position is one of {endgame}, not of {}",
            request.endgame
        )));
    }
    if let (Opponent::Resistance(_), Some(wanted)) = (request.opponent, &request.position) {
        hunted::check(wanted)?;
    } else if request.opponent != Opponent::INFALLIBLE || request.value == Value::Risk {
        return Err(Error::bad_request(
            "a position is followed exactly against the infallible opponent, the Predator or the hunter, and with value kept",
        ));
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
    let memory = service.tables.memory()?;
    let kappa = request.model.kappa;
    let exact = ExactPredictor::new(oracle, position, kappa, wanted.ties, memory, watch)?;
    let competence = request.skill.get();
    let expected = exact.expected_moves(position, competence, watch)?;
    let win_within = exact.win_within(position, competence, request.moves, watch)?;
    let simulated = wanted
        .simulate
        .map(|simulation| simulate(request, simulation, &exact, position, watch))
        .transpose()?;
    Ok(Answer {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        opponent: request.opponent,
        ties: wanted.ties,
        expected_moves: Some(expected.value),
        bounds: Some([expected.low, expected.high]),
        win_within,
        simulated,
    })
}

fn simulate(
    request: &super::Request,
    simulation: Simulation,
    exact: &ExactPredictor<'_>,
    position: &Chess,
    watch: &dyn Watch,
) -> Result<Simulated, Error> {
    let Simulation {
        games, max_moves, ..
    } = simulation;
    let simulator = exact.simulator(position, request.skill.get())?;
    let seed = simulation.seed.unwrap_or_else(rand::random);
    let threads = thread::available_parallelism()
        .map_err(|error| Error::new(FaultKind::Internal, error.to_string()))?
        .get();
    let lengths = simulator.play(games, seed, max_moves, threads, watch)?;
    if lengths.unfinished > 0 && max_moves < request.moves.into() {
        return Err(Error::bad_request(format!(
            "games broken off after {max_moves} moves do not tell whether they are won within {}",
            request.moves
        )));
    }
    let in_time = |&&moves: &&u64| moves <= request.moves.into();
    let won = lengths.moves.iter().filter(in_time).count();
    let games = (lengths.moves.len() + lengths.unfinished) as u64;
    Ok(Simulated {
        games,
        seed,
        unfinished: lengths.unfinished as u64,
        moves: Spread::of(lengths.moves.iter().map(|&moves| moves as f64)),
        win_within: won as f64 / games as f64,
    })
}
