//! The verdict on a position: its worth, its depths in every metric, and the same of each move.
//!
//! [`Verdict`] serializes to a superset of the answer of lila-tablebase's HTTP interface. As there,
//! what is said of a move is said of the position after it, from the view of the side then to move:
//! a winning move has the category `loss` and negative depths.
//!
//! Moves come best first: by category for the mover, then in the chosen metric, then in DTZ and DTM,
//! at last by name. So do [marks](errare_core::Mark) and ceded depth compare them: the value that a move
//! keeps or loses is its category, of which the 50-move rule makes more than the win, draw and loss of
//! Haworth (2002), appendix B.

mod category;
mod depths;
mod judge;
mod ranking;
#[cfg(test)]
mod reference;
mod rule;

use errare_core::{Mark, Material, Metric, Moves, Outcome};
use serde::{Serialize, Serializer};
use shakmaty::{Chess, Move, Position, san::SanPlus, uci::UciMove};

pub use self::{
    category::Category,
    depths::Depths,
    judge::{Authority, Judge, JudgeError},
};

/// The verdict on a position and all its moves.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// What is said of the position.
    #[serde(flatten)]
    pub position: Assessment,
    /// Whose tables it comes from.
    pub source: Authority,
    /// The metric of the order, marks and ceded depths of moves.
    pub metric: Metric,
    /// Every legal move, best first.
    pub moves: Vec<MoveVerdict>,
}

/// The verdict on a move.
#[derive(Debug, Clone, Serialize)]
pub struct MoveVerdict {
    /// The move; serialized as UCI writes it.
    #[serde(rename = "uci", serialize_with = "uci")]
    pub r#move: Move,
    /// The move as people write it.
    #[serde(serialize_with = "san")]
    pub san: SanPlus,
    /// Whether it is a capture or a pawn move, which sets the halfmove clock to zero.
    pub zeroing: bool,
    /// Whether it is a capture or a promotion, which changes the endgame.
    pub converting: bool,
    /// How forced it was.
    pub mark: Option<Mark>,
    /// The winner's moves that it cedes to the best one; none if it changes the value, or if that takes too
    /// long to find out.
    pub ceded: Option<Moves>,
    /// The depths for the side that makes it, this move included.
    #[serde(skip)]
    pub through: Depths,
    /// Whether its DTR may be more, by a move if the clock is at zero. To find out may take long, and is
    /// done for the best moves in DTR alone.
    #[serde(skip)]
    pub dtr_may_be_greater: bool,
    /// What decides between moves that are equal in the metric: DTZ, of the best in DTR under the rule.
    #[serde(skip)]
    to_zeroing: Outcome,
    /// What is said of the position after it, for the side then to move.
    #[serde(flatten)]
    pub after: Assessment,
}

/// What is said of a position, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Assessment {
    /// Its worth under the 50-move rule.
    pub category: Category,
    /// Its depths.
    #[serde(flatten)]
    pub depths: Depths,
    /// Whether the side to move is mated.
    pub checkmate: bool,
    /// Whether the side to move is stalemated.
    pub stalemate: bool,
    /// Always false: there are no variants here.
    pub variant_win: bool,
    /// Always false: there are no variants here.
    pub variant_loss: bool,
    /// Whether neither side can ever mate.
    pub insufficient_material: bool,
    /// The endgame.
    pub endgame: Material,
}

impl Assessment {
    fn new(position: &Chess, category: Category, depths: Depths) -> Assessment {
        Assessment {
            category,
            depths,
            checkmate: position.is_checkmate(),
            stalemate: position.is_stalemate(),
            variant_win: false,
            variant_loss: false,
            insufficient_material: position.is_insufficient_material(),
            endgame: Material::of(position.board()).0,
        }
    }
}

fn uci<S: Serializer>(m: &Move, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&UciMove::from_standard(*m))
}

fn san<S: Serializer>(san: &SanPlus, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(san)
}
