//! Exact predictions from one position: R_c against the infallible opponent (beyond Haworth and Andrist
//! 2004, whose matrix averages over all positions of a depth).
//!
//! The nodes of a [graph](graph) are all positions that the player wins and all that the opponent
//! loses. On it the expected number of moves V is the solution of V(P) = 1 + Σ p(P → Q) W(Q), with W(Q)
//! = V of the position after the opponent's reply, or 0 where the win is achieved. [`solve`] finds it
//! by iteration, with error bounds.
//!
//! Where ties are broken by the names of moves, turning the board makes a difference, and every
//! position has as many nodes as the endgame has symmetries.

mod bounds;
mod graph;
mod simulate;
mod solve;
mod ties;

use errare_choice::Kappa;
use errare_core::{Material, Metric, Stopped, Watch};
use errare_tables::{ProbeError, ScanError};
use shakmaty::{Chess, Color, Position};

use self::graph::Graph;
pub use self::{
    bounds::Bounded,
    simulate::{Lengths, Simulator},
};
pub(crate) use self::{simulate::ACHIEVED, solve::eliminate};
use crate::{Oracle, Predictor, TieBreak, Values};

/// If play takes longer than this on average, differences in length are lost to rounding.
const LONGEST: f64 = 1e9;

/// R_c against the infallible opponent, in the wins of an endgame.
///
/// ```
/// use errare_choice::Kappa;
/// use errare_core::{Metric, parse_position};
/// use errare_endgame::{ExactPredictor, Oracle, TieBreak};
///
/// # use errare_tables::{Prober, Store, build};
/// # let store = Store::open(errare_testing::shared_tables(), 16 << 20);
/// # build(&store, &["KQK".parse()?], &[Metric::Dtc], 1 << 30, &())?;
/// # let oracle = Oracle::new(Prober::new(store), Metric::Dtc);
/// let position = parse_position("8/8/8/4k3/8/8/Q7/K7 w - - 0 1")?;
/// let predictor = ExactPredictor::new(&oracle, &position, Kappa::ONE, TieBreak::Uniform, 1 << 30, &())?;
/// let moves = predictor.expected_moves(&position, 20.0, &())?;
/// assert!(moves.low <= moves.value && moves.value <= moves.high);
/// assert!(predictor.win_within(&position, 20.0, 50, &())? > 0.99);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ExactPredictor<'a> {
    oracle: &'a Oracle,
    predictor: Predictor<'a>,
    graph: Graph,
    memory: u64,
}

/// Why play from a position cannot be predicted exactly.
#[derive(Debug, thiserror::Error)]
pub enum ExactError {
    /// The side to move does not win.
    #[error("the side to move does not win: give a position that it wins")]
    NotWon,
    /// Play goes on after the endgame is left.
    #[error("in {metric} play goes on after a conversion, which is not followed; use dtc or dtz")]
    LeavesEndgame {
        /// The metric.
        metric: Metric,
    },
    /// Play may include captures en passant.
    #[error("with pawns that may be taken en passant, play is followed only in dtz")]
    EnPassant,
    /// The position has an en-passant right.
    #[error("the position has an en-passant right, which the graph does not know")]
    RightInPosition,
    /// It does not fit into memory.
    #[error(
        "following play in {material} exactly takes {needed} MiB, more than the limit of {limit} MiB"
    )]
    Memory {
        /// The endgame.
        material: Material,
        /// MiB needed.
        needed: u64,
        /// MiB allowed.
        limit: u64,
    },
    /// Simulation cannot break ties by the names of moves.
    #[error("simulated games can only break ties at random")]
    NamedTies,
    /// Play takes longer than floating-point numbers can express.
    #[error(
        "play takes too long to be followed exactly: up to {about:.3e} moves on average over the endgame"
    )]
    TooLong {
        /// The expected length over the endgame, from the depth where it is greatest.
        about: f64,
    },
    /// The iteration does not converge.
    #[error("play takes too long to be followed exactly: at least {least:.3e} moves are expected")]
    NotSettled {
        /// A lower bound of the result.
        least: f64,
    },
    /// The watcher stopped it.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The tables gave no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A table cannot be read.
    #[error(transparent)]
    Scan(#[from] ScanError),
}

impl ExactError {
    /// Refuses what needs more than this many bytes of memory.
    fn refuse_beyond(limit: u64, needed: u64, material: Material) -> Result<(), ExactError> {
        match needed > limit {
            true => Err(ExactError::Memory {
                material,
                needed: needed >> 20,
                limit: limit >> 20,
            }),
            false => Ok(()),
        }
    }
}

impl<'a> ExactPredictor<'a> {
    /// A predictor for the endgame and the side to move of a won position, within this many bytes of
    /// memory.
    pub fn new(
        oracle: &'a Oracle,
        position: &Chess,
        kappa: Kappa,
        ties: TieBreak,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<ExactPredictor<'a>, ExactError> {
        if oracle.outcome(position)?.sign() <= 0 {
            return Err(ExactError::NotWon);
        }
        let (material, player, flipped) = side_to_move(position);
        let predictor = Predictor::new(oracle, material, kappa, Values::Kept)?;
        let graph = Graph::new(oracle, material, player, flipped, ties, memory, watch)?;
        Ok(ExactPredictor {
            oracle,
            predictor,
            graph,
            memory,
        })
    }

    /// The expected number of the player's moves until the win is achieved.
    pub fn expected_moves(
        &self,
        position: &Chess,
        competence: f64,
        watch: &dyn Watch,
    ) -> Result<Bounded, ExactError> {
        Ok(self.expected_moves_of(std::slice::from_ref(position), competence, watch)?[0])
    }

    /// The same for several positions, in the time of one.
    pub fn expected_moves_of(
        &self,
        positions: &[Chess],
        competence: f64,
        watch: &dyn Watch,
    ) -> Result<Vec<Bounded>, ExactError> {
        let nodes = positions.iter().map(|position| self.node(position));
        let nodes: Vec<usize> = nodes.collect::<Result<_, _>>()?;
        let chains =
            self.predictor
                .chains(self.graph.player, &[competence], f64::INFINITY, watch)?;
        let guess = chains[0].expected_moves();
        let by_depth: Vec<f64> = (0..=self.predictor.states().deepest(self.graph.player))
            .map(|depth| guess[self.predictor.states().number(chains[0].win(depth))])
            .collect();
        let about = by_depth.iter().copied().fold(0.0, f64::max);
        if about > LONGEST {
            return Err(ExactError::TooLong { about });
        }
        let weights = self.weights(competence);
        solve::expected_moves(&self.graph, &weights, &by_depth, &nodes, watch)
    }

    /// The probability that the player has won by this move.
    pub fn win_within(
        &self,
        position: &Chess,
        competence: f64,
        moves: u32,
        watch: &dyn Watch,
    ) -> Result<f64, ExactError> {
        let node = self.node(position)?;
        Ok(solve::win_within(
            &self.graph,
            &self.weights(competence),
            moves,
            node,
            watch,
        )?)
    }

    /// A simulator of R_c's games from a position, with ties broken at random.
    pub fn simulator(&self, position: &Chess, competence: f64) -> Result<Simulator, ExactError> {
        if self.graph.orientations != 1 {
            return Err(ExactError::NamedTies);
        }
        let node = self.node(position)?;
        let Graph { won, lost, .. } = &self.graph;
        let nodes = won.len() + lost.len();
        let games = Simulator::bytes(nodes, won.targets.len(), lost.targets.len());
        let needed = won.bytes() + lost.bytes() + games;
        ExactError::refuse_beyond(self.memory, needed, Material::of(position.board()).0)?;
        let weights = self.weights(competence);
        let after = |&target: &u32| match target {
            ACHIEVED => ACHIEVED,
            packed => packed >> 3,
        };
        let moves = |rank| {
            let (targets, depths) = won.moves(rank);
            let weights = weights.of(depths);
            let weight = |depth: &u8| weights[usize::from(*depth)];
            let each = depths.iter().map(weight).zip(targets.iter().map(after));
            each.collect()
        };
        let replies = |rank| lost.moves(rank).0.iter().map(after).collect();
        let [own, others] = [won, lost].map(|nodes| [nodes.len(), nodes.targets.len()]);
        Ok(Simulator::new(node, own, moves, others, replies))
    }

    fn weights(&self, competence: f64) -> solve::Weights {
        solve::Weights::new(&self.predictor, self.graph.player, competence)
    }

    fn node(&self, position: &Chess) -> Result<usize, ExactError> {
        if self.oracle.outcome(position)?.sign() <= 0 {
            return Err(ExactError::NotWon);
        }
        if position.ep_square(shakmaty::EnPassantMode::Legal).is_some() {
            return Err(ExactError::RightInPosition);
        }
        self.graph
            .node(self.oracle, position)?
            .ok_or(ExactError::NotWon)
    }
}

/// The endgame of a position, the side of it that is to move, and whether the board's Black is the endgame's White.
pub(crate) fn side_to_move(position: &Chess) -> (Material, Color, bool) {
    let (material, flipped) = Material::of(position.board());
    let turn = position.turn();
    (material, if flipped { !turn } else { turn }, flipped)
}
