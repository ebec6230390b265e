//! DTR, depth by the rule: the least *k* such that the win stands under a *k*-ply rule.
//!
//! Let *K_n(P)* be the least level *k* such that, from *P*, the winner can force mate or a zeroing
//! move into a position of DTR at most *k* within *n* plies. It is the minimax value, with a horizon
//! of *n* plies, of the level of the exit taken, and it falls as *n* grows. A *k*-ply rule leaves the
//! win standing iff *K_k(P)* <= *k*, so
//!
//! > dr(P) = min over *n* of max(*n*, *K_n(P)*),
//!
//! which is computed as the limit of *V_n(P)* = min(*V_(n-1)(P)*, max(*n*, opt *V_(n-1)(Q)*)) over the
//! successors *Q* and the exits, opt being the least for the winner and the greatest for the loser.
//! This agrees with the definition by levels of the DTZ under each *k*-ply rule, and needs one pass
//! of *n* instead of one for each level. The single pass over pairs (dr, dzr) in Haworth (2001),
//! *Depth by The Rule*, is not exact: a position may have to be improved again after it was first
//! reached.
//!
//! Where no exit has a level above *n* any more, dr = dz; so *n* only runs to the greatest level.

use std::ops::ControlFlow;

use rayon::prelude::*;
use shakmaty::{Bitboard, Color, Square, attacks};

use super::{Abort, exits::Exits, frontier::Frontier, half::Half, moves::QuietMoves};
use crate::{
    geometry::{Symmetry, Word, bit, squares},
    layout::{LANES, side},
};

/// A level above all levels.
const INFINITE: u8 = u8::MAX;

/// The DTR of every position of a slice with known DTZ, given exits whose costs are DTR.
pub(crate) fn depth_by_the_rule(
    moves: &QuietMoves<'_>,
    solved: &[Half; 2],
    exits: &[Exits; 2],
    mut each_ply: impl FnMut(u16) -> ControlFlow<Abort>,
) -> ControlFlow<Abort, [Vec<u8>; 2]> {
    let greatest_level = exits.iter().map(greatest_cost).max().unwrap_or(0);
    if greatest_level == INFINITE {
        return ControlFlow::Break(Abort::TooDeep);
    }
    let mut rule = Rule::new(moves, solved, exits);
    for ply in 1..=greatest_level {
        each_ply(u16::from(ply))?;
        if !rule.step(ply) {
            break;
        }
    }
    ControlFlow::Continue(rule.finish())
}

fn greatest_cost(exits: &Exits) -> u8 {
    (0..exits.win.len())
        .into_par_iter()
        .flat_map_iter(|i| {
            squares(exits.win[i] | exits.loss[i])
                .map(move |lane| exits.cost[i * LANES + usize::from(lane)])
        })
        .max()
        .unwrap_or(0)
}

struct Rule<'a> {
    moves: &'a QuietMoves<'a>,
    solved: &'a [Half; 2],
    exits: &'a [Exits; 2],
    rows: usize,
    /// By side to move and lane: *V_n* of won positions; 0 for illegal positions, so that a maximum
    /// ignores them.
    wins: [Vec<u8>; 2],
    /// *V_n* of lost positions; infinite elsewhere, so that a minimum ignores them.
    losses: [Vec<u8>; 2],
    /// Positions that changed in the last ply.
    changed_wins: [Frontier; 2],
    changed_losses: [Frontier; 2],
}

/// The new values of some positions of a row.
struct Update {
    row: usize,
    positions: Word,
    values: [u8; LANES],
}

impl<'a> Rule<'a> {
    fn new(moves: &'a QuietMoves<'a>, solved: &'a [Half; 2], exits: &'a [Exits; 2]) -> Rule<'a> {
        let layout = moves.layout();
        let rows = layout.rows.len();
        let frontiers = || {
            let frontier = || Frontier::new(layout.kings.pairs.len(), rows);
            [frontier(), frontier()]
        };
        let levels = |half: &Half| vec![INFINITE; half.depth.len()];
        let wins = solved.each_ref().map(|half| {
            let mut wins = levels(half);
            wins.par_chunks_mut(LANES)
                .zip(&half.legal)
                .for_each(|(wins, legal)| set_lanes(wins, !legal, 0));
            wins
        });
        let mut rule = Rule {
            moves,
            solved,
            exits,
            rows,
            wins,
            losses: solved.each_ref().map(levels),
            changed_wins: frontiers(),
            changed_losses: frontiers(),
        };
        rule.start_from_mates();
        rule
    }

    /// *V_0*: mate is lost under any rule.
    fn start_from_mates(&mut self) {
        let rows = self.rows;
        for side in [0, 1] {
            let (half, exits) = (&self.solved[side], &self.exits[side]);
            self.changed_losses[side]
                .pairs_mut()
                .zip(self.losses[side].par_chunks_mut(rows * LANES))
                .enumerate()
                .for_each(|(pair, (mut changed, losses))| {
                    for row in 0..rows {
                        let i = pair * rows + row;
                        for lane in squares(half.lost[i] & !exits.any(i)) {
                            let lane = usize::from(lane);
                            if half.depth[i * LANES + lane] == 0 {
                                losses[row * LANES + lane] = 0;
                                changed.add(row, 1 << lane);
                            }
                        }
                    }
                });
        }
    }

    /// Steps from *V_(n-1)* to *V_n*; false if nothing changed or ever will.
    fn step(&mut self, ply: u8) -> bool {
        // Compute both from the values of the last ply before storing either.
        let updates = Color::ALL.map(|turn| {
            let losses = self.updates(turn, ply, Kind::Loss);
            let wins = self.updates(turn, ply, Kind::Win);
            (losses, wins)
        });
        let mut any = false;
        for (side, (losses, wins)) in updates.into_iter().enumerate() {
            let apply =
                |updates: Vec<Vec<Update>>, values: &mut Vec<u8>, changed: &mut Frontier| {
                    let rows = values.par_chunks_mut(self.rows * LANES);
                    changed.pairs_mut().zip(rows).zip(updates).for_each(
                        |((mut changed, values), updates)| {
                            changed.clear();
                            for update in updates {
                                for lane in squares(update.positions) {
                                    let lane = usize::from(lane);
                                    values[update.row * LANES + lane] = update.values[lane];
                                }
                                changed.add(update.row, update.positions);
                            }
                        },
                    );
                    !changed.is_empty()
                };
            any |= apply(
                losses,
                &mut self.losses[side],
                &mut self.changed_losses[side],
            );
            any |= apply(wins, &mut self.wins[side], &mut self.changed_wins[side]);
        }
        any
    }

    /// The changes of ply *n*, by pair of kings.
    fn updates(&self, turn: Color, ply: u8, kind: Kind) -> Vec<Vec<Update>> {
        // Wins depend on the other side's losses, losses on its wins.
        let changed = match kind {
            Kind::Win => &self.changed_losses[side(!turn)],
            Kind::Loss => &self.changed_wins[side(!turn)],
        };
        (0..self.moves.layout().kings.pairs.len())
            .into_par_iter()
            .map_init(
                || vec![0; self.rows],
                |reached, pair| {
                    if ply > 1 && !self.moves.may_reach(turn, pair, changed) {
                        return Vec::new();
                    }
                    reached.fill(0);
                    self.moves.reach(turn, pair, changed, reached);
                    let rows = reached.iter().enumerate();
                    let update = |(row, &reached)| self.update(turn, ply, kind, pair, row, reached);
                    rows.filter_map(update).collect()
                },
            )
            .collect()
    }

    /// The changes of a row, some positions of which reach what changed in the last ply.
    #[inline]
    fn update(
        &self,
        turn: Color,
        ply: u8,
        kind: Kind,
        pair: usize,
        row: usize,
        reached: Word,
    ) -> Option<Update> {
        let (half, exits) = (&self.solved[side(turn)], &self.exits[side(turn)]);
        let i = pair * self.rows + row;
        let (decided, exiting, levels, source) = match kind {
            Kind::Win => {
                let (levels, source) = (&self.wins[side(turn)], &self.losses[side(!turn)]);
                (half.won(i), exits.win[i], levels, source)
            }
            Kind::Loss => {
                let (levels, source) = (&self.losses[side(turn)], &self.wins[side(!turn)]);
                (half.lost[i], exits.loss[i], levels, source)
            }
        };
        let levels = &levels[i * LANES..][..LANES];
        let begun = if ply == 1 { exiting } else { 0 };
        // Values settled at ply n or earlier cannot decrease.
        let candidates = squares((reached | begun) & decided)
            .filter(|&lane| levels[usize::from(lane)] > ply)
            .fold(0, |set, lane| set | bit(lane));
        if candidates == 0 {
            return None;
        }
        let mut values = self.best_move(turn, pair, row, candidates, source, kind);
        let mut improved = 0;
        for lane in squares(candidates) {
            let value = &mut values[usize::from(lane)];
            if exiting & bit(lane) != 0 {
                *value = kind.better(*value, exits.cost[i * LANES + usize::from(lane)]);
            }
            *value = (*value).max(ply);
            if *value < levels[usize::from(lane)] {
                improved |= bit(lane);
            }
        }
        (improved != 0).then_some(Update {
            row,
            positions: improved,
            values,
        })
    }

    /// For each candidate of a row, the best value that its quiet moves lead to.
    fn best_move(
        &self,
        turn: Color,
        pair: usize,
        row: usize,
        candidates: Word,
        source: &[u8],
        kind: Kind,
    ) -> [u8; LANES] {
        let rows = self.rows;
        let layout = self.moves.layout();
        let row_of = |i: usize| &source[i * LANES..][..LANES];
        let mut best = [kind.worst(); LANES];
        self.moves
            .outer_moves(turn, pair, row, |other, unobstructed| {
                let values = row_of(pair * rows + other);
                // Process the whole row; the few blocked lanes get their values back.
                let mut kept = [(0, 0); 8];
                let mut count = 0;
                for lane in squares(!unobstructed & candidates) {
                    kept[count] = (lane, best[usize::from(lane)]);
                    count += 1;
                }
                kind.better_of_rows(&mut best, values);
                for &(lane, value) in &kept[..count] {
                    best[usize::from(lane)] = value;
                }
            });
        let inner = layout.inner;
        if inner.color == turn {
            let values = row_of(pair * rows + row);
            let occupied = Bitboard(self.moves.occupied(pair, row));
            for lane in squares(candidates) {
                let best = &mut best[usize::from(lane)];
                let attacked = attacks::attacks(Square::new(u32::from(lane)), inner, occupied);
                for to in squares((attacked & !occupied).0) {
                    *best = kind.better(*best, values[usize::from(to)]);
                }
            }
        }
        for to in layout.kings.moves(turn, pair) {
            let values = row_of(to.pair() * rows + layout.rows.image(to.symmetry, row));
            if to.symmetry == Symmetry::IDENTITY {
                kind.better_of_rows(&mut best, values);
            } else {
                for lane in squares(candidates) {
                    let best = &mut best[usize::from(lane)];
                    let image = to.symmetry.square(lane);
                    *best = kind.better(*best, values[usize::from(image)]);
                }
            }
        }
        best
    }

    /// DTR of all positions: the value reached, and dz where no level mattered.
    fn finish(self) -> [Vec<u8>; 2] {
        let [white_wins, black_wins] = self.wins;
        let [white_losses, black_losses] = self.losses;
        let merge = |mut wins: Vec<u8>, losses: Vec<u8>, half: &Half| {
            wins.par_chunks_mut(LANES)
                .zip(losses.par_chunks(LANES))
                .zip(half.depth.par_chunks(LANES))
                .zip(&half.lost)
                .for_each(|(((levels, losses), zeroing), &lost)| {
                    for lane in squares(lost) {
                        levels[usize::from(lane)] = losses[usize::from(lane)];
                    }
                    for (level, &zeroing) in levels.iter_mut().zip(zeroing) {
                        if *level == INFINITE {
                            *level = zeroing;
                        }
                    }
                });
            wins
        };
        [
            merge(white_wins, white_losses, &self.solved[0]),
            merge(black_wins, black_losses, &self.solved[1]),
        ]
    }
}

/// Sets the values of some lanes of a row.
fn set_lanes(values: &mut [u8], lanes: Word, value: u8) {
    for lane in squares(lanes) {
        values[usize::from(lane)] = value;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Win,
    Loss,
}

impl Kind {
    /// A value worse than any move's.
    fn worst(self) -> u8 {
        match self {
            Kind::Win => INFINITE,
            Kind::Loss => 0,
        }
    }

    #[inline]
    fn better(self, one: u8, other: u8) -> u8 {
        match self {
            Kind::Win => one.min(other),
            Kind::Loss => one.max(other),
        }
    }

    /// The better of two values, lane by lane.
    #[inline]
    fn better_of_rows(self, best: &mut [u8; LANES], values: &[u8]) {
        let values: &[u8; LANES] = values.try_into().expect("a row");
        match self {
            Kind::Win => (0..LANES).for_each(|lane| best[lane] = best[lane].min(values[lane])),
            Kind::Loss => (0..LANES).for_each(|lane| best[lane] = best[lane].max(values[lane])),
        }
    }
}
