//! The endgame in which a hunter is to move now or next, and the values of its moves by one solution.

use errare_core::Material;
use shakmaty::{Color, Position};

use super::Solution;
use crate::{TableView, exits};

/// An endgame with its value for the hunter, which together select the hunt to solve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) material: Material,
    /// Is the board's Black the endgame's White?
    pub(super) flipped: bool,
    /// The opponent's side of the endgame.
    pub(super) prey: Color,
    /// The value for the hunter.
    pub(super) value: i32,
}

impl Place {
    /// The place of a position, for a hunter of this colour.
    pub(super) fn of(view: TableView<'_>, own: Color) -> Place {
        let (material, flipped) = Material::of(view.position.board());
        let for_mover = view.turn.best().map_or(0, |best| best.value());
        Place {
            material,
            flipped,
            prey: if flipped { own } else { !own },
            value: match view.position.turn() == own {
                true => for_mover,
                false => -for_mover,
            },
        }
    }

    /// The value of a move, with this many moves of the opponent left.
    pub(super) fn worth(
        &self,
        solution: &Solution,
        view: TableView<'_>,
        number: usize,
        left: u32,
    ) -> f64 {
        let choice = &view.turn.choices()[number];
        let end = || solution.worth_of_end(-choice.state.value());
        if exits(choice.r#move, view.oracle.metric()) {
            return end();
        }
        let mut after = view.position.clone();
        after.play_unchecked(choice.r#move);
        solution
            .worth(after.board(), self.flipped, left)
            .unwrap_or_else(end)
    }
}
