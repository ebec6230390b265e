//! Expected lengths: how many moves the winner still needs if the hunter plays best.
//!
//! The equation is V = 1 + P V, where P depends on the hunter's choices: as loser it maximises V, as winner it minimises V. A
//! round finds the best replies to the current V, corrects V by a factor for each [class](super::aggregation) of positions
//! once sweeps no longer help, and sweeps twice through the depths in ascending order, with the best replies to the values
//! just computed (Gauss-Seidel). It is policy iteration in which no policy is evaluated to the end before a better one is
//! adopted. The distance from the solution is estimated in [residual](super::residual).

use errare_choice::Kappa;
use errare_core::Watch;
use rayon::prelude::*;

use super::{
    Aim, Hunt, HuntError, Prey, Resistance, Scope, Solved,
    aggregation::{self, ClassRow},
    model::PreyModel,
    nodes::{CHUNK, Nodes, fill},
    policy::Replies,
    residual::{LONGEST, Residual, Span},
};
use crate::{Predictor, Values};

/// Enough rounds wherever floating-point numbers can represent the answer.
const MOST_ROUNDS: usize = 2000;
/// Sweeps alone are making progress if they shrink the distance of the bounds to less than this share.
const PROGRESS: f64 = 0.8;

impl Hunt<'_> {
    /// The expected number of the winner's moves until the phase ends, for each position with the prey to move; for hunts that
    /// include the prey's wins or losses, which it keeps.
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

    /// By depth, the mean lengths against the infallible opponent, averaged over positions. They are no bounds, but where
    /// they are far too long, so is play against the hunter.
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
        let mut last_apart = f64::INFINITY;
        // By node of the prey: the distance of its residual from 1.
        let mut offs = vec![0.0; prey.len()];
        watch.begin("solving for expected lengths", None);
        for round in 0..MOST_ROUNDS {
            watch.check()?;
            self.reply(0..hunter.len(), &values, &mut after);
            let residual = self.residual(&values, &after, &mut offs);
            if let Some(bounds) = residual.settled(round, &values) {
                return Ok(bounds.solved(values, prey.len()));
            }
            watch.detail(&residual.bounds().words());
            residual.refuse_too_long(&values)?;
            // Sweeps must smooth out what factors leave, so factors are computed again only when sweeps alone no longer narrow
            // the bounds.
            let apart = residual.bounds().apart();
            let stalled = apart.is_infinite() || apart > PROGRESS * last_apart;
            last_apart = apart;
            if stalled {
                self.correct(&mut values, &after, &residual, &offs);
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
        watch.begin("solving for expected lengths", None);
        for round in 0..MOST_ROUNDS {
            watch.check()?;
            for depth in 0..prey.depths() {
                self.mean(prey.level(depth), &values, &mut after);
            }
            let residual = self.hunter_residual(&values, &after);
            if let Some(bounds) = residual.settled(round, &values) {
                return Ok(bounds.solved(after, prey.len()));
            }
            watch.detail(&residual.bounds().words());
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

    /// V - P V at the prey's nodes; `offs` receives each node's distance from 1.
    fn residual(&self, values: &[f64], after: &[f64], offs: &mut [f32]) -> Residual {
        let prey = self.prey();
        let span = |depth| {
            let range = prey.level(depth);
            let chunks = offs[range.clone()].par_chunks_mut(CHUNK);
            let starts = range.into_par_iter().step_by(CHUNK);
            let spans = chunks.zip(starts).map(|(offs, start)| {
                let mut span = Span::EMPTY;
                for (off, node) in offs.iter_mut().zip(start..) {
                    let residual = values[node] - self.model.mean(prey.moves(node), after);
                    *off = (residual - 1.0) as f32;
                    span.add(residual);
                }
                span
            });
            spans.reduce(|| Span::EMPTY, Span::merge)
        };
        Residual {
            spans: (0..prey.depths()).map(span).collect(),
        }
    }

    /// Corrects the values of each [class](super::aggregation) by a factor.
    fn correct(&self, values: &mut [f64], after: &[f64], residual: &Residual, offs: &[f32]) {
        let (prey, hunter) = (self.prey(), self.hunter());
        let classes = prey.depths() * aggregation::CLASSES;
        let mut class_of = vec![u16::MAX; values.len()];
        for depth in 0..prey.depths() {
            let range = prey.level(depth);
            let class_by = aggregation::class(residual, depth);
            let nodes = class_of[range.clone()].par_iter_mut().zip(&offs[range]);
            nodes.for_each(|(class, &off)| *class = class_by(off));
        }
        // By node of the hunter: the class that its reply leads to. Ends have none, and no value.
        let mut class_after = vec![u16::MAX; after.len()];
        let replies = class_after[..hunter.len()].par_iter_mut().enumerate();
        replies.with_min_len(CHUNK).for_each(|(node, class)| {
            *class = class_of[self.replies.value(hunter, node, values).1 as usize];
        });
        let mut rows = vec![ClassRow::new(classes); classes];
        for depth in 0..prey.depths() {
            let range = prey.level(depth);
            let first = depth * aggregation::CLASSES;
            let parts: Vec<Vec<ClassRow>> = range
                .clone()
                .into_par_iter()
                .step_by(CHUNK)
                .map(|start| {
                    let mut rows = vec![ClassRow::new(classes); aggregation::CLASSES];
                    for node in start..range.end.min(start + CHUNK) {
                        let row = &mut rows[usize::from(class_of[node]) - first];
                        row.total += values[node];
                        row.missing -= f64::from(offs[node]);
                        self.add_by_class(node, after, &class_after, &mut row.sums);
                    }
                    rows
                })
                .collect();
            for (part, class) in parts.iter().flat_map(|rows| rows.iter().zip(first..)) {
                rows[class].merge(part);
            }
        }
        if let Some(factors) = aggregation::factors(&rows) {
            let nodes = values.par_iter_mut().zip(&class_of);
            nodes.for_each(|(value, &class)| {
                *value *= factors.get(usize::from(class)).unwrap_or(&1.0);
            });
        }
    }

    /// Adds up the values after the reply, by class.
    #[inline]
    fn add_by_class(&self, node: usize, after: &[f64], class_after: &[u16], sums: &mut [f64]) {
        let (targets, states) = self.prey().moves(node);
        let weights = self.model.weights(states);
        let weight = |state: &u8| weights[usize::from(*state)];
        let scale = states.iter().map(weight).sum::<f64>().recip();
        for (&target, state) in targets.iter().zip(states) {
            let class = class_after[target as usize];
            if let Some(sum) = sums.get_mut(usize::from(class)) {
                *sum += weight(state) * scale * after[target as usize];
            }
        }
    }

    fn hunter_residual(&self, values: &[f64], after: &[f64]) -> Residual {
        let hunter = self.hunter();
        let residual = |node: usize| values[node] - self.replies.value(hunter, node, after).0;
        let nodes = (0..hunter.len()).into_par_iter().with_min_len(CHUNK);
        let add = |mut span: Span, node| {
            span.add(residual(node));
            span
        };
        let span = nodes.fold(|| Span::EMPTY, add);
        Residual {
            spans: vec![span.reduce(|| Span::EMPTY, Span::merge)],
        }
    }
}
