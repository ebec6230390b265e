//! One position, followed exactly.

use std::{thread, time::Duration};

use anyhow::{Result, bail};
use errare_core::Material;
use errare_endgame::{ExactPredictor, Oracle};
use indicatif::ProgressBar;
use serde::Serialize;
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};

use super::Arguments;
use crate::{
    competence::{Competence, Value},
    interrupt,
    spread::Spread,
};

/// What is expected of one position.
#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) fen: String,
    pub(super) ties: String,
    pub(super) expected_moves: f64,
    /// Between these the exact number lies.
    pub(super) bounds: [f64; 2],
    pub(super) win_within: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) simulated: Option<Simulated>,
}

/// What games from the position were like.
#[derive(Serialize)]
pub(super) struct Simulated {
    pub(super) games: usize,
    pub(super) seed: u64,
    pub(super) unfinished: usize,
    /// Of the games that were finished.
    pub(super) moves: Option<Spread>,
    pub(super) win_within: f64,
}

/// The side of the endgame that is to move in the position, which must fit the other options.
pub(super) fn player(arguments: &Arguments, position: &Chess) -> Result<Color> {
    let (endgame, flipped) = Material::of(position.board());
    if endgame != arguments.endgame {
        bail!(
            "the position is one of {endgame}, not of {}",
            arguments.endgame
        );
    }
    if arguments.opponent != Competence(f64::INFINITY) || arguments.value == Value::Risk {
        bail!(
            "--position is followed against the infallible opponent, value being kept; leave out --opponent and --value"
        );
    }
    Ok(match flipped {
        true => !position.turn(),
        false => position.turn(),
    })
}

pub(super) fn answer(arguments: &Arguments, oracle: &Oracle, position: &Chess) -> Result<Answer> {
    let spinner = ProgressBar::new_spinner()
        .with_message(format!("following play in {} exactly", arguments.endgame));
    spinner.enable_steady_tick(Duration::from_millis(100));
    let exact = ExactPredictor::new(
        oracle,
        position,
        arguments.model.kappa,
        arguments.ties,
        arguments.model.memory()?,
    )?;
    let competence = arguments.skill.0;
    let expected = exact.expected_moves(position, competence)?;
    let win_within = exact.win_within(position, competence, arguments.moves)?;
    spinner.finish_and_clear();
    Ok(Answer {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        ties: arguments.ties.to_string(),
        expected_moves: expected.value,
        bounds: [expected.low, expected.high],
        win_within,
        simulated: arguments
            .simulate
            .map(|games| simulate(arguments, &exact, position, games))
            .transpose()?,
    })
}

fn simulate(
    arguments: &Arguments,
    exact: &ExactPredictor<'_>,
    position: &Chess,
    games: u32,
) -> Result<Simulated> {
    let simulator = exact.simulator(position, arguments.skill.0)?;
    let seed = arguments.seed.unwrap_or_else(rand::random);
    let threads = thread::available_parallelism()?.get();
    let progress = ProgressBar::new(games.into());
    interrupt::defer();
    let lengths = simulator.play(games, seed, arguments.max_moves, threads, |done| {
        progress.inc(done.into());
        !interrupt::requested()
    });
    progress.finish_and_clear();
    if interrupt::requested() {
        return Err(interrupt::Interrupted.into());
    }
    interrupt::allow();
    let in_time = |&&moves: &&u32| moves <= arguments.moves;
    let won = lengths.moves.iter().filter(in_time).count();
    let games = lengths.moves.len() + lengths.unfinished;
    if lengths.unfinished > 0 && arguments.max_moves < arguments.moves {
        bail!(
            "games broken off after {} moves do not tell whether they are won within {}; let --max-moves be greater",
            arguments.max_moves,
            arguments.moves
        );
    }
    Ok(Simulated {
        games,
        seed,
        unfinished: lengths.unfinished,
        moves: (!lengths.moves.is_empty())
            .then(|| Spread::of(lengths.moves.iter().map(|&moves| f64::from(moves)))),
        win_within: won as f64 / games as f64,
    })
}
