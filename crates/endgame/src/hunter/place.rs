//! Where a hunter is to move, or is to move next, and what its moves are worth there by one solution.

use errare_core::Material;
use shakmaty::{Color, Position};

use super::Solution;
use crate::{TableView, exits};

/// An endgame with its value for the hunter: all that decides which hunt is to be solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) material: Material,
    /// Whether the board's Black is the endgame's White.
    pub(super) flipped: bool,
    /// The side of the endgame that the opponent has.
    pub(super) prey: Color,
    /// The value for the hunter.
    pub(super) value: i32,
}

impl Place {
    /// Of a position, for a hunter of this colour.
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

    /// What a move is worth, with so many moves of the opponent left.
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
