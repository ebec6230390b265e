//! The probability that the prey ever wins, where it may let the win slip.
//!
//! Lengths are then infinite, as a draw goes on for ever; the hunter can only make the win as unlikely as
//! possible. The probability is iterated from below and from above: both sequences are monotone, and the
//! solution lies between them.

use errare_core::Watch;

use super::{
    Aim, Goal, Hunt, HuntError, Prey, Resistance, Scope, Solved, model::PreyModel, nodes::fill,
    policy::Replies,
};

/// The required distance of the bounds.
const TOLERANCE: f64 = 1e-9;
/// Enough sweeps wherever floating-point numbers can represent the answer.
const MOST_SWEEPS: usize = 20_000;
/// Sweeps between checks of the bounds.
const BETWEEN_CHECKS: usize = 8;

impl Hunt<'_> {
    /// The probability that the prey wins in the end, for each position with the prey to move; for hunts
    /// that include the prey's wins at risk.
    pub fn win_chances(
        &self,
        prey: Prey,
        resistance: Resistance,
        watch: &dyn Watch,
    ) -> Result<Solved, HuntError> {
        if self.quarry.scope != Scope::WinsAtRisk {
            return Err(HuntError::NotFollowed);
        }
        let model = self.model(prey)?;
        let replies = self.replies(&model, Aim::Hold, resistance);
        let nodes = &self.graph.prey;
        let mut bounds = [0.0, 1.0].map(|start| {
            let (mut chances, mut after) = (nodes.values(), self.graph.hunter.values());
            let ends = Goal::Win.ends(Scope::WinsAtRisk);
            chances.fill(start);
            after.fill(start);
            chances[nodes.len()..].copy_from_slice(&ends);
            after[self.graph.hunter.len()..].copy_from_slice(&ends);
            (chances, after)
        });
        watch.begin("solving for the chance to win", None);
        for sweep in 0..MOST_SWEEPS {
            watch.check()?;
            for (chances, after) in &mut bounds {
                self.sweep(&model, &replies, chances, after);
            }
            watch.advance(1);
            if sweep % BETWEEN_CHECKS != 0 {
                continue;
            }
            let [(below, _), (above, _)] = &bounds;
            let apart = |(low, high): (&f64, &f64)| high - low;
            let widest = below.iter().zip(above).map(apart).fold(0.0, f64::max);
            if widest <= TOLERANCE {
                let middle = |(low, high): (&f64, &f64)| f64::midpoint(*low, *high);
                let values = below.iter().zip(above).map(middle).take(nodes.len());
                return Ok(Solved::within(values.collect(), widest / 2.0));
            }
        }
        Err(HuntError::NotSettled {
            rounds: MOST_SWEEPS,
        })
    }

    /// One sweep in order of depth, using the values just computed.
    fn sweep(&self, model: &PreyModel, replies: &Replies, chances: &mut [f64], after: &mut [f64]) {
        let (prey, hunter) = (&self.graph.prey, &self.graph.hunter);
        for depth in 0..prey.depths().max(hunter.depths()) {
            fill(chances, prey.level(depth), |node| {
                model.mean(prey.moves(node), after)
            });
            fill(after, hunter.level(depth), |node| {
                replies.value(hunter, node, chances).0
            });
        }
    }
}
