//! Expected lengths: how many moves the winner still needs, if the hunter chooses its moves best.
//!
//! V = 1 + P V is to be solved, where P depends on what the hunter chooses: as loser it makes V as great
//! as possible, as winner as small as possible. A round finds the replies that are best for the
//! current V, scales the values of each depth by a common factor, such that the equations hold on
//! average at each depth (aggregation and disaggregation), and sweeps twice through the depths from the
//! least on, with the best replies to what it has just found (Gauss-Seidel). It is policy iteration in
//! which no policy is evaluated to the end before a better one is taken.
//! How far it still is from the solution: [residual](super::residual).

use errare_choice::Kappa;
use errare_core::Watch;
use rayon::prelude::*;

use super::{
    Hunt, HuntError, Prey, Resistance, Scope, Solved,
    model::Model,
    nodes::Nodes,
    policy::Replies,
    residual::{LONGEST, Residual, Row},
};
use crate::{Predictor, Values};

/// So many rounds are enough wherever numbers can hold the answer.
const MOST_ROUNDS: usize = 2000;
/// Sweeps alone bring the bounds closer if they are apart by less than this share of what they were.
const PROGRESS: f64 = 0.8;
/// Nodes of a task.
const CHUNK: usize = 1 << 12;

impl Hunt<'_> {
    /// The expected number of the winner's moves until the phase ends, by position with the prey to
    /// move; for hunts that follow the prey's wins or losses, both of which it keeps.
    pub fn lengths(
        &self,
        prey: Prey,
        resistance: Resistance,
        watch: &dyn Watch,
    ) -> Result<Solved, HuntError> {
        if prey.competence.is_nan() || prey.competence < 0.0 {
            return Err(HuntError::Competence(prey.competence));
        }
        let model = self.model(prey);
        let fixed = self.fixed_replies(&model, resistance);
        match self.quarry.scope {
            Scope::Wins => {
                let replies = fixed.unwrap_or(Replies::Greatest);
                let guess = self.guess(prey.competence, prey.kappa, watch)?;
                let lengths = Lengths {
                    hunt: self,
                    model: &model,
                    replies: &replies,
                };
                lengths.of_prey(&guess, watch)
            }
            Scope::Losses => {
                let replies = fixed.unwrap_or(Replies::Least);
                let lengths = Lengths {
                    hunt: self,
                    model: &model,
                    replies: &replies,
                };
                lengths.of_hunter(watch)
            }
            _ => Err(HuntError::NotFollowed),
        }
    }

    /// By depth the mean lengths against the infallible opponent, than which no hunter is worse.
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
        let least = by_depth.iter().copied().fold(0.0, f64::max);
        if least > LONGEST {
            return Err(HuntError::TooLong { least });
        }
        Ok(by_depth)
    }
}

struct Lengths<'a> {
    hunt: &'a Hunt<'a>,
    model: &'a Model,
    replies: &'a Replies,
}

impl Lengths<'_> {
    fn prey(&self) -> &Nodes {
        &self.hunt.graph.prey
    }

    fn hunter(&self) -> &Nodes {
        &self.hunt.graph.hunter
    }

    /// By number of a state: its depth.
    fn depths_of_states(&self) -> Vec<u8> {
        let states = self.hunt.quarry.states;
        let depth = |number| {
            let seen = states.state(number).seen_by(self.hunt.quarry.prey);
            seen.depth().unwrap_or(0) as u8
        };
        (0..states.len()).map(depth).collect()
    }

    /// Where the prey wins: values of its nodes are 1 + the mean of what follows.
    fn of_prey(&self, guess: &[f64], watch: &dyn Watch) -> Result<Solved, HuntError> {
        let (prey, hunter) = (self.prey(), self.hunter());
        let depth_of = self.depths_of_states();
        let (mut values, mut after) = (prey.values(), hunter.values());
        for depth in 0..prey.depths() {
            let guess = guess.get(depth).copied().filter(|guess| guess.is_finite());
            values[prey.level(depth)].fill(guess.unwrap_or(f64::from(u16::MAX)));
        }
        let mut last_apart = f64::INFINITY;
        // By node of the hunter: the depth that its reply leads to.
        let mut levels = vec![0; hunter.len()];
        watch.begin("solving for expected lengths", None);
        for round in 0..MOST_ROUNDS {
            watch.check()?;
            self.reply_all(&values, &mut after, Some((&mut levels, &depth_of)));
            let residual = self.residual(&values, &after, &levels);
            if let Some(bounds) = residual.settled(round, &values) {
                return Ok(bounds.solved(&values[..prey.len()]));
            }
            watch.detail(&residual.bounds().words());
            residual.refuse_too_long(&values)?;
            // Where play takes long the factors are not exact, and sweeps must smooth what they leave: so they are
            // sought again only when sweeps alone bring the bounds no closer.
            let apart = residual.bounds().apart();
            let stalled = apart.is_infinite() || apart > PROGRESS * last_apart;
            last_apart = apart;
            if let Some(factors) = residual.factors().filter(|_| stalled) {
                for (depth, factor) in factors.into_iter().enumerate() {
                    values[prey.level(depth)]
                        .par_iter_mut()
                        .for_each(|value| *value *= factor);
                }
                self.reply_all(&values, &mut after, None);
            }
            for _ in 0..2 {
                for depth in 0..prey.depths() {
                    let range = prey.level(depth);
                    let after_moves = &after;
                    values[range.clone()]
                        .par_iter_mut()
                        .zip(range)
                        .with_min_len(CHUNK)
                        .for_each(|(value, node)| {
                            *value = 1.0 + self.model.mean(prey.moves(node), after_moves);
                        });
                    self.reply(hunter.level(depth), &values, &mut after);
                }
            }
            watch.advance(1);
        }
        Err(HuntError::NotSettled {
            rounds: MOST_ROUNDS,
        })
    }

    /// Where the hunter wins: values of its nodes are 1 + the least of what follows.
    fn of_hunter(&self, watch: &dyn Watch) -> Result<Solved, HuntError> {
        let (prey, hunter) = (self.prey(), self.hunter());
        let (mut values, mut after) = (hunter.values(), prey.values());
        for depth in 0..hunter.depths() {
            values[hunter.level(depth)].fill(depth as f64);
        }
        watch.begin("solving for expected lengths", None);
        for round in 0..MOST_ROUNDS {
            watch.check()?;
            for depth in 0..prey.depths() {
                self.mean(prey.level(depth), &values, &mut after);
            }
            let residual = self.hunter_residual(&values, &after);
            if let Some(bounds) = residual.settled(round, &values) {
                return Ok(bounds.solved(&after[..prey.len()]));
            }
            watch.detail(&residual.bounds().words());
            for depth in 0..hunter.depths().max(prey.depths()) {
                let range = hunter.level(depth);
                let after_moves = &after;
                values[range.clone()]
                    .par_iter_mut()
                    .zip(range)
                    .with_min_len(CHUNK)
                    .for_each(|(value, node)| {
                        *value = 1.0 + self.replies.value(hunter, node, after_moves).0;
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
        after[range.clone()]
            .par_iter_mut()
            .zip(range)
            .with_min_len(CHUNK)
            .for_each(|(value, node)| {
                *value = self.replies.value(self.hunter(), node, values).0;
            });
    }

    /// The values of all of the hunter's nodes and, if asked for, the depths that replies lead to.
    fn reply_all(&self, values: &[f64], after: &mut [f64], levels: Option<(&mut Vec<u8>, &[u8])>) {
        let hunter = self.hunter();
        let Some((levels, depth_of)) = levels else {
            return self.reply(0..hunter.len(), values, after);
        };
        after[..hunter.len()]
            .par_iter_mut()
            .zip(levels.par_iter_mut())
            .enumerate()
            .with_min_len(CHUNK)
            .for_each(|(node, (value, level))| {
                let (best, state) = self.replies.value(hunter, node, values);
                *value = best;
                *level = depth_of[usize::from(state)];
            });
    }

    /// The values of some of the prey's nodes, where its moves do not count.
    fn mean(&self, range: std::ops::Range<usize>, values: &[f64], after: &mut [f64]) {
        after[range.clone()]
            .par_iter_mut()
            .zip(range)
            .with_min_len(CHUNK)
            .for_each(|(value, node)| {
                *value = self.model.mean(self.prey().moves(node), values);
            });
    }

    /// V - P V at the prey's nodes, and what the equations are on average of each depth.
    fn residual(&self, values: &[f64], after: &[f64], levels: &[u8]) -> Residual {
        let prey = self.prey();
        let mut residual = Residual::new(prey.depths());
        for depth in 0..prey.depths() {
            let range = prey.level(depth);
            let parts: Vec<Row> = range
                .clone()
                .into_par_iter()
                .step_by(CHUNK)
                .map(|start| {
                    let mut row = Row::new();
                    let nodes = start..range.end.min(start + CHUNK);
                    for (node, &value) in nodes.clone().zip(&values[nodes]) {
                        let mean = self.mean_by_level(node, after, levels, &mut row.sums);
                        row.add(value, mean);
                    }
                    row
                })
                .collect();
            for part in parts {
                residual.rows[depth].merge(&part);
            }
        }
        residual
    }

    /// The mean of what follows, which is also added up by the depth after the reply.
    #[inline]
    fn mean_by_level(&self, node: usize, after: &[f64], levels: &[u8], sums: &mut [f64]) -> f64 {
        let (targets, states) = self.prey().moves(node);
        let weights = self.model.weights(states);
        let total: f64 = states
            .iter()
            .map(|&state| weights[usize::from(state)])
            .sum();
        let scale = total.recip();
        let mut mean = 0.0;
        for (&target, &state) in targets.iter().zip(states) {
            let share = weights[usize::from(state)] * scale * after[target as usize];
            mean += share;
            // Ends have no level, and no value.
            if let Some(&level) = levels.get(target as usize) {
                sums[usize::from(level)] += share;
            }
        }
        mean
    }

    fn hunter_residual(&self, values: &[f64], after: &[f64]) -> Residual {
        let hunter = self.hunter();
        let rows: Vec<Row> = (0..hunter.len())
            .into_par_iter()
            .step_by(CHUNK)
            .map(|start| {
                let mut row = Row::new();
                let nodes = start..hunter.len().min(start + CHUNK);
                for (node, &value) in nodes.clone().zip(&values[nodes]) {
                    let least = self.replies.value(hunter, node, after).0;
                    row.add(value, least);
                }
                row
            })
            .collect();
        Residual { rows }
    }
}
