//! The exact hunter: the best reply there is to a fallible player.
//!
//! The prey is R_c, whose chances of every move are known (Haworth and Andrist 2004, section 2). Against such a
//! player the best reply is a Markov decision problem on the positions of the endgame: the Predator
//! of section 3.3, which looks two plies ahead, with an unlimited view. This is the end of the road
//! that section 8 of that paper asks about.
//!
//! A [`Hunt`] holds the [graph](graph) of an endgame as far as a [`Scope`] follows it. On it are solved:
//!
//! - [expected lengths](lengths): the loser makes the win of R_c as long as possible, the winner its own win
//!   against R_c as short as possible;
//! - [chances within a number of moves](horizon), where the policy depends on the moves left: that R_c
//!   wins in time, that it lets a win slip, that it loses a draw;
//! - the [chance that R_c ever wins](chance), where it may let a win slip: lengths are infinite then.
//!
//! The same numbers are found for fixed [policies](policy), such as the infallible player's and the Predator's,
//! so that all of them can be compared position by position.
//!
//! The phase that is followed is the one that the metric measures: it ends with mate or a conversion
//! in DTC, with mate or a zeroing move in DTZ. What comes after is not followed; a converted win
//! counts as won. So the chance to win within 50 moves is that of the 50-move rule in DTZ and, without
//! pawns, in DTC. With pawns in DTC a push would set the clock back, which is not taken into account.

mod agent;
mod aggregation;
mod chance;
mod error;
mod file;
mod graph;
mod horizon;
mod lengths;
mod library;
mod mixture;
mod model;
mod nodes;
mod place;
mod player;
mod policy;
mod residual;
mod solution;

use errare_choice::Kappa;
use errare_core::{Material, Watch};
use errare_tables::Layout;
use shakmaty::{Chess, Color, EnPassantMode, Position};

pub use self::{
    error::HuntError,
    horizon::Goal,
    library::Library,
    player::{Hunter, Objective, Worth},
    policy::{ParseResistanceError, Resistance},
    solution::{Aim, Solution, Task},
};
use self::{graph::Graph, model::Model};
use crate::{Bounded, Oracle, States};

/// The prey's model: R_c.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prey {
    /// c.
    pub competence: f64,
    /// κ.
    pub kappa: Kappa,
}

/// Which positions of an endgame a hunt follows, and whether the prey may lose value there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The prey's wins, which it keeps.
    Wins,
    /// The prey's wins, which it may let slip.
    WinsAtRisk,
    /// The prey's losses.
    Losses,
    /// Draws, which the prey may lose and the hunter keeps.
    Draws,
    /// Draws and the prey's wins: the prey may lose value, and so may the hunter.
    DrawsAndWins,
}

impl Scope {
    /// Whether positions of this value for the prey are followed.
    pub(self) fn follows(self, value: i32) -> bool {
        match self {
            Scope::Wins | Scope::WinsAtRisk => value > 0,
            Scope::Losses => value < 0,
            Scope::Draws => value == 0,
            Scope::DrawsAndWins => value >= 0,
        }
    }

    /// Whether the prey may lose value.
    pub(self) fn risks_value(self) -> bool {
        matches!(self, Scope::WinsAtRisk | Scope::Draws | Scope::DrawsAndWins)
    }
}

/// What is hunted, and where.
#[derive(Debug, Clone, Copy)]
struct Quarry<'a> {
    oracle: &'a Oracle,
    material: Material,
    /// The side of the endgame that the prey has.
    prey: Color,
    scope: Scope,
    states: States,
}

/// The graph of an endgame, ready to hunt any R_c on it.
#[derive(Debug)]
pub struct Hunt<'a> {
    quarry: Quarry<'a>,
    graph: Graph,
    layout: Layout,
}

/// A number for each position with the prey to move.
#[derive(Debug, Clone)]
pub struct Solved {
    /// By node: the number, as best known.
    values: Vec<f64>,
    /// Every number lies between these multiples of what is told, or not farther off than this.
    low: f64,
    high: f64,
    error: f64,
}

impl<'a> Hunt<'a> {
    /// For the prey on one side of an endgame, in so many bytes of memory. What it takes is told to
    /// the watch before it starts.
    pub fn new(
        oracle: &'a Oracle,
        material: Material,
        prey: Color,
        scope: Scope,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Hunt<'a>, HuntError> {
        Hunt::with_room(oracle, material, prey, scope, 0, memory, watch)
    }

    /// The same with room for so many bytes more for each position with the prey to move.
    fn with_room(
        oracle: &'a Oracle,
        material: Material,
        prey: Color,
        scope: Scope,
        room: u64,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Hunt<'a>, HuntError> {
        let [white, black] = oracle.deepest_wins(material)?;
        let states = States { white, black };
        if !graph::numbers_fit(states) {
            return Err(HuntError::TooDeep { material });
        }
        let quarry = Quarry {
            oracle,
            material,
            prey,
            scope,
            states,
        };
        Ok(Hunt {
            graph: Graph::new(&quarry, room, memory, watch)?,
            layout: Layout::new(material).map_err(errare_tables::ScanError::from)?,
            quarry,
        })
    }

    /// For the endgame of a position whose side to move is the prey.
    pub fn from_position(
        oracle: &'a Oracle,
        position: &Chess,
        scope: Scope,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Hunt<'a>, HuntError> {
        let (material, flipped) = Material::of(position.board());
        let prey = if flipped {
            !position.turn()
        } else {
            position.turn()
        };
        Hunt::new(oracle, material, prey, scope, memory, watch)
    }

    /// How many positions there are with the prey to move, up to symmetry.
    pub fn positions(&self) -> usize {
        self.graph.prey.len()
    }

    /// The node of a position with the prey to move.
    pub fn node(&self, position: &Chess) -> Result<usize, HuntError> {
        let (material, flipped) = Material::of(position.board());
        let turn = if flipped {
            !position.turn()
        } else {
            position.turn()
        };
        if (material, turn) != (self.quarry.material, self.quarry.prey) {
            return Err(HuntError::OtherEndgame {
                material: self.quarry.material,
            });
        }
        if position.ep_square(EnPassantMode::Legal).is_some() {
            return Err(HuntError::RightInPosition);
        }
        let index = self.layout.index(position.board(), flipped);
        let nodes = &self.graph.prey;
        // Both indices and nodes are ordered within a depth.
        let find = |index: u32| {
            (0..nodes.depths()).find_map(|depth| {
                let level = nodes.level(depth);
                let found = nodes.indices[level.clone()].binary_search(&index).ok()?;
                Some(level.start + found)
            })
        };
        index
            .and_then(|index| find(index as u32))
            .ok_or(HuntError::NotFollowed)
    }

    fn model(&self, prey: Prey) -> Model {
        Model::new(&self.quarry, prey)
    }

    /// Of each depth of the prey's positions: how many positions of the full board it has, and the
    /// mean of a number over them.
    pub fn by_depth(&self, solved: &Solved) -> Vec<(u16, u64, f64)> {
        let nodes = &self.graph.prey;
        let mut means = Vec::new();
        for depth in 0..nodes.depths() {
            let (mut count, mut sum) = (0, 0.0);
            for node in nodes.level(depth) {
                count += u64::from(nodes.orbits[node]);
                sum += f64::from(nodes.orbits[node]) * solved.values[node];
            }
            if count > 0 {
                means.push((depth as u16, count, sum / count as f64));
            }
        }
        means
    }
}

impl Solved {
    /// The number of a node, with what it can be at least and at most.
    pub fn at(&self, node: usize) -> Bounded {
        let value = self.values[node];
        Bounded {
            value,
            low: value * self.low - self.error,
            high: value * self.high + self.error,
        }
    }

    /// The numbers of all nodes.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}
