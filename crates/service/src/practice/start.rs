//! The start of a session: a position, a drill, a random position worth playing, or a tricky one.

use std::{fmt, str::FromStr};

use errare_core::{Colour, Fault, FaultKind, Material, Metric, Outcome, parse_position};
use errare_endgame::Oracle;
use rand::{Rng, RngExt};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use shakmaty::{
    CastlingMode, Chess, Color, EnPassantMode, FromSetup, Piece, Position, PositionError, Role,
    Setup as Men, Square,
};

use super::{
    level::Level,
    session::{fen, mover},
    setup::Task,
    standing::GameValue,
    tricky::Trick,
};
use crate::Error;

/// The start of a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Start {
    /// A position.
    Position {
        /// The position as FEN.
        fen: String,
    },
    /// A drill, by its name.
    Drill {
        /// The name.
        name: String,
    },
    /// A random position of an endgame, worth playing.
    Random {
        /// The endgame.
        endgame: Material,
        /// The person's task.
        task: Task,
        /// The range of depths of a won or lost position.
        depth: Option<DepthRange>,
        /// Its difficulty.
        level: Option<Level>,
    },
    /// One of the positions of an endgame in which players err most often.
    Tricky {
        /// The endgame.
        endgame: Material,
        /// The person's task.
        task: Task,
        /// What is thrown away there.
        by: Trick,
    },
}

/// Depths from one to another, in moves of the winner: `12`, `12-20`, `12-`, `-20`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DepthRange {
    /// The least.
    pub least: u16,
    /// The greatest.
    pub most: u16,
}

impl DepthRange {
    /// Is a depth in the range?
    pub fn contains(self, depth: u16) -> bool {
        (self.least..=self.most).contains(&depth)
    }
}

/// Returned when a text is not a range of depths.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a range of depths is like 12, 12-20, 12- or -20, not {0:?}")]
pub struct ParseDepthRangeError(String);

impl Fault for ParseDepthRangeError {
    fn kind(&self) -> FaultKind {
        FaultKind::BadRequest
    }
}

impl FromStr for DepthRange {
    type Err = ParseDepthRangeError;

    fn from_str(text: &str) -> Result<DepthRange, ParseDepthRangeError> {
        let wrong = || ParseDepthRangeError(text.to_owned());
        let number = |text: &str, open: u16| match text.trim() {
            "" => Ok(open),
            digits => digits.parse().map_err(|_| wrong()),
        };
        let (least, most) = match text.split_once('-') {
            Some((least, most)) => (number(least, 1)?, number(most, u16::MAX)?),
            None => {
                let depth = text.trim().parse().map_err(|_| wrong())?;
                (depth, depth)
            }
        };
        match least <= most && text.trim() != "-" {
            true => Ok(DepthRange { least, most }),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for DepthRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.least, self.most) {
            (least, most) if least == most => write!(f, "{least}"),
            (least, u16::MAX) => write!(f, "{least} or more"),
            (least, most) => write!(f, "{least} to {most}"),
        }
    }
}

/// Wins and losses in fewer moves are trivial, unless a depth is requested.
const LEAST_DEPTH: u16 = 4;
/// The number of random placements tried before the table is searched.
const PLACEMENTS: usize = 100_000;
/// The number of table positions drawn before a trivial one is accepted.
const DRAWS: usize = 8;

/// The requirements on a random position.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub(super) endgame: Material,
    pub(super) task: Task,
    pub(super) side: Colour,
    pub(super) depth: Option<DepthRange>,
    pub(super) level: Option<Level>,
    /// Further requirements, besides being worth playing.
    pub(super) also: &'a (dyn Fn(&Chess, Outcome) -> Result<bool, Error> + Sync),
}

impl Wanted<'_> {
    fn value(&self) -> GameValue {
        match self.task {
            Task::Win => GameValue::Win,
            Task::Hold => GameValue::Draw,
            Task::Resist => GameValue::Loss,
        }
    }

    /// Does a position with this outcome meet the requirements?
    fn has_outcome(&self, outcome: Outcome, metric: Metric) -> bool {
        let moves = outcome.moves_in(metric).map_or(0, |moves| moves.0);
        GameValue::of_sign(outcome.sign()) == self.value()
            && match self.depth {
                _ if self.task == Task::Hold => true,
                Some(range) => range.contains(moves),
                None => moves >= LEAST_DEPTH,
            }
    }
}

/// Draws a position with the person to move. Random placements are tried first: they are uniform over the full
/// board and cheap; rare positions are then drawn from the table.
pub(super) fn draw(
    oracle: &Oracle,
    wanted: &Wanted<'_>,
    rng: &mut ChaCha8Rng,
) -> Result<Chess, Error> {
    let metric = oracle.metric();
    for _ in 0..PLACEMENTS {
        let Some(position) = placement(wanted.endgame, wanted.side.into(), rng) else {
            continue;
        };
        let outcome = oracle.outcome(&position)?;
        if wanted.has_outcome(outcome, metric)
            && has_choice(oracle, &position)?
            && (wanted.also)(&position, outcome)?
        {
            return Ok(position);
        }
    }
    let scan = errare_tables::Scan::new(oracle.prober().store(), wanted.endgame, metric.into())?;
    let side: Color = wanted.side.into();
    let fits = |turn: Color, outcome: Outcome| turn == side && wanted.has_outcome(outcome, metric);
    let mut trivial = None;
    for _ in 0..DRAWS {
        let Some(position) = scan.draw(fits, rng)? else {
            break;
        };
        let position = turned(&position, rng);
        let outcome = oracle.outcome(&position)?;
        if !(wanted.also)(&position, outcome)? {
            continue;
        }
        if has_choice(oracle, &position)? {
            return Ok(position);
        }
        trivial = Some(position);
    }
    // A requested depth may have only trivial positions.
    trivial
        .filter(|_| wanted.depth.is_some())
        .ok_or_else(|| nothing_found(wanted))
}

fn nothing_found(wanted: &Wanted<'_>) -> Error {
    let side = super::view::side_name(wanted.side);
    let endgame = wanted.endgame;
    let depth = wanted
        .depth
        .map_or(String::new(), |range| format!(" in {range} moves"));
    let level = wanted
        .level
        .map_or(String::new(), |level| format!(" and of the level {level}"));
    Error::bad_request(match wanted.task {
        Task::Win => {
            format!("no position of {endgame} with {side} to move is won by {side}{depth}{level}")
        }
        Task::Hold => {
            format!("no drawn position of {endgame} with {side} to move can easily go wrong{level}")
        }
        Task::Resist => {
            format!("no position of {endgame} with {side} to move is lost for {side}{depth}{level}")
        }
    })
}

/// The men of an endgame on random squares; `None` if the position is illegal.
fn placement(endgame: Material, turn: Color, rng: &mut ChaCha8Rng) -> Option<Chess> {
    let mut men = Men::empty();
    men.turn = turn;
    for color in Color::ALL {
        for role in std::iter::once(Role::King).chain(endgame.army(color).men()) {
            let square = Square::new(rng.random_range(0..64));
            if men.board.occupied().contains(square) {
                return None;
            }
            men.board.set_piece_at(square, Piece { color, role });
        }
    }
    let position = Chess::from_setup(men, CastlingMode::Standard).ok()?;
    (!position.is_game_over()).then_some(position)
}

/// Does the person have a meaningful choice? Some move must throw something away, and the best must not simply
/// leave the endgame.
fn has_choice(oracle: &Oracle, position: &Chess) -> Result<bool, Error> {
    let turn = oracle.turn(position)?;
    let is_slip = |choice: &errare_endgame::Choice| turn.ceded(choice) != Some(0);
    let converts = |m: shakmaty::Move| m.is_capture() || m.is_promotion();
    let leaves = turn
        .choices()
        .iter()
        .any(|choice| turn.preserves_value(choice) && converts(choice.r#move));
    Ok(!leaves && turn.choices().iter().any(is_slip))
}

/// A random symmetric image: stored positions have the king in one corner of the board.
pub(super) fn turned(position: &Chess, rng: &mut impl Rng) -> Chess {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    let pieces_only = setup.board.pawns().is_empty();
    if rng.random() {
        setup.board.flip_horizontal();
    }
    if pieces_only && rng.random() {
        setup.board.flip_vertical();
    }
    if pieces_only && rng.random() {
        setup.board.flip_diagonal();
    }
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_impossible_check)
        .expect("a legal position is legal on a turned board")
}

/// A given position: its normalised FEN, its endgame, and the side to move.
pub(super) fn given(text: &str) -> Result<(String, Material, Colour), Error> {
    let position = parse_position(text)?;
    if !Oracle::covers(&position) {
        return Err(Error::bad_request(
            "there are tables for three to five men without castling rights",
        ));
    }
    Ok((
        fen(&position),
        Material::of(position.board()).0,
        mover(&position),
    ))
}
