//! The graph of play: the player's won positions and the opponent's lost ones.

use errare_core::{Material, Metric, Outcome, Watch};
use errare_tables::{Census, CensusEntry, Destination, Successor, Symmetry};
use shakmaty::{Chess, Color, Position};

use super::{ExactError, side_to_move, simulate::ACHIEVED, ties::named_replies};
use crate::{Oracle, TieBreak, destination, state::step_exits};

/// Packs a node and the symmetry that leads to it: rank * 8 + symmetry.
pub(super) fn packed(rank: u32, symmetry: Symmetry) -> u32 {
    rank << 3 | symmetry.number() as u32
}

/// Positions of one side to move, sorted by depth.
#[derive(Debug)]
pub(super) struct Nodes {
    /// By stored index: the rank of the position in order of depth, or [`ACHIEVED`] if it is not a
    /// node.
    pub(super) ranks: Vec<u32>,
    /// By depth: the first rank; and the end.
    pub(super) levels: Vec<usize>,
    /// By rank: the first move; and the end.
    pub(super) starts: Vec<u64>,
    /// For each move: the node of the other side, packed.
    pub(super) targets: Vec<u32>,
    /// For each move: the depth it leads to.
    pub(super) depths: Vec<u8>,
}

/// The graph.
#[derive(Debug)]
pub(super) struct Graph {
    material: Material,
    pub(super) player: Color,
    flipped: bool,
    /// The number of nodes per position.
    pub(super) orientations: usize,
    pub(super) won: Nodes,
    pub(super) lost: Nodes,
    /// The [replies](named_replies) of an opponent that breaks ties by name.
    pub(super) named: Option<Vec<u32>>,
}

/// Positions and their moves, collected from a census.
#[derive(Default)]
struct Part {
    /// The index and depth of each position, and its number of moves.
    positions: Vec<(u32, u8, u8)>,
    targets: Vec<Successor>,
    depths: Vec<u8>,
}

/// The kind of a move that is not needed.
const DROPPED: u16 = u16::MAX;
/// Added to the depth of a destination that ends the metric's phase.
const EXIT: u16 = 0x100;

impl Graph {
    pub(super) fn new(
        oracle: &Oracle,
        material: Material,
        player: Color,
        flipped: bool,
        ties: TieBreak,
        memory: u64,
        watch: &dyn Watch,
    ) -> Result<Graph, ExactError> {
        let won = census(oracle, material, player, 1)?;
        let lost = census(oracle, material, !player, -1)?;
        let orientations = match ties {
            TieBreak::Uniform => 1,
            _ => won.symmetries(),
        };
        check_memory(material, &won, &lost, orientations, memory, watch)?;

        let metric = oracle.metric();
        let won_part = collect(won, metric, false, watch)?;
        let lost_part = collect(lost, metric, true, watch)?;
        let stored = census(oracle, material, player, 1)?.stored() as usize;
        let (mut won, won_targets) = nodes(&won_part, stored);
        drop(won_part);
        let (mut lost, lost_targets) = nodes(&lost_part, stored);
        let target = |ranks: &[u32], successor: Successor| match successor {
            Successor::ELSEWHERE => ACHIEVED,
            _ => packed(ranks[successor.index() as usize], successor.symmetry()),
        };
        won.targets = won_targets
            .into_iter()
            .map(|successor| target(&lost.ranks, successor))
            .collect();
        lost.targets = lost_targets
            .into_iter()
            .map(|successor| target(&won.ranks, successor))
            .collect();
        let mut graph = Graph {
            material,
            player,
            flipped,
            orientations,
            won,
            lost,
            named: None,
        };
        if ties != TieBreak::Uniform {
            graph.named = Some(named_replies(oracle, &graph, ties, watch)?);
        }
        Ok(graph)
    }

    /// The census of the opponent's lost positions.
    pub(super) fn lost_census<'a>(&self, oracle: &'a Oracle) -> Result<Census<'a>, ExactError> {
        census(oracle, self.material, !self.player, -1)
    }

    /// Is the board's Black the endgame's White?
    pub(super) fn flipped(&self) -> bool {
        self.flipped
    }

    /// The node of a won position: rank * orientations + orientation.
    pub(super) fn node(
        &self,
        oracle: &Oracle,
        position: &Chess,
    ) -> Result<Option<usize>, ExactError> {
        let (material, turn, flipped) = side_to_move(position);
        if (material, flipped, turn) != (self.material, self.flipped, self.player) {
            return Ok(None);
        }
        let census = census(oracle, material, turn, 1)?;
        let place = census.locate(position.board(), flipped);
        Ok(place.and_then(|(index, symmetry)| {
            let rank = self.won.ranks[index as usize];
            let orientation = self.orientation(symmetry);
            (rank != ACHIEVED).then(|| rank as usize * self.orientations + orientation)
        }))
    }

    /// The index of the orientation from which a symmetry leads to the stored position.
    pub(super) fn orientation(&self, symmetry: Symmetry) -> usize {
        match self.orientations {
            1 => 0,
            _ => symmetry.inverse().number(),
        }
    }
}

/// The moves of a side in its won or lost positions, numbered by the depth they lead to.
fn census(
    oracle: &Oracle,
    material: Material,
    turn: Color,
    sign: i32,
) -> Result<Census<'_>, ExactError> {
    let metric = oracle.metric();
    let kind = |to: Destination| {
        let exits = step_exits(to.step, metric);
        let state = destination(to.after, metric, exits);
        match state.depth() {
            Some(depth) if state.value() == sign => depth | if exits { EXIT } else { 0 },
            _ => DROPPED,
        }
    };
    let census = Census::new(oracle.prober().store(), material, metric, turn, kind)?;
    Ok(census.only(move |outcome| outcome.sign() == sign))
}

/// Rejects graphs that exceed the memory limit.
fn check_memory(
    material: Material,
    won: &Census<'_>,
    lost: &Census<'_>,
    orientations: usize,
    limit: u64,
    watch: &dyn Watch,
) -> Result<(), ExactError> {
    watch.begin("counting positions", Some(2 * won.stored()));
    let count = |census: &Census<'_>| {
        census.fold(
            watch,
            || (0, 0),
            |(positions, moves), entry| {
                *positions += 1;
                *moves += entry.kinds.iter().filter(|&&kind| kind != DROPPED).count() as u64;
            },
            |sum, part| *sum = (sum.0 + part.0, sum.1 + part.1),
        )
    };
    let (won_positions, won_moves): (u64, u64) = count(won)?;
    let (lost_positions, _) = count(lost)?;
    let orientations = orientations as u64;
    // While moves are collected they are stored twice; only the best few replies are kept.
    let moves = won_moves * (2 * 5 + 4) + lost_positions * 3 * 14;
    let nodes = (won_positions + lost_positions) * (4 + 8 + 6);
    let values = orientations * (2 * 8 * (won_positions + lost_positions) + 4 * lost_positions);
    let ranks = 2 * 4 * won.stored();
    let needed = moves + nodes + values + ranks;
    ExactError::refuse_beyond(limit, needed, material)
}

/// Collects positions and moves; `best` keeps only the deepest moves, those of an infallible loser.
fn collect(
    census: Census<'_>,
    metric: Metric,
    best: bool,
    watch: &dyn Watch,
) -> Result<Part, ExactError> {
    watch.begin("collecting moves", Some(census.stored()));
    let census = census.with_successors();
    let depth_of = |outcome: Outcome| outcome.moves_in(metric).map_or(0, |moves| moves.0 as u8);
    let add = |(part, leaves): &mut (Part, bool), entry: &CensusEntry<'_>| {
        let moves = || entry.kinds.iter().zip(entry.successors);
        let deepest = entry.kinds.iter().filter(|&&kind| kind != DROPPED);
        let deepest = deepest.map(|kind| kind & !EXIT).max().filter(|_| best);
        let depth = depth_of(entry.outcome);
        let mut count = 0;
        // A loser at depth 0 is mated or must convert: the win is achieved.
        let over = best && depth == 0;
        for (&kind, &successor) in moves().filter(|(kind, _)| **kind != DROPPED && !over) {
            if deepest.is_some_and(|deepest| kind & !EXIT != deepest) {
                continue;
            }
            *leaves |= kind & EXIT == 0 && successor == Successor::ELSEWHERE;
            count += 1;
            let exits = kind & EXIT != 0;
            part.targets.push(if exits {
                Successor::ELSEWHERE
            } else {
                successor
            });
            part.depths.push((kind & !EXIT) as u8);
        }
        part.positions.push((entry.index, depth, count));
    };
    let merge = |all: &mut (Part, bool), mut part: (Part, bool)| {
        all.0.positions.append(&mut part.0.positions);
        all.0.targets.append(&mut part.0.targets);
        all.0.depths.append(&mut part.0.depths);
        all.1 |= part.1;
    };
    let (part, leaves) = census.fold(watch, Default::default, add, merge)?;
    match metric {
        _ if !leaves => Ok(part),
        Metric::Dtm | Metric::Dtr => Err(ExactError::LeavesEndgame { metric }),
        Metric::Dtc | Metric::Dtz => Err(ExactError::EnPassant),
    }
}

/// The positions and their moves, sorted by depth for the sweeps; the targets still have to be
/// numbered.
fn nodes(part: &Part, stored: usize) -> (Nodes, Vec<Successor>) {
    let deepest = part.positions.iter().map(|position| position.1).max();
    let mut levels = vec![0; usize::from(deepest.unwrap_or(0)) + 2];
    for &(_, depth, _) in &part.positions {
        levels[usize::from(depth) + 1] += 1;
    }
    for depth in 1..levels.len() {
        levels[depth] += levels[depth - 1];
    }
    let mut next = levels.clone();
    let mut ranks = vec![ACHIEVED; stored];
    // First the number of moves of each, then where they end.
    let mut starts = vec![0; part.positions.len() + 1];
    for &(index, depth, count) in &part.positions {
        let rank = &mut next[usize::from(depth)];
        ranks[index as usize] = *rank as u32;
        *rank += 1;
        starts[*rank] = u64::from(count);
    }
    for rank in 1..starts.len() {
        starts[rank] += starts[rank - 1];
    }
    let mut targets = vec![Successor::ELSEWHERE; part.targets.len()];
    let mut depths = vec![0; part.depths.len()];
    let mut from = 0;
    for &(index, _, count) in &part.positions {
        let to = starts[ranks[index as usize] as usize] as usize;
        let count = usize::from(count);
        targets[to..to + count].copy_from_slice(&part.targets[from..from + count]);
        depths[to..to + count].copy_from_slice(&part.depths[from..from + count]);
        from += count;
    }
    let nodes = Nodes {
        ranks,
        levels,
        starts,
        targets: Vec::new(),
        depths,
    };
    (nodes, targets)
}

impl Nodes {
    /// The number of positions.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The bytes that it takes.
    pub(super) fn bytes(&self) -> u64 {
        let (nodes, moves) = (self.starts.len() as u64, self.targets.len() as u64);
        self.ranks.len() as u64 * 4 + nodes * 8 + moves * (4 + 1)
    }

    /// The moves of the position with this rank: packed targets and depths.
    #[inline]
    pub(super) fn moves(&self, rank: usize) -> (&[u32], &[u8]) {
        let range = self.starts[rank] as usize..self.starts[rank + 1] as usize;
        (&self.targets[range.clone()], &self.depths[range])
    }
}
