//! Retrograde analysis ply by ply, for the metrics that count plies to some event: DTM, DTC and
//! DTZ.
//!
//! In ply *n* a position is settled as won if a quiet move leads to a position lost in *n* - 1, or
//! if it has a winning exit of cost *n* - 1. It is settled as lost if all its quiet moves lead to
//! positions won in less than *n* plies and all its exits lose at a cost below *n*; such a position
//! can only be one from which a quiet move leads to a position won in *n* - 1, or whose costliest
//! exit has cost *n* - 1.

use std::ops::ControlFlow;

use rayon::prelude::*;
use shakmaty::Color;

use super::{Abort, exits::Exits, frontier::Frontier, half::Half, moves::QuietMoves};
use crate::{
    geometry::{Word, squares},
    layout::{LANES, side},
};

/// Settles every position of a slice. On entry the depths of the halves hold the costs of the
/// exits; on return, the depths of the positions. `each_ply` is called before each ply and may stop
/// the work.
pub(crate) fn solve(
    moves: &QuietMoves<'_>,
    halves: &mut [Half; 2],
    exits: &[Exits; 2],
    mut each_ply: impl FnMut(u16) -> ControlFlow<Abort>,
) -> ControlFlow<Abort> {
    let solver = Solver::new(moves, halves, exits);
    let new = || {
        let frontier = || Frontier::new(solver.pairs, solver.rows);
        [frontier(), frontier()]
    };
    let (mut won, mut lost) = (new(), new());
    let (mut next_won, mut next_lost) = (new(), new());
    for turn in Color::ALL {
        solver.mates(turn, halves, &mut lost[side(turn)]);
    }
    for ply in 1.. {
        let quiet = won.iter().chain(&lost).all(Frontier::is_empty);
        if quiet && solver.nothing_due_from(ply - 1) {
            return ControlFlow::Continue(());
        }
        let Ok(depth) = u8::try_from(ply) else {
            return ControlFlow::Break(Abort::TooDeep);
        };
        each_ply(ply)?;
        for turn in Color::ALL {
            let (next, won) = (&mut next_lost[side(turn)], &won[side(!turn)]);
            solver.losses(turn, depth, halves, won, next);
        }
        for turn in Color::ALL {
            let (next, lost) = (&mut next_won[side(turn)], &lost[side(!turn)]);
            solver.wins(turn, depth, halves, lost, next);
        }
        std::mem::swap(&mut won, &mut next_won);
        std::mem::swap(&mut lost, &mut next_lost);
    }
    unreachable!("depths are bounded")
}

struct Solver<'a> {
    moves: &'a QuietMoves<'a>,
    exits: &'a [Exits; 2],
    pairs: usize,
    rows: usize,
    /// By side to move.
    due: [Due; 2],
}

impl<'a> Solver<'a> {
    fn new(moves: &'a QuietMoves<'a>, halves: &[Half; 2], exits: &'a [Exits; 2]) -> Solver<'a> {
        let layout = moves.layout();
        let (pairs, rows) = (layout.kings.pairs.len(), layout.rows.len());
        let due = Color::ALL.map(|turn| Due::new(rows, &halves[side(turn)], &exits[side(turn)]));
        Solver {
            moves,
            exits,
            pairs,
            rows,
            due,
        }
    }

    /// Does no exit cost this much or more?
    fn nothing_due_from(&self, cost: u16) -> bool {
        self.due.iter().all(|due| {
            due.greatest
                .is_none_or(|greatest| u16::from(greatest) < cost)
        })
    }

    /// Settles mated positions: in check, without a quiet move to a legal position and without an
    /// exit.
    fn mates(&self, turn: Color, halves: &mut [Half; 2], found: &mut Frontier) {
        let [this, other] = split(halves, turn);
        let exits = &self.exits[side(turn)];
        let rows = self.rows;
        found
            .pairs_mut()
            .zip(this.lost.par_chunks_mut(rows))
            .enumerate()
            .with_min_len(self.min_len())
            .for_each(|(pair, (mut found, lost))| {
                for (row, lost) in lost.iter_mut().enumerate() {
                    let i = pair * rows + row;
                    let check = this.legal[i] & !other.legal[i] & !exits.any(i);
                    if check != 0 {
                        let mated =
                            self.moves
                                .without_move_into(turn, pair, row, check, &other.legal);
                        if mated != 0 {
                            *lost = mated;
                            found.add(row, mated);
                        }
                    }
                }
            });
        // Mate is depth 0; the depth of a position without exit is 0 already.
    }

    /// Settles positions lost in this many plies.
    fn losses(
        &self,
        turn: Color,
        depth: u8,
        halves: &mut [Half; 2],
        won: &Frontier,
        found: &mut Frontier,
    ) {
        let [this, other] = split(halves, turn);
        let exits = &self.exits[side(turn)];
        let rows = self.rows;
        let due = &self.due[side(turn)];
        found
            .pairs_mut()
            .zip(this.lost.par_chunks_mut(rows))
            .zip(this.depth.par_chunks_mut(rows * LANES))
            .enumerate()
            .with_min_len(self.min_len())
            .for_each_init(
                || vec![0; rows],
                |reached, (pair, ((mut found, lost), depths))| {
                    found.clear();
                    let due = due.rows(pair, depth - 1);
                    if due.is_empty() && !self.moves.may_reach(turn, pair, won) {
                        return;
                    }
                    reached.fill(0);
                    self.moves.reach(turn, pair, won, reached);
                    for &(_, row) in due {
                        let row = usize::from(row);
                        let depths = &depths[row * LANES..][..LANES];
                        reached[row] |= exits.loss[pair * rows + row] & equal(depths, depth - 1);
                    }
                    for (row, &reached) in reached.iter().enumerate() {
                        let i = pair * rows + row;
                        let mut candidates = reached & this.open[i] & !lost[row] & !exits.saved(i);
                        if candidates == 0 {
                            continue;
                        }
                        let depths = &mut depths[row * LANES..][..LANES];
                        for lane in squares(candidates & exits.loss[i]) {
                            if depths[usize::from(lane)] >= depth {
                                candidates &= !(1 << lane);
                            }
                        }
                        let settled =
                            self.moves
                                .without_move_into(turn, pair, row, candidates, &other.open);
                        if settled != 0 {
                            lost[row] |= settled;
                            set(depths, settled, depth);
                            found.add(row, settled);
                        }
                    }
                },
            );
    }

    /// Settles positions won in this many plies.
    fn wins(
        &self,
        turn: Color,
        depth: u8,
        halves: &mut [Half; 2],
        lost: &Frontier,
        found: &mut Frontier,
    ) {
        let [this, _] = split(halves, turn);
        let exits = &self.exits[side(turn)];
        let rows = self.rows;
        let due = &self.due[side(turn)];
        found
            .pairs_mut()
            .zip(this.open.par_chunks_mut(rows))
            .zip(this.depth.par_chunks_mut(rows * LANES))
            .enumerate()
            .with_min_len(self.min_len())
            .for_each_init(
                || vec![0; rows],
                |reached, (pair, ((mut found, open), depths))| {
                    found.clear();
                    let due = due.rows(pair, depth - 1);
                    if due.is_empty() && !self.moves.may_reach(turn, pair, lost) {
                        return;
                    }
                    reached.fill(0);
                    self.moves.reach(turn, pair, lost, reached);
                    for &(_, row) in due {
                        let row = usize::from(row);
                        let depths = &depths[row * LANES..][..LANES];
                        reached[row] |= exits.win[pair * rows + row] & equal(depths, depth - 1);
                    }
                    for (row, &reached) in reached.iter().enumerate() {
                        let settled = reached & open[row];
                        if settled != 0 {
                            open[row] &= !settled;
                            set(&mut depths[row * LANES..][..LANES], settled, depth);
                            found.add(row, settled);
                        }
                    }
                },
            );
    }

    /// The number of pairs of kings that makes a task worth its overhead: those of a few thousand
    /// rows.
    fn min_len(&self) -> usize {
        const ROWS_A_TASK: usize = 4096;
        ROWS_A_TASK.div_ceil(self.rows)
    }
}

/// When exits become due: the rows with an exit of each cost.
struct Due {
    /// By pair of kings: cost and row, sorted.
    rows: Vec<Vec<(u8, u16)>>,
    /// The greatest cost.
    greatest: Option<u8>,
}

impl Due {
    fn new(rows: usize, half: &Half, exits: &Exits) -> Due {
        let costs = |i: usize| {
            let mut seen = [0u64; 4];
            for lane in squares(exits.win[i] | exits.loss[i]) {
                let cost = half.depth[i * LANES + usize::from(lane)];
                seen[usize::from(cost / 64)] |= 1 << (cost % 64);
            }
            (0..4).flat_map(move |i| squares(seen[usize::from(i)]).map(move |cost| 64 * i + cost))
        };
        let rows: Vec<Vec<(u8, u16)>> = (0..half.legal.len() / rows)
            .into_par_iter()
            .map(|pair| {
                let due = (0..rows)
                    .flat_map(|row| costs(pair * rows + row).map(move |cost| (cost, row as u16)));
                let mut due: Vec<_> = due.collect();
                due.sort_unstable();
                due
            })
            .collect();
        let greatest = rows
            .iter()
            .filter_map(|due| due.last())
            .map(|&(cost, _)| cost)
            .max();
        Due { rows, greatest }
    }

    /// The rows of a pair of kings with an exit of this cost.
    fn rows(&self, pair: usize, cost: u8) -> &[(u8, u16)] {
        let due = &self.rows[pair];
        let start = due.partition_point(|&(other, _)| other < cost);
        let end = due.partition_point(|&(other, _)| other <= cost);
        &due[start..end]
    }
}

/// The half with `turn` to move, and the other one.
fn split(halves: &mut [Half; 2], turn: Color) -> [&mut Half; 2] {
    let [white, black] = halves;
    match turn {
        Color::White => [white, black],
        Color::Black => [black, white],
    }
}

/// The lanes with this depth.
#[inline]
fn equal(depths: &[u8], depth: u8) -> Word {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const ONES: u64 = 0x0101_0101_0101_0101;
    let (eights, _) = depths.as_chunks::<8>();
    let mut lanes = 0;
    for (i, eight) in eights.iter().enumerate() {
        // Eight comparisons at once: a byte of `different` is zero where the depth is equal.
        let different = u64::from_le_bytes(*eight) ^ (ONES * u64::from(depth));
        let zero = !(((different & !HIGH) + !HIGH) | different) & HIGH;
        // Gather the eight high bits into one byte.
        let gathered = (zero >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        lanes |= gathered << (8 * i);
    }
    lanes
}

#[inline]
fn set(depths: &mut [u8], lanes: Word, depth: u8) {
    for lane in squares(lanes) {
        depths[usize::from(lane)] = depth;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_depths_are_found() {
        let depths: Vec<u8> = (0..64)
            .map(|i| [0, 1, 127, 128, 129, 255, 7][i % 7])
            .collect();
        for depth in 0..=255 {
            let expected = (0..64)
                .filter(|&i| depths[i] == depth)
                .fold(0, |set, i| set | 1 << i);
            assert_eq!(equal(&depths, depth), expected, "{depth}");
        }
    }
}
