//! The verdict on a position: its value, its depths in every metric, and the same for each move.
//!
//! As in lila-tablebase's answers, a move is described by the position after it, from the view of the side then to
//! move: a winning move has the category `loss`.
//!
//! Moves are sorted best first: by category for the mover, then in the chosen metric, then in DTZ and DTM, finally by
//! name. [Marks](errare_core::Mark) and ceded depth use the same comparison: the value that a move keeps or loses is
//! its category, of which there are more under the 50-move rule than the win, draw and loss of Haworth (2002),
//! appendix B.

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
    /// The assessment of the position.
    pub position: Assessment,
    /// The tables it comes from.
    pub source: Authority,
    /// The metric used for the order, marks and ceded depths of moves.
    pub metric: Metric,
    /// Is it certain which moves are best in the metric? In DTR that may take long: if the watch stopped the search,
    /// DTR is only known between bounds, and moves are ordered by their lower bounds.
    pub certain: bool,
    /// Every legal move, best first.
    pub moves: Vec<MoveVerdict>,
}

/// The verdict on a move.
#[derive(Debug, Clone)]
pub struct MoveVerdict {
    /// The move.
    pub r#move: Move,
    /// The move in standard algebraic notation.
    pub san: SanPlus,
    /// Is it a capture or pawn move, which resets the halfmove clock?
    pub zeroing: bool,
    /// Is it a capture or promotion, which changes the endgame?
    pub converting: bool,
    /// How forced it was.
    pub mark: Option<Mark>,
    /// The number of the winner's moves that it cedes compared with the best move; `None` if it changes the value, or
    /// if computing it takes too long.
    pub ceded: Option<Moves>,
    /// The depths for the side that makes the move, counting this move.
    pub through: Depths,
    /// If its DTR is not known exactly, the upper bound; `through` then has the lower one. An exact value may take
    /// long, so only the best moves in DTR are searched to the end, time permitting.
    pub greatest_dtr: Option<Outcome>,
    /// Decides between moves that are equal in the metric: DTZ; for the best moves in DTR, DTZ under the rule.
    to_zeroing: Outcome,
    /// The assessment of the position after it, for the side then to move.
    pub after: Assessment,
}

/// The assessment of a position, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Assessment {
    /// Its value under the 50-move rule.
    pub category: Category,
    /// Its depths.
    pub depths: Depths,
    /// Is the side to move mated?
    pub checkmate: bool,
    /// Is the side to move stalemated?
    pub stalemate: bool,
    /// Can neither side ever mate?
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
