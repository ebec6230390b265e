//! The hunt by plain move generation and plain value iteration over all positions of the full board.

use std::collections::HashMap;

use errare_choice::Kappa;
use errare_core::Metric;
use errare_endgame::{Hunt, Oracle, Prey, ReferencePlayer, Scope, Solved, Weighting, exits};
use shakmaty::{Board, Chess, Color, Position};

use super::MEMORY;
use crate::{
    markov::{men_of, positions},
    tables::endgame,
};

/// Where a move leads: to a node of the other side, or to an end with its value for the prey.
#[derive(Clone, Copy)]
pub(super) enum Target {
    Node(usize),
    End(i32),
}

/// The hunt by plain move generation.
pub(super) struct Twin {
    positions: Vec<Chess>,
    pub(super) prey: Vec<Vec<(f64, Target)>>,
    hunter: Vec<Vec<Target>>,
}

/// A hunt solved by both.
#[derive(Clone, Copy)]
pub(super) struct Case {
    pub(super) name: &'static str,
    pub(super) metric: Metric,
    pub(super) prey: Color,
    pub(super) scope: Scope,
    pub(super) competence: f64,
    pub(super) kappa: Kappa,
}

impl Case {
    fn follows(&self, value: i32) -> bool {
        match self.scope {
            Scope::Wins | Scope::WinsAtRisk => value > 0,
            Scope::Losses => value < 0,
            Scope::Draws => value == 0,
            Scope::DrawsAndWins => value >= 0,
        }
    }

    pub(super) fn model(&self) -> Prey {
        Prey {
            competence: self.competence,
            kappa: self.kappa,
        }
    }

    pub(super) fn hunt<'a>(&self, oracle: &'a Oracle) -> Hunt<'a> {
        Hunt::new(
            oracle,
            endgame(self.name),
            self.prey,
            self.scope,
            MEMORY,
            &(),
        )
        .unwrap()
    }
}

impl Twin {
    pub(super) fn new(oracle: &Oracle, case: &Case) -> Twin {
        let men = men_of(endgame(case.name));
        let nodes = |turn: Color| -> Vec<Chess> {
            let for_prey = if turn == case.prey { 1 } else { -1 };
            let all = positions(&men, turn).into_iter();
            all.filter(|position| case.follows(for_prey * oracle.outcome(position).unwrap().sign()))
                .collect()
        };
        let (prey, hunter) = (nodes(case.prey), nodes(!case.prey));
        let number = |positions: &[Chess]| {
            let boards = positions.iter().map(|position| position.board().clone());
            boards.zip(0..).collect::<HashMap<Board, usize>>()
        };
        let (prey_numbers, hunter_numbers) = (number(&prey), number(&hunter));
        let risks = !matches!(case.scope, Scope::Wins | Scope::Losses);
        let player = ReferencePlayer {
            competence: case.competence,
            kappa: case.kappa,
            weighting: if risks {
                Weighting::risking_value()
            } else {
                Weighting::keeping_value()
            },
        };
        let targets = |position: &Chess, others: &HashMap<Board, usize>, for_prey: i32| {
            let turn = oracle.turn(position).unwrap();
            let chances = player.probabilities(&turn);
            let moves: Vec<(f64, i32, Target)> = turn
                .choices()
                .iter()
                .zip(chances)
                .map(|(choice, chance)| {
                    let value = for_prey * choice.state.value();
                    let mut after = position.clone();
                    after.play_unchecked(choice.r#move);
                    let target = match () {
                        () if exits(choice.r#move, case.metric) => Target::End(value),
                        () if !case.follows(value) => Target::End(value),
                        () => Target::Node(others[after.board()]),
                    };
                    (chance, value, target)
                })
                .collect();
            match moves.is_empty() {
                true => {
                    let value = for_prey * oracle.outcome(position).unwrap().sign();
                    vec![(1.0, value, Target::End(value))]
                }
                false => moves,
            }
        };
        let prey_moves = prey.iter().map(|position| {
            let moves = targets(position, &hunter_numbers, 1).into_iter();
            moves.map(|(chance, _, target)| (chance, target)).collect()
        });
        let hunter_moves = hunter.iter().map(|position| {
            let moves = targets(position, &prey_numbers, -1).into_iter();
            moves
                .filter(|(_, value, _)| case.follows(*value))
                .map(|(_, _, target)| target)
                .collect()
        });
        Twin {
            prey: prey_moves.collect(),
            hunter: hunter_moves.collect(),
            positions: prey,
        }
    }

    /// The values of the prey's positions after one more move by each side: the hunter chooses the best reply.
    pub(super) fn step(
        &self,
        values: &[f64],
        gain: [f64; 2],
        end: impl Fn(i32) -> f64,
        best: impl Fn(f64, f64) -> f64,
    ) -> Vec<f64> {
        let value = |target: Target, values: &[f64]| match target {
            Target::Node(node) => values[node],
            Target::End(value) => end(value),
        };
        let replies: Vec<f64> = self
            .hunter
            .iter()
            .map(|targets| {
                let all = targets.iter().map(|&target| value(target, values));
                gain[1] + all.reduce(&best).unwrap()
            })
            .collect();
        let mean = |moves: &Vec<(f64, Target)>| -> f64 {
            moves
                .iter()
                .map(|&(chance, target)| chance * value(target, &replies))
                .sum()
        };
        self.prey
            .iter()
            .map(|moves| gain[0] + mean(moves))
            .collect()
    }

    pub(super) fn settle(&self, step: impl Fn(&[f64]) -> Vec<f64>) -> Vec<f64> {
        let mut values = vec![0.0; self.prey.len()];
        loop {
            let next = step(&values);
            let change = values
                .iter()
                .zip(&next)
                .map(|(a, b)| (a - b).abs() / b.max(1.0));
            let change = change.fold(0.0, f64::max);
            values = next;
            if change < 1e-13 {
                return values;
            }
        }
    }

    /// Compares all positions of the full board.
    pub(super) fn check(&self, case: &Case, hunt: &Hunt<'_>, expected: &[f64], found: &Solved) {
        assert!(!self.positions.is_empty());
        for (position, expected) in self.positions.iter().zip(expected) {
            let found = found.at(hunt.node(position).unwrap());
            let off = (found.value - expected).abs() / expected.abs().max(1.0);
            assert!(
                off < 1e-9,
                "{} {found:?} {expected} {position:?}",
                case.name
            );
            let margin = 1e-12 * expected.abs().max(1.0);
            assert!(found.low - margin <= *expected && *expected <= found.high + margin);
        }
    }
}

pub(super) const KRK: Case = Case {
    name: "KRK",
    metric: Metric::Dtc,
    prey: Color::White,
    scope: Scope::Wins,
    competence: 15.0,
    kappa: Kappa::ONE,
};
