//! The value of a position under the 50-move rule.

use errare_core::{Outcome, Plies};
use serde::{Deserialize, Serialize};

use crate::generate::FIFTY_MOVES;

/// The value of a position for the side to move under best play and the 50-move rule, named and
/// ordered as in lila-tablebase: better for the side to move is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Category {
    /// Lost.
    Loss,
    /// A loss or a blessed loss: a rounded depth leaves it open.
    MaybeLoss,
    /// A loss, but the 50-move rule saves the draw.
    BlessedLoss,
    /// Drawn.
    Draw,
    /// A win, but the 50-move rule spoils it.
    CursedWin,
    /// A win or a cursed win: a rounded depth leaves it open.
    MaybeWin,
    /// Won.
    Win,
}

impl Category {
    /// The category of a position with this value, this depth in
    /// [`Layer::Dtz50`](crate::Layer::Dtz50), and this many plies on the halfmove clock. A win stands
    /// if mate, or the next zeroing move into a position won under the rule, comes while the clock
    /// shows at most 100. Mate on the board ends the game, whatever the clock shows.
    pub(crate) fn new(value: Outcome, dtz50: Outcome, clock: u32) -> Category {
        let in_time = dtz50
            .plies()
            .is_some_and(|plies| clock.saturating_add(plies.0.into()) <= u32::from(FIFTY_MOVES));
        match (value, in_time) {
            (Outcome::Loss(Plies(0)), _) => Category::Loss,
            (Outcome::Win(_), true) => Category::Win,
            (Outcome::Win(_), false) => Category::CursedWin,
            (Outcome::Draw, _) => Category::Draw,
            (Outcome::Loss(_), false) => Category::BlessedLoss,
            (Outcome::Loss(_), true) => Category::Loss,
        }
    }

    /// The category for the other side.
    #[must_use]
    pub fn reversed(self) -> Category {
        match self {
            Category::Loss => Category::Win,
            Category::MaybeLoss => Category::MaybeWin,
            Category::BlessedLoss => Category::CursedWin,
            Category::Draw => Category::Draw,
            Category::CursedWin => Category::BlessedLoss,
            Category::MaybeWin => Category::MaybeLoss,
            Category::Win => Category::Loss,
        }
    }
}

/// The halfmove clock after a move. Once the rule has ended the game, no zeroing move revives it.
pub(crate) fn clock_after(clock: u32, zeroing: bool) -> u32 {
    if zeroing && clock < u32::from(FIFTY_MOVES) {
        0
    } else {
        clock.saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use errare_core::Outcome::{Draw, Loss, Win};

    use super::*;

    #[test]
    fn the_last_ply_of_the_fifty_moves_counts() {
        let win = |plies, clock| Category::new(Win(Plies(plies)), Win(Plies(plies)), clock);
        assert_eq!(win(40, 60), Category::Win);
        assert_eq!(win(41, 60), Category::CursedWin);
        assert_eq!(win(41, u32::MAX), Category::CursedWin);
        assert_eq!(Category::new(Win(Plies(3)), Draw, 0), Category::CursedWin);
        assert_eq!(
            Category::new(Loss(Plies(0)), Loss(Plies(0)), 100),
            Category::Loss
        );
        assert_eq!(
            Category::new(Loss(Plies(0)), Loss(Plies(0)), 101),
            Category::Loss
        );
        assert_eq!(
            Category::new(Loss(Plies(2)), Loss(Plies(2)), 99),
            Category::BlessedLoss
        );
    }

    #[test]
    fn a_zeroing_move_comes_too_late_at_100() {
        assert_eq!(clock_after(99, true), 0);
        assert_eq!(clock_after(100, true), 101);
        assert_eq!(clock_after(7, false), 8);
        assert_eq!(clock_after(u32::MAX, true), u32::MAX);
    }
}
