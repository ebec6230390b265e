//! One position, followed exactly.

use anyhow::{Result, bail};
use errare_core::Material;
use errare_endgame::{ExactPredictor, Oracle};
use serde::Serialize;
use shakmaty::{Chess, Color, EnPassantMode, Position, fen::Fen};

use super::Arguments;
use crate::competence::{Competence, Value};

/// What is expected of one position.
#[derive(Serialize)]
pub(super) struct Answer {
    pub(super) fen: String,
    pub(super) ties: String,
    pub(super) expected_moves: f64,
    /// Between these the exact number lies.
    pub(super) bounds: [f64; 2],
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
    let exact = ExactPredictor::new(
        oracle,
        position,
        arguments.model.kappa,
        arguments.ties,
        arguments.model.memory()?,
    )?;
    let competence = arguments.skill.0;
    let expected = exact.expected_moves(position, competence)?;
    Ok(Answer {
        fen: Fen::from_position(position, EnPassantMode::Legal).to_string(),
        ties: arguments.ties.to_string(),
        expected_moves: expected.value,
        bounds: [expected.low, expected.high],
        win_within: exact.win_within(position, competence, arguments.moves)?,
    })
}
