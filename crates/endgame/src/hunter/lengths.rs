//! Expected lengths: how many moves the winner still needs if the hunter plays best.
//!
//! The equation is V = 1 + P V, where P depends on the hunter's choices: as loser it maximises V, as winner it minimises V. A
//! round finds the best replies to the current V, corrects V by a factor for each [depth](super::aggregation), and sweeps twice
//! through the depths in ascending order, with the best replies to the values just computed (Gauss-Seidel). The next round begins
//! with the best [combination](super::extrapolation) of the last ones. It is policy iteration in which no policy is evaluated to
//! the end before a better one is adopted. The distance from the solution is estimated in [residual](super::residual).

use errare_choice::Kappa;
use errare_core::Watch;
use rayon::prelude::*;

use super::{
    Aim, Hunt, HuntError, Prey, Resistance, Scope, Solved,
    aggregation::{self, DepthRow},
    extrapolation::Extrapolation,
    model::PreyModel,
    nodes::{CHUNK, Nodes, fill},
    policy::Replies,
    residual::{LONGEST, Residuals},
};
use crate::{Predictor, Values};

/// Enough rounds wherever floating-point numbers can represent the answer.
const MOST_ROUNDS: usize = 2000;
/// If the bounds are this many times farther apart than the last ones, the replies have changed, and rounds are not
/// combined with earlier ones.
const WORSE: f64 = 3.0;

impl Hunt<'_> {
    /// The expected number of the winner's moves until the phase ends, for each position with the prey to move; for hunts that
    /// include the prey's wins or losses, which it keeps.
    pub fn lengths(
        &self,
        prey: Prey,
        resistance: Resistance,
        watch: &dyn Watch,
    ) -> Result<Solved, HuntError> {
        let model = self.model(prey)?;
        let lengths = Lengths {
            hunt: self,
            replies: &self.replies(&model, Aim::Length, resistance),
            model: &model,
        };
        match self.quarry.scope {
            Scope::Wins => lengths.of_prey(&self.guess(prey.competence, prey.kappa, watch)?, watch),
            Scope::Losses => lengths.of_hunter(watch),
            _ => Err(HuntError::NotFollowed),
        }
    }

    /// By depth, the mean lengths against the infallible opponent, averaged over positions. They are not bounds, but
    /// where they are far too long, so is play against the hunter.
    fn guess(
        &self,
        competence: f64,
        kappa: Kappa,
        watch: &dyn Watch,
    ) -> Result<Vec<f64>, HuntError> {
        let quarry = &self.quarry;
        let predictor = Predictor::new(quarry.oracle, quarry.material, kappa, Values::Kept)?;
        let chains = predictor.chains(quarry.prey, &[competence], f64::INFINITY, watch)?;
        let lengths = chains[0].expected_moves();
        let by_depth: Vec<f64> = (0..=predictor.states().deepest(quarry.prey))
            .map(|depth| lengths[predictor.states().number(chains[0].win(depth))])
            .collect();
        let about = by_depth.iter().copied().fold(0.0, f64::max);
        if about > LONGEST {
            return Err(HuntError::TooLong { about });
        }
        Ok(by_depth)
    }
}

struct Lengths<'a> {
    hunt: &'a Hunt<'a>,
    model: &'a PreyModel,
    replies: &'a Replies,
}

impl Lengths<'_> {
    fn prey(&self) -> &Nodes {
        &self.hunt.graph.prey
    }

    fn hunter(&self) -> &Nodes {
        &self.hunt.graph.hunter
    }

    /// The prey wins: values of its nodes are 1 + the mean over its moves.
    fn of_prey(&self, guess: &[f64], watch: &dyn Watch) -> Result<Solved, HuntError> {
        let (prey, hunter) = (self.prey(), self.hunter());
        let (mut values, mut after) = (prey.values(), hunter.values());
        for depth in 0..prey.depths() {
            let guess = guess.get(depth).copied().filter(|guess| guess.is_finite());
            values[prey.level(depth)].fill(guess.unwrap_or(f64::from(u16::MAX)));
        }
        let mut before = vec![0.0; prey.len()];
        let mut extrapolation = Extrapolation::default();
        let mut last_apart = f64::INFINITY;
        watch.begin("solving for expected lengths, round", None);
        for round in 0..MOST_ROUNDS {
            watch.check()?;
            self.reply(0..hunter.len(), &values, &mut after);
            let (residuals, rows) = self.residuals(&values, &after);
            if let Some(bounds) = residuals.settled(round, &values) {
                return Ok(bounds.solved(values, prey.len()));
            }
            watch.detail(&residuals.bounds().words());
            residuals.refuse_too_long(round, &values)?;
            let apart = residuals.bounds().apart();
            if apart > WORSE * last_apart {
                extrapolation.forget();
            }
            last_apart = apart;
            before.copy_from_slice(&values[..prey.len()]);
            if let Some(factors) = aggregation::factors(&rows) {
                for (depth, factor) in factors.into_iter().enumerate() {
                    let level = values[prey.level(depth)].par_iter_mut();
                    level.for_each(|value| *value *= factor);
                }
                self.reply(0..hunter.len(), &values, &mut after);
            }
            for _ in 0..2 {
                for depth in 0..prey.depths() {
                    fill(&mut values, prey.level(depth), |node| {
                        1.0 + self.model.mean(prey.moves(node), &after)
                    });
                    self.reply(hunter.level(depth), &values, &mut after);
                }
            }
            // Before there are bounds, values are too far off to be combined.
            if apart.is_finite() {
                extrapolation.improve(&before, &mut values[..prey.len()]);
            }
            watch.advance(1);
        }
        Err(HuntError::NotSettled {
            rounds: MOST_ROUNDS,
        })
    }

    /// The hunter wins: values of its nodes are 1 + the minimum over its moves.
    fn of_hunter(&self, watch: &dyn Watch) -> Result<Solved, HuntError> {
        let (prey, hunter) = (self.prey(), self.hunter());
        let (mut values, mut after) = (hunter.values(), prey.values());
        for depth in 0..hunter.depths() {
            values[hunter.level(depth)].fill(depth as f64);
        }
        watch.begin("solving for expected lengths, round", None);
        for round in 0..MOST_ROUNDS {
            watch.check()?;
            for depth in 0..prey.depths() {
                self.mean(prey.level(depth), &values, &mut after);
            }
            let residuals = self.hunter_residuals(&values, &after);
            if let Some(bounds) = residuals.settled(round, &values) {
                return Ok(bounds.solved(after, prey.len()));
            }
            watch.detail(&residuals.bounds().words());
            for depth in 0..hunter.depths().max(prey.depths()) {
                fill(&mut values, hunter.level(depth), |node| {
                    1.0 + self.replies.value(hunter, node, &after).0
                });
                self.mean(prey.level(depth), &values, &mut after);
            }
            watch.advance(1);
        }
        Err(HuntError::NotSettled {
            rounds: MOST_ROUNDS,
        })
    }

    /// The values of some of the hunter's nodes.
    fn reply(&self, range: std::ops::Range<usize>, values: &[f64], after: &mut [f64]) {
        fill(after, range, |node| {
            self.replies.value(self.hunter(), node, values).0
        });
    }

    /// The values of some of the prey's nodes, where its moves do not count towards the length.
    fn mean(&self, range: std::ops::Range<usize>, values: &[f64], after: &mut [f64]) {
        fill(after, range, |node| {
            self.model.mean(self.prey().moves(node), values)
        });
    }

    /// V - P V at the prey's nodes, and its sums by depth.
    fn residuals(&self, values: &[f64], after: &[f64]) -> (Residuals, Vec<DepthRow>) {
        let (prey, hunter) = (self.prey(), self.hunter());
        let depths = prey.depths();
        let mut depth_of = vec![0; prey.len()];
        for depth in 0..depths {
            depth_of[prey.level(depth)].fill(depth as u8);
        }
        // By node of the hunter: the depth that its reply leads to. Ends have none, and no value.
        let mut depth_after = vec![0; after.len()];
        let replies = depth_after[..hunter.len()].par_iter_mut().enumerate();
        replies.with_min_len(CHUNK).for_each(|(node, depth)| {
            let (_, target) = self.replies.value(hunter, node, values);
            *depth = depth_of.get(target as usize).copied().unwrap_or(0);
        });
        let mut residuals = Residuals::EMPTY;
        let mut rows = Vec::new();
        for depth in 0..depths {
            let range = prey.level(depth);
            let chunks = range.clone().into_par_iter().step_by(CHUNK);
            let parts = chunks.map(|start| {
                let (mut residuals, mut row) = (Residuals::EMPTY, DepthRow::new(depths));
                let end = range.end.min(start + CHUNK);
                for (node, value) in (start..).zip(&values[start..end]) {
                    let residual =
                        value - self.mean_by_depth(node, after, &depth_after, &mut row.sums);
                    residuals.add(residual);
                    row.total += value;
                    row.missing += 1.0 - residual;
                }
                (residuals, row)
            });
            let parts: Vec<(Residuals, DepthRow)> = parts.collect();
            let mut row = DepthRow::new(depths);
            for (part, part_row) in &parts {
                residuals = residuals.merge(*part);
                row.merge(part_row);
            }
            rows.push(row);
        }
        (residuals, rows)
    }

    /// P V at a node of the prey; also adds it up by the depth after the reply.
    #[inline]
    fn mean_by_depth(
        &self,
        node: usize,
        after: &[f64],
        depth_after: &[u8],
        sums: &mut [f64],
    ) -> f64 {
        let (targets, states) = self.prey().moves(node);
        let weights = self.model.weights(states);
        let weight = |state: &u8| weights[usize::from(*state)];
        let scale = states.iter().map(weight).sum::<f64>().recip();
        let mut mean = 0.0;
        for (&target, state) in targets.iter().zip(states) {
            let part = weight(state) * scale * after[target as usize];
            mean += part;
            sums[usize::from(depth_after[target as usize])] += part;
        }
        mean
    }

    fn hunter_residuals(&self, values: &[f64], after: &[f64]) -> Residuals {
        let hunter = self.hunter();
        let residual = |node: usize| values[node] - self.replies.value(hunter, node, after).0;
        let nodes = (0..hunter.len()).into_par_iter().with_min_len(CHUNK);
        let add = |mut residuals: Residuals, node| {
            residuals.add(residual(node));
            residuals
        };
        let parts = nodes.fold(|| Residuals::EMPTY, add);
        parts.reduce(|| Residuals::EMPTY, Residuals::merge)
    }
}
