//! Probabilities within a number of the prey's moves. The hunter's policy depends on the moves left.
//!
//! With n moves left, the probability at a position with the prey to move is the mean over its moves of what
//! the hunter's best reply leaves with n - 1: backward induction, exact up to rounding.

use errare_core::Watch;

use super::{
    Aim, Hunt, HuntError, Prey, Resistance, Scope, Solved,
    nodes::{End, fill},
};

/// The event whose probability is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Goal {
    /// The prey wins in time; the hunter minimises the probability.
    Win,
    /// The prey errs in time, from a win to less or from a draw to a loss; the hunter maximises the
    /// probability.
    Slip,
}

impl Goal {
    /// The value of each end of play.
    pub(super) fn ends(self, scope: Scope) -> [f64; End::COUNT] {
        let mut ends = [0.0; End::COUNT];
        match self {
            Goal::Win => ends[End::PreyWins as usize] = 1.0,
            Goal::Slip => {
                ends[End::HunterWins as usize] = 1.0;
                // From a win, any draw is a slip.
                let in_win = matches!(scope, Scope::Wins | Scope::WinsAtRisk);
                ends[End::Drawn as usize] = if in_win { 1.0 } else { 0.0 };
            }
        }
        ends
    }
}

impl Hunt<'_> {
    /// The probability within this many moves of the prey, for each position with the prey to move.
    pub fn chances(
        &self,
        prey: Prey,
        goal: Goal,
        resistance: Resistance,
        moves: u32,
        watch: &dyn Watch,
    ) -> Result<Solved, HuntError> {
        let chances = self.chances_by_moves_left(prey, goal, resistance, moves, watch, |_| ())?;
        Ok(Solved::within(chances, 0.0))
    }

    /// Like [`Hunt::chances`]; also calls `each` with the probabilities within 1, 2, ... moves.
    pub(crate) fn chances_by_moves_left(
        &self,
        prey: Prey,
        goal: Goal,
        resistance: Resistance,
        moves: u32,
        watch: &dyn Watch,
        mut each: impl FnMut(&[f64]),
    ) -> Result<Vec<f64>, HuntError> {
        let model = self.model(prey)?;
        let replies = self.replies(&model, Aim::Within(goal, moves), resistance);
        let (prey, hunter) = (&self.graph.prey, &self.graph.hunter);
        let ends = goal.ends(self.quarry.scope);
        let (mut chances, mut after) = (prey.values(), hunter.values());
        chances[prey.len()..].copy_from_slice(&ends);
        after[hunter.len()..].copy_from_slice(&ends);
        // With no moves left, play is over.
        watch.begin("solving for chances by moves left", Some(moves.into()));
        for _ in 0..moves {
            watch.check()?;
            fill(&mut after, 0..hunter.len(), |node| {
                replies.value(hunter, node, &chances).0
            });
            fill(&mut chances, 0..prey.len(), |node| {
                model.mean(prey.moves(node), &after)
            });
            each(&chances[..prey.len()]);
            watch.advance(1);
        }
        chances.truncate(prey.len());
        Ok(chances)
    }
}
