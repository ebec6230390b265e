//! The verdict on a position: its worth, its depths in every metric, and the same of each move.
//!
//! As in the answers of lila-tablebase, what is said of a move is said of the position after it, from the view
//! of the side then to move: a winning move has the category `loss`.
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
use shakmaty::{Chess, Move, Position, san::SanPlus};

pub use self::{
    category::Category,
    depths::Depths,
    judge::{Authority, Judge, JudgeError},
};

/// The verdict on a position and all its moves.
#[derive(Debug, Clone)]
pub struct Verdict {
    /// What is said of the position.
    pub position: Assessment,
    /// Whose tables it comes from.
    pub source: Authority,
    /// The metric of the order, marks and ceded depths of moves.
    pub metric: Metric,
    /// Whether it is certain which moves are best in the metric. In DTR that may take long: if whoever watched stopped
    /// the search, DTR is between bounds and the order of moves is that of the lower ones.
    pub certain: bool,
    /// Every legal move, best first.
    pub moves: Vec<MoveVerdict>,
}

/// The verdict on a move.
#[derive(Debug, Clone)]
pub struct MoveVerdict {
    /// The move.
    pub r#move: Move,
    /// The move as people write it.
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
    pub through: Depths,
    /// Where its DTR is not known exactly, the most that it can be; `through` then has the least. To find
    /// out may take long, and is done to the end for the best moves in DTR alone, if time allows.
    pub greatest_dtr: Option<Outcome>,
    /// What decides between moves that are equal in the metric: DTZ, of the best in DTR under the rule.
    to_zeroing: Outcome,
    /// What is said of the position after it, for the side then to move.
    pub after: Assessment,
}

/// What is said of a position, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assessment {
    /// Its worth under the 50-move rule.
    pub category: Category,
    /// Its depths.
    pub depths: Depths,
    /// Whether the side to move is mated.
    pub checkmate: bool,
    /// Whether the side to move is stalemated.
    pub stalemate: bool,
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
            insufficient_material: position.is_insufficient_material(),
            endgame: Material::of(position.board()).0,
        }
    }
}
