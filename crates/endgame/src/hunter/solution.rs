//! A solved hunt in the form a player needs: the value of every position with the prey to move, by
//! stored index.

use errare_core::{Material, Metric, Watch};
use errare_tables::{Layout, ScanError};
use shakmaty::{Board, Color};

use super::{
    Goal, Hunt, HuntError, Prey, Quarry, Resistance, Scope,
    graph::{Budget, Size},
    nodes::End,
};
use crate::Oracle;

/// The quantity a hunter optimises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aim {
    /// The expected length: maximised by the loser, minimised by the winner.
    Length,
    /// The probability that the prey ever wins: minimised.
    Hold,
    /// A probability within this many moves of the prey.
    Within(Goal, u32),
}

impl Aim {
    /// The bytes that a solution keeps for each position.
    pub(super) fn bytes_a_position(self) -> u64 {
        match self {
            Aim::Length | Aim::Hold => size_of::<f64>() as u64,
            Aim::Within(_, moves) => u64::from(moves) * size_of::<f32>() as u64,
        }
    }

    /// The number of layers, one per number of moves left; 0 if the values do not depend on it.
    pub(super) fn layers(self) -> u32 {
        match self {
            Aim::Length | Aim::Hold => 0,
            Aim::Within(_, moves) => moves,
        }
    }

    /// Does the hunter maximise it?
    pub(super) fn is_maximised(self, scope: Scope) -> bool {
        match self {
            Aim::Length => scope == Scope::Wins,
            Aim::Hold | Aim::Within(Goal::Win, _) => false,
            Aim::Within(Goal::Slip, _) => true,
        }
    }
}

/// The hunt to solve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HuntTask {
    /// The endgame.
    pub material: Material,
    /// The metric.
    pub metric: Metric,
    /// The prey's side of the endgame.
    pub side: Color,
    /// The positions included.
    pub scope: Scope,
    /// The quantity optimised.
    pub aim: Aim,
    /// The prey's model.
    pub prey: Prey,
}

impl HuntTask {
    /// A unique name: `KQKR.dtc.white.wins.length.kappa1.c20`.
    pub fn name(&self) -> String {
        let side = self.side.fold_wb("white", "black");
        let scope = match self.scope {
            Scope::Wins => "wins",
            Scope::WinsAtRisk => "wins-at-risk",
            Scope::Losses => "losses",
            Scope::Draws => "draws",
            Scope::DrawsAndWins => "draws-and-wins",
        };
        let aim = match self.aim {
            Aim::Length => "length".to_owned(),
            Aim::Hold => "hold".to_owned(),
            Aim::Within(Goal::Win, moves) => format!("win-within-{moves}"),
            Aim::Within(Goal::Slip, moves) => format!("slip-within-{moves}"),
        };
        format!(
            "{}.{}.{side}.{scope}.{aim}.kappa{}.c{}",
            self.material, self.metric, self.prey.kappa, self.prey.competence
        )
    }

    /// The bytes kept for each position: its value, and its number in stored order.
    fn room(&self) -> u64 {
        self.aim.bytes_a_position() + size_of::<u32>() as u64
    }

    /// Refuses it if solving takes more than this many bytes of memory.
    pub(super) fn must_fit(
        &self,
        oracle: &Oracle,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<(), HuntError> {
        let quarry = Quarry::new(oracle, self.material, self.side, self.scope)?;
        let Size { needed, .. } = Size::new(&quarry, self.room(), watch)?;
        HuntError::refuse_beyond(memory, needed, self.material)
    }

    /// Solves it within this memory.
    pub(super) fn solve(
        &self,
        oracle: &Oracle,
        memory: Budget<'_>,
        watch: &dyn Watch,
    ) -> Result<Solution, HuntError> {
        let (material, side, scope) = (self.material, self.side, self.scope);
        let hunt = Hunt::with_room(oracle, material, side, scope, self.room(), memory, watch)?;
        let members = Members::new(&hunt);
        let order = members.order(&hunt);
        let sorted = |values: &[f64]| -> Vec<f64> {
            order.iter().map(|&node| values[node as usize]).collect()
        };
        let hunter = Resistance::Hunter;
        let worths = match self.aim {
            Aim::Length => {
                Worths::Lasting(sorted(hunt.lengths(self.prey, hunter, watch)?.values()))
            }
            Aim::Hold => {
                Worths::Lasting(sorted(hunt.win_chances(self.prey, hunter, watch)?.values()))
            }
            Aim::Within(goal, moves) => {
                let mut layers = Vec::new();
                hunt.chances_by_moves_left(self.prey, goal, hunter, moves, watch, |chances| {
                    layers.push(
                        order
                            .iter()
                            .map(|&node| chances[node as usize] as f32)
                            .collect(),
                    );
                })?;
                Worths::ByMovesLeft(layers)
            }
        };
        Ok(Solution {
            task: *self,
            members,
            worths,
            layout: Layout::new(self.material).map_err(ScanError::from)?,
        })
    }
}

/// The stored positions that are nodes of a hunt, numbered in stored order.
#[derive(Debug, PartialEq)]
pub(super) struct Members {
    /// A bit for each stored position.
    pub(super) words: Vec<u64>,
    /// The number of members before each word.
    before: Vec<u32>,
}

impl Members {
    fn new(hunt: &Hunt<'_>) -> Members {
        let mut words = vec![0; (hunt.layout.len() as usize).div_ceil(64)];
        for &index in &hunt.graph.prey.indices {
            words[index as usize / 64] |= 1 << (index % 64);
        }
        Members::of(words)
    }

    pub(super) fn of(words: Vec<u64>) -> Members {
        let mut count = 0;
        let before = words
            .iter()
            .map(|word| {
                let before = count;
                count += word.count_ones();
                before
            })
            .collect();
        Members { words, before }
    }

    pub(super) fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// The bytes of a set of this many stored positions.
    pub(super) fn bytes(stored: u64) -> u64 {
        stored.div_ceil(64) * (size_of::<u64>() + size_of::<u32>()) as u64
    }

    fn number(&self, index: u64) -> Option<usize> {
        let (word, bit) = ((index / 64) as usize, index % 64);
        let bits = *self.words.get(word)?;
        let below = (bits & ((1 << bit) - 1)).count_ones();
        (bits >> bit & 1 == 1).then(|| (self.before[word] + below) as usize)
    }

    /// The nodes in the order of the members.
    fn order(&self, hunt: &Hunt<'_>) -> Vec<u32> {
        let mut order = vec![0; self.len()];
        for (node, &index) in hunt.graph.prey.indices.iter().enumerate() {
            let number = self.number(index.into()).expect("every node is a member");
            order[number] = node as u32;
        }
        order
    }
}

/// The values of positions.
#[derive(Debug, PartialEq)]
pub(super) enum Worths {
    /// Independent of the number of moves left.
    Lasting(Vec<f64>),
    /// With 1, 2, ... moves of the prey left.
    ByMovesLeft(Vec<Vec<f32>>),
}

/// A solved hunt.
#[derive(Debug)]
pub struct Solution {
    pub(super) task: HuntTask,
    pub(super) members: Members,
    pub(super) worths: Worths,
    pub(super) layout: Layout,
}

impl Solution {
    /// Which hunt it solves.
    pub fn task(&self) -> &HuntTask {
        &self.task
    }

    /// The bytes of memory that it takes.
    pub fn bytes(&self) -> u64 {
        let values = self.members.len() as u64 * self.task.aim.bytes_a_position();
        Members::bytes(self.layout.len()) + values
    }

    /// The value of a position with the prey to move, with this many of its moves left; `None` if it
    /// is not included. With `flipped` the board's Black is the endgame's White.
    pub fn worth(&self, board: &Board, flipped: bool, moves_left: u32) -> Option<f64> {
        let number = self.members.number(self.layout.index(board, flipped)?)?;
        Some(match &self.worths {
            Worths::Lasting(values) => values[number],
            Worths::ByMovesLeft(layers) => match moves_left.checked_sub(1) {
                None => 0.0,
                Some(left) => layers[(left as usize).min(layers.len() - 1)][number].into(),
            },
        })
    }

    /// The value of a move that ends play with this value for the prey.
    pub(crate) fn worth_of_end(&self, value_for_prey: i32) -> f64 {
        match self.task.aim {
            Aim::Length => 0.0,
            Aim::Hold => Goal::Win.ends(self.task.scope)[End::of(value_for_prey) as usize],
            Aim::Within(goal, _) => goal.ends(self.task.scope)[End::of(value_for_prey) as usize],
        }
    }
}
