//! The exact hunter: the best possible reply to a fallible player.
//!
//! The prey is R_c, whose probability of every move is known (Haworth and Andrist 2004, section 2). Against
//! such a player the best reply is a Markov decision problem on the positions of the endgame: the Predator of
//! section 3.3, which looks two plies ahead, with an unlimited horizon. It answers the question that section 8
//! of that paper leaves open.
//!
//! A [`Hunt`] holds the [graph](graph) of an endgame, limited to the positions of a [`Scope`]. It solves for:
//!
//! - [expected lengths](lengths): the loser makes the win of R_c as long as possible, the winner its own win
//!   against R_c as short as possible;
//! - [chances within a number of moves](horizon), where the policy depends on the moves left: that R_c
//!   wins in time, that it lets a win slip, that it loses a draw;
//! - the [chance that R_c ever wins](chance), where it may let a win slip: lengths are infinite then.
//!
//! The same quantities are computed for fixed [policies](policy), such as those of the infallible player and
//! the Predator, so that they can be compared position by position.
//!
//! Play is followed to the end of the phase that the metric measures: mate or a conversion in DTC, mate or a
//! zeroing move in DTZ. A converted win counts as won. So the probability of winning within 50 moves is that of
//! the 50-move rule in DTZ and, without pawns, in DTC. With pawns in DTC a push would reset the clock, which is
//! not taken into account.

mod agent;
mod aggregation;
mod chance;
mod error;
mod extrapolation;
mod file;
mod games;
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
    solution::{Aim, HuntTask, Solution},
};
use self::{
    graph::{Budget, Graph},
    model::PreyModel,
};
use crate::{Bounded, Oracle, States, exact::side_to_move};

/// The prey's model: R_c.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prey {
    /// c.
    pub competence: f64,
    /// κ.
    pub kappa: Kappa,
}

/// The positions of an endgame that a hunt includes, and whether the prey may lose value there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scope {
    /// The prey's wins; it keeps the value.
    Wins,
    /// The prey's wins; it may let them slip.
    WinsAtRisk,
    /// The prey's losses.
    Losses,
    /// Draws; the prey may lose them, the hunter keeps them.
    Draws,
    /// Draws and the prey's wins: the prey may lose value, and so may the hunter.
    DrawsAndWins,
}

impl Scope {
    /// Are positions with this value for the prey included?
    pub(self) fn follows(self, value: i32) -> bool {
        match self {
            Scope::Wins | Scope::WinsAtRisk => value > 0,
            Scope::Losses => value < 0,
            Scope::Draws => value == 0,
            Scope::DrawsAndWins => value >= 0,
        }
    }

    /// May the prey lose value?
    pub(self) fn risks_value(self) -> bool {
        matches!(self, Scope::WinsAtRisk | Scope::Draws | Scope::DrawsAndWins)
    }
}

/// The target of a hunt: endgame, side and scope.
#[derive(Debug, Clone, Copy)]
struct Quarry<'a> {
    oracle: &'a Oracle,
    material: Material,
    /// The prey's side of the endgame.
    prey: Color,
    scope: Scope,
    states: States,
}

impl<'a> Quarry<'a> {
    fn new(
        oracle: &'a Oracle,
        material: Material,
        prey: Color,
        scope: Scope,
    ) -> Result<Quarry<'a>, HuntError> {
        let [white, black] = oracle.deepest_wins(material)?;
        let states = States { white, black };
        match graph::numbers_fit(states) {
            true => Ok(Quarry {
                oracle,
                material,
                prey,
                scope,
                states,
            }),
            false => Err(HuntError::TooDeep { material }),
        }
    }
}

/// The graph of an endgame, ready to hunt any R_c on it.
///
/// ```
/// use errare_choice::Kappa;
/// use errare_core::{Metric, parse_position};
/// use errare_endgame::{Hunt, Oracle, Prey, Resistance, Scope};
///
/// # use errare_tables::{Prober, Store, build};
/// # let store = Store::open(errare_testing::shared_tables(), 16 << 20);
/// # build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
/// # let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
/// let position = parse_position("8/8/8/4k3/8/8/Q7/K7 w - - 0 1")?;
/// let hunt = Hunt::from_position(&oracle, &position, Scope::Wins, 1 << 30, &())?;
/// let prey = Prey { competence: 10.0, kappa: Kappa::ONE };
/// let node = hunt.node(&position)?;
/// let [hunter, infallible] = [Resistance::Hunter, Resistance::Best]
///     .map(|resistance| hunt.lengths(prey, resistance, &()).map(|solved| solved.at(node).value));
/// assert!(hunter? >= infallible?, "nobody resists longer than the hunter");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Hunt<'a> {
    quarry: Quarry<'a>,
    graph: Graph,
    layout: Layout,
}

/// A value for each position with the prey to move.
#[derive(Debug, Clone)]
pub struct Solved {
    /// By node: the best estimate.
    values: Vec<f64>,
    /// The error bounds: relative factors, or an absolute distance.
    low: f64,
    high: f64,
    error: f64,
}

impl<'a> Hunt<'a> {
    /// A hunt for the prey on one side of an endgame, within this many bytes of memory. Reports the memory it
    /// needs to the watch before it starts.
    pub fn new(
        oracle: &'a Oracle,
        material: Material,
        prey: Color,
        scope: Scope,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Hunt<'a>, HuntError> {
        Hunt::with_room(oracle, material, prey, scope, 0, &|_| Ok(memory), watch)
    }

    /// The same, with this many extra bytes for each position with the prey to move.
    fn with_room(
        oracle: &'a Oracle,
        material: Material,
        prey: Color,
        scope: Scope,
        room: u64,
        memory: Budget<'_>,
        watch: &dyn Watch,
    ) -> Result<Hunt<'a>, HuntError> {
        let quarry = Quarry::new(oracle, material, prey, scope)?;
        Ok(Hunt {
            graph: Graph::new(&quarry, room, memory, watch)?,
            layout: Layout::new(material).map_err(errare_tables::ScanError::from)?,
            quarry,
        })
    }

    /// A hunt in the endgame of a position whose side to move is the prey.
    pub fn from_position(
        oracle: &'a Oracle,
        position: &Chess,
        scope: Scope,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Hunt<'a>, HuntError> {
        let (material, prey, _) = side_to_move(position);
        Hunt::new(oracle, material, prey, scope, memory, watch)
    }

    /// The number of positions with the prey to move, up to symmetry.
    pub fn positions(&self) -> usize {
        self.graph.prey.len()
    }

    /// The node of a position with the prey to move.
    pub fn node(&self, position: &Chess) -> Result<usize, HuntError> {
        let (material, turn, flipped) = side_to_move(position);
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
        // Within a depth, both indices and nodes are sorted.
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

    fn model(&self, prey: Prey) -> Result<PreyModel, HuntError> {
        match prey.competence {
            0.0.. => Ok(PreyModel::new(&self.quarry, prey)),
            other => Err(HuntError::Competence(other)),
        }
    }

    /// For each depth of the prey's positions: the number of positions on the full board, and the mean value
    /// over them.
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
    /// Values that are off by at most this much.
    fn within(values: Vec<f64>, error: f64) -> Solved {
        Solved {
            values,
            low: 1.0,
            high: 1.0,
            error,
        }
    }

    /// The value of a node with its bounds.
    pub fn at(&self, node: usize) -> Bounded {
        let value = self.values[node];
        Bounded {
            value,
            low: value * self.low - self.error,
            high: value * self.high + self.error,
        }
    }

    /// The values of all nodes.
    pub fn values(&self) -> &[f64] {
        &self.values
    }
}
