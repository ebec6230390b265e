//! The graph of a hunt: the positions with the prey to move, those with the hunter to move, and every move that
//! either side may make.

use errare_core::{Metric, Outcome, Stopped, Watch};
use errare_tables::{Census, CensusEntry, Destination, Successor};
use shakmaty::Color;

use super::{
    HuntError, Quarry, Scope, extrapolation,
    nodes::{End, Nodes},
};
use crate::{ChainState, States, destination, state::step_exits};

/// The graph.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) prey: Nodes,
    pub(super) hunter: Nodes,
}

/// A move that is not considered.
const DROPPED: u16 = u16::MAX;
/// Added to the number of a state if the move ends the metric's phase.
const EXIT: u16 = 0x100;

/// The result of the first pass for a position.
#[derive(Clone, Copy)]
struct Head {
    index: u32,
    depth: u8,
    moves: u8,
    orbit: u8,
}

impl Graph {
    pub(super) fn new(
        quarry: &Quarry<'_>,
        room: u64,
        memory: Budget<'_>,
        watch: &dyn Watch,
    ) -> Result<Graph, HuntError> {
        let sides = [quarry.prey, !quarry.prey].map(|mover| Side { quarry, mover });
        let size = Size::of(&sides, room, watch)?;
        let Size {
            positions, moves, ..
        } = size;
        watch.tell(&format!(
            "hunting in {} takes {} MiB: {positions} positions with {moves} moves",
            quarry.material,
            size.needed >> 20
        ));
        HuntError::refuse_beyond(memory(size.needed)?, size.needed, quarry.material)?;
        let [prey, hunter] = sides;
        let stored = prey.census()?.stored();
        watch.begin("numbering positions", Some(2 * stored));
        let (mut prey_nodes, prey_ranks) = prey.nodes(watch)?;
        let (mut hunter_nodes, hunter_ranks) = hunter.nodes(watch)?;
        watch.begin("collecting moves", Some(2 * stored));
        prey.fill(
            &mut prey_nodes,
            &prey_ranks,
            &hunter_ranks,
            hunter_nodes.len(),
            watch,
        )?;
        hunter.fill(
            &mut hunter_nodes,
            &hunter_ranks,
            &prey_ranks,
            prey_nodes.len(),
            watch,
        )?;
        Ok(Graph {
            prey: prey_nodes,
            hunter: hunter_nodes,
        })
    }
}

/// One side of a hunt.
#[derive(Clone, Copy)]
struct Side<'a> {
    quarry: &'a Quarry<'a>,
    mover: Color,
}

impl<'a> Side<'a> {
    /// Converts a value from the mover's to the prey's view.
    fn for_prey(self, value: i32) -> i32 {
        if self.mover == self.quarry.prey {
            value
        } else {
            -value
        }
    }

    /// The moves of the included positions.
    fn census(self) -> Result<Census<'a>, HuntError> {
        let Side { quarry, mover } = self;
        let (oracle, states, scope) = (quarry.oracle, quarry.states, quarry.scope);
        let metric = oracle.metric();
        let is_prey = mover == quarry.prey;
        let kind = move |to: Destination| {
            let exits = step_exits(to.step, metric);
            let state = destination(to.after, metric, exits);
            let value = self.for_prey(state.value());
            let considered = match is_prey {
                true => scope.follows(value) || scope.risks_value(),
                false => scope.follows(value),
            };
            match ChainState::of(state, mover) {
                _ if !considered => DROPPED,
                // The census also numbers destinations that no table holds.
                ChainState::Win(depth) if depth > states.white => DROPPED,
                ChainState::Loss(depth) if depth > states.black => DROPPED,
                state => states.number(state) as u16 | if exits { EXIT } else { 0 },
            }
        };
        let store = oracle.prober().store();
        let census = Census::new(store, quarry.material, metric, mover, kind)?;
        Ok(census.only(move |outcome| scope.follows(self.for_prey(outcome.sign()))))
    }

    fn depth(self, outcome: Outcome) -> u8 {
        let metric = self.quarry.oracle.metric();
        match self.quarry.scope {
            Scope::Draws | Scope::DrawsAndWins => 0,
            _ => outcome.moves_in(metric).map_or(0, |moves| moves.0 as u8),
        }
    }

    /// The numbers of positions and moves.
    fn count(self, watch: &dyn Watch) -> Result<(u64, u64), HuntError> {
        Ok(self.census()?.fold(
            watch,
            || (0, 0),
            |(positions, moves), entry| {
                *positions += 1;
                *moves += considered(entry).max(1) as u64;
            },
            |sum, part| *sum = (sum.0 + part.0, sum.1 + part.1),
        )?)
    }

    /// The nodes in order of depth, with room for their moves; and the node at each stored index.
    fn nodes(self, watch: &dyn Watch) -> Result<(Nodes, Vec<u32>), HuntError> {
        let census = self.census()?;
        let head = |entry: &CensusEntry<'_>| Head {
            index: entry.index,
            depth: self.depth(entry.outcome),
            // Without moves play is over: a single move leads to the end.
            moves: considered(entry).max(1) as u8,
            orbit: entry.weight as u8,
        };
        let heads: Vec<Head> = census.fold(
            watch,
            Vec::new,
            |heads, entry| heads.push(head(entry)),
            |heads, mut part| heads.append(&mut part),
        )?;
        let deepest = heads.iter().map(|head| usize::from(head.depth)).max();
        let mut levels = vec![0; deepest.unwrap_or(0) + 2];
        for head in &heads {
            levels[usize::from(head.depth) + 1] += 1;
        }
        for depth in 1..levels.len() {
            levels[depth] += levels[depth - 1];
        }
        let mut next = levels.clone();
        let mut ranks = vec![u32::MAX; census.stored() as usize];
        let mut nodes = Nodes {
            indices: vec![0; heads.len()],
            orbits: vec![0; heads.len()],
            levels,
            // First the number of moves of each, then where they end.
            starts: vec![0; heads.len() + 1],
            targets: Vec::new(),
            states: Vec::new(),
        };
        for head in &heads {
            let node = next[usize::from(head.depth)];
            next[usize::from(head.depth)] += 1;
            ranks[head.index as usize] = node as u32;
            nodes.indices[node] = head.index;
            nodes.orbits[node] = head.orbit;
            nodes.starts[node + 1] = head.moves.into();
        }
        for node in 1..nodes.starts.len() {
            nodes.starts[node] += nodes.starts[node - 1];
        }
        let moves = nodes.starts[heads.len()] as usize;
        nodes.targets = vec![0; moves];
        nodes.states = vec![0; moves];
        Ok((nodes, ranks))
    }

    /// Fills in the moves: `others` has the numbers of the other side's nodes, followed by the ends.
    fn fill(
        self,
        nodes: &mut Nodes,
        ranks: &[u32],
        others: &[u32],
        ends: usize,
        watch: &dyn Watch,
    ) -> Result<(), HuntError> {
        let Quarry { states, scope, .. } = *self.quarry;
        let end = |value: i32| (ends + End::of(value) as usize) as u32;
        /// The moves of consecutive positions, and whether one leads out of the table.
        #[derive(Default)]
        struct Part {
            indices: Vec<u32>,
            targets: Vec<u32>,
            states: Vec<u8>,
            leaves: bool,
        }
        let add = |part: &mut Part, entry: &CensusEntry<'_>| {
            part.indices.push(entry.index);
            let moves = entry.kinds.iter().zip(entry.successors);
            let mut any = false;
            for (&kind, &successor) in moves.filter(|(kind, _)| **kind != DROPPED) {
                any = true;
                let state = (kind & !EXIT) as u8;
                let seen = states.state(state.into()).seen_by(self.mover);
                let value = self.for_prey(seen.value());
                let target = match successor {
                    _ if kind & EXIT != 0 || !scope.follows(value) => end(value),
                    Successor::ELSEWHERE => {
                        part.leaves = true;
                        end(value)
                    }
                    successor => others[successor.index() as usize],
                };
                part.targets.push(target);
                part.states.push(state);
            }
            if !any {
                part.targets.push(end(self.for_prey(entry.outcome.sign())));
                part.states.push(0);
            }
        };
        let mut leaves = false;
        let merge = |_: &mut Part, part: Part| {
            leaves |= part.leaves;
            let mut from = 0;
            for index in part.indices {
                let node = ranks[index as usize] as usize;
                let range = nodes.range(node);
                let len = range.len();
                nodes.targets[range.clone()].copy_from_slice(&part.targets[from..from + len]);
                nodes.states[range].copy_from_slice(&part.states[from..from + len]);
                from += len;
            }
        };
        let census = self.census()?.with_successors();
        census.fold(watch, Part::default, add, merge)?;
        let metric = self.quarry.oracle.metric();
        match metric {
            _ if !leaves => Ok(()),
            Metric::Dtm | Metric::Dtr => Err(HuntError::LeavesEndgame { metric }),
            Metric::Dtc | Metric::Dtz => Err(HuntError::EnPassant),
        }
    }
}

/// The number of moves of a position that are considered.
fn considered(entry: &CensusEntry<'_>) -> usize {
    entry.kinds.iter().filter(|&&kind| kind != DROPPED).count()
}

/// Given the bytes that are needed, says how many may be used; it may wait for others to free some.
pub(super) type Budget<'a> = &'a dyn Fn(u64) -> Result<u64, Stopped>;

/// How large a hunt is.
pub(super) struct Size {
    positions: u64,
    moves: u64,
    /// The bytes of memory it takes beside the tables.
    pub(super) needed: u64,
}

impl Size {
    /// The size of a hunt with this many extra bytes for each position of the prey.
    pub(super) fn new(
        quarry: &Quarry<'_>,
        room: u64,
        watch: &dyn Watch,
    ) -> Result<Size, HuntError> {
        let sides = [quarry.prey, !quarry.prey].map(|mover| Side { quarry, mover });
        Size::of(&sides, room, watch)
    }

    fn of(sides: &[Side<'_>; 2], room: u64, watch: &dyn Watch) -> Result<Size, HuntError> {
        let stored = sides[0].census()?.stored();
        watch.begin("counting positions", Some(2 * stored));
        let [prey, hunter] = [sides[0].count(watch)?, sides[1].count(watch)?];
        let (positions, moves) = (prey.0 + hunter.0, prey.1 + hunter.1);
        let graph = Nodes::bytes_of(positions, moves);
        // While moves are collected, memory also holds the node at each index, for both sides, and all moves of one
        // side again.
        let collected = |(positions, moves): (u64, u64)| moves * (4 + 1) + positions * 4;
        let building = 2 * 4 * stored + collected(prey).max(collected(hunter));
        let solving = match sides[0].quarry.scope {
            // Lengths: a value and a depth on both sides, and the rounds to extrapolate from.
            Scope::Wins => prey.0 * (8 + 1 + extrapolation::BYTES_A_NODE) + hunter.0 * (8 + 1),
            // Otherwise chances of ever winning take most: two bounds on both sides and the result.
            _ => prey.0 * 3 * 8 + hunter.0 * 2 * 8,
        };
        // Another player's policy is a flag a move.
        let solving = solving + hunter.1;
        Ok(Size {
            positions,
            moves,
            needed: graph + building.max(solving) + room * prey.0,
        })
    }
}

/// Do the numbers of an endgame's states fit into a byte?
pub(super) fn numbers_fit(states: States) -> bool {
    states.len() <= usize::from(u8::MAX) + 1
}
