//! A turn: a player, a position, the legal moves and the one that was played.
//!
//! Used turns are those after move 8, in positions that are new in the game, with a choice, and with
//! neither side more than three pawns ahead.
//!
//! Reference: Regan & Haworth (2011), *Intrinsic chess ratings*, section 5.

use std::{fmt, str::FromStr, sync::Arc};

use errare_engine::{Evaluation, Score};
use serde::{Deserialize, Serialize};
use shakmaty::{Color, uci::UciMove};

use crate::{Contestant, StudyGame};

/// The number of full moves at the beginning of a game that are not used.
pub const OPENING_MOVES: u32 = 8;
/// The greatest advantage, in pawns, of a used turn.
pub const DECIDED_PAWNS: f64 = 3.0;

/// Why a turn is excluded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Exclusion {
    /// One of the first eight moves.
    Opening,
    /// The position occurred earlier in the game.
    Repetition,
    /// There was only one legal move.
    OnlyMove,
    /// The best move leaves one side more than three pawns ahead.
    Decided,
    /// The engine has not evaluated it to this depth.
    NotEvaluated,
}

impl Exclusion {
    /// All reasons.
    pub const ALL: [Exclusion; 5] = [
        Exclusion::Opening,
        Exclusion::Repetition,
        Exclusion::OnlyMove,
        Exclusion::Decided,
        Exclusion::NotEvaluated,
    ];

    /// The reason in a word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Exclusion::Opening => "opening",
            Exclusion::Repetition => "repetition",
            Exclusion::OnlyMove => "only-move",
            Exclusion::Decided => "decided",
            Exclusion::NotEvaluated => "not-evaluated",
        }
    }
}

impl fmt::Display for Exclusion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Returned when a word is not a reason.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not a reason to exclude a turn")]
pub struct ExclusionError(String);

impl FromStr for Exclusion {
    type Err = ExclusionError;

    fn from_str(text: &str) -> Result<Exclusion, ExclusionError> {
        let mut all = Exclusion::ALL.into_iter();
        all.find(|reason| reason.as_str() == text)
            .ok_or_else(|| ExclusionError(text.to_owned()))
    }
}

/// A place in a game, and the move played there.
#[derive(Debug, Clone)]
pub struct Place {
    /// The game.
    pub game: Arc<StudyGame>,
    /// The number of plies before it, counted from move 1: even if White is to move.
    pub ply: u32,
    /// The position, with its move number.
    pub fen: String,
    /// The move that was played.
    pub played: UciMove,
    /// The player's clock after the move in seconds, if the file has it.
    pub clock: Option<f64>,
}

impl Place {
    /// The side to move.
    #[must_use]
    pub fn colour(&self) -> Color {
        Color::from_white(self.ply.is_multiple_of(2))
    }

    /// The full move number.
    #[must_use]
    pub fn move_number(&self) -> u32 {
        self.ply / 2 + 1
    }

    /// The player to move.
    #[must_use]
    pub fn player(&self) -> &Contestant {
        self.game.player(self.colour())
    }

    /// The other player.
    #[must_use]
    pub fn opponent(&self) -> &Contestant {
        self.game.player(!self.colour())
    }
}

/// A legal move as evaluated by the engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluatedMove {
    /// The move.
    pub uci: UciMove,
    /// Its score at the depth of the view, for the mover.
    pub score: Score,
    /// Its scores from depth 1 to the depth of the view; `None` where the engine gave none.
    pub by_depth: Vec<Option<Score>>,
}

/// An evaluated turn.
#[derive(Debug, Clone)]
pub struct EvaluatedTurn {
    /// Where it was.
    pub place: Place,
    /// The index of the played move among the options.
    pub played: usize,
    /// All legal moves in the engine's order at the depth of the view.
    pub options: Vec<EvaluatedMove>,
}

/// A turn of a study.
#[derive(Debug, Clone)]
pub enum TurnEntry {
    /// A used turn.
    Used(EvaluatedTurn),
    /// A turn that was evaluated but excluded because the game was decided.
    Decided(EvaluatedTurn),
    /// A turn excluded for another reason.
    Excluded(Place, Exclusion),
}

impl TurnEntry {
    /// Its place.
    #[must_use]
    pub fn place(&self) -> &Place {
        match self {
            TurnEntry::Used(turn) | TurnEntry::Decided(turn) => &turn.place,
            TurnEntry::Excluded(place, _) => place,
        }
    }

    /// The turn with its evaluation, if it has one.
    #[must_use]
    pub fn turn(&self) -> Option<&EvaluatedTurn> {
        match self {
            TurnEntry::Used(turn) | TurnEntry::Decided(turn) => Some(turn),
            TurnEntry::Excluded(..) => None,
        }
    }

    /// Why it is excluded.
    #[must_use]
    pub fn exclusion(&self) -> Option<Exclusion> {
        match self {
            TurnEntry::Used(_) => None,
            TurnEntry::Decided(_) => Some(Exclusion::Decided),
            TurnEntry::Excluded(_, reason) => Some(*reason),
        }
    }

    /// Classifies an evaluated turn, seen at this depth.
    pub(crate) fn evaluated(place: Place, evaluation: &Evaluation, depth: u8) -> TurnEntry {
        let Some(options) = options(evaluation, depth) else {
            return TurnEntry::Excluded(place, Exclusion::NotEvaluated);
        };
        let Some(played) = options.iter().position(|option| option.uci == place.played) else {
            return TurnEntry::Excluded(place, Exclusion::NotEvaluated);
        };
        let decided = options[0].score.pawns().abs() > DECIDED_PAWNS;
        let turn = EvaluatedTurn {
            place,
            played,
            options,
        };
        if decided {
            TurnEntry::Decided(turn)
        } else {
            TurnEntry::Used(turn)
        }
    }
}

/// The moves in the order of this depth; `None` if some have no score there.
fn options(evaluation: &Evaluation, depth: u8) -> Option<Vec<EvaluatedMove>> {
    let moves = evaluation.moves();
    let iteration = evaluation.at(depth)?;
    if iteration.ranking.len() < moves.len() {
        return None;
    }
    let mut by_depth = vec![vec![None; depth.into()]; moves.len()];
    for shallower in evaluation.iterations() {
        if (1..=depth).contains(&shallower.depth) {
            for line in &shallower.ranking {
                by_depth[usize::from(line.index)][usize::from(shallower.depth) - 1] =
                    Some(line.score);
            }
        }
    }
    let option = |line: &errare_engine::Ranked| EvaluatedMove {
        uci: moves[usize::from(line.index)],
        score: line.score,
        by_depth: std::mem::take(&mut by_depth[usize::from(line.index)]),
    };
    Some(iteration.ranking.iter().map(option).collect())
}
