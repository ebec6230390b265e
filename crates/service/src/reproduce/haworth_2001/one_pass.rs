//! The one-pass rule of Haworth (2001), and where it fails.
//!
//! "Position P[dr, dzr] potentially backs up to P[max(dr, dzr+1), dzr+1]": each position keeps one pair, the depth
//! by the rule and the distance to the next zeroing move, and the side to move chooses by dr, then by dzr. The fixed
//! point is found by going through all positions until none changes.

use errare_core::{Material, Metric, Outcome, Watch};
use errare_tables::{Census, CensusEntry, CensusStep, Destination, Store, Successor};
use shakmaty::Color;

use crate::Error;

/// The rule compared with the table.
pub(super) struct Compared {
    /// Positions of the full board, with the winner to move, whose depth differs.
    pub(super) wrong: u64,
    /// The deepest win in plies, according to the rule and to the table.
    pub(super) deepest: [u16; 2],
}

/// The pair of a position that is not settled yet.
const UNKNOWN: u16 = u16::MAX;
/// Marks a kind as the dr of a subgame reached by a zeroing move.
const ZEROING: u16 = 0x100;
/// The kind of a move that changes the value.
const DROPPED: u16 = u16::MAX;

fn pair(dr: u16, dzr: u16) -> u16 {
    dr << 8 | dzr
}

/// The pair before a move that does not zero.
fn before(after: u16) -> u16 {
    let (dr, dzr) = (after >> 8, after & 0xff);
    pair(dr.max(dzr + 1), dzr + 1)
}

/// Positions of one side and their moves.
#[derive(Default)]
struct Side {
    /// Index, weight on the full board, dr from the table, and the end of its moves.
    positions: Vec<(u32, u32, u16, usize)>,
    /// The index of the position after each move, or the pair before it if it zeroes.
    moves: Vec<Result<u32, u16>>,
}

impl Side {
    /// The won (`sign` 1) or lost (-1) positions of a side.
    fn of(
        store: &Store,
        material: Material,
        turn: Color,
        sign: i32,
        watch: &dyn Watch,
    ) -> Result<Side, Error> {
        let kind = |to: Destination| match to.after {
            after if -after.sign() != sign => DROPPED,
            after if to.step == CensusStep::Quiet => after.plies().map_or(0, |plies| plies.0),
            after => ZEROING | after.plies().map_or(0, |plies| plies.0),
        };
        let census = Census::new(store, material, Metric::Dtr, turn, kind)?
            .only(|outcome: Outcome| outcome.sign() == sign)
            .with_successors();
        let add = |side: &mut Side, entry: &CensusEntry<'_>| {
            for (&kind, &successor) in entry.kinds.iter().zip(entry.successors) {
                if kind == DROPPED {
                    continue;
                }
                side.moves.push(
                    match kind & ZEROING != 0 || successor == Successor::ELSEWHERE {
                        true => Err(pair((kind & 0xff).max(1), 1)),
                        false => Ok(successor.index()),
                    },
                );
            }
            let depth = entry.outcome.plies().map_or(0, |plies| plies.0);
            side.positions
                .push((entry.index, entry.weight, depth, side.moves.len()));
        };
        let merge = |all: &mut Side, part: Side| {
            let offset = all.moves.len();
            let shifted = part
                .positions
                .into_iter()
                .map(|(index, weight, depth, end)| (index, weight, depth, end + offset));
            all.positions.extend(shifted);
            all.moves.extend(part.moves);
        };
        Ok(census.fold(watch, Side::default, add, merge)?)
    }

    /// Goes through all positions once; returns whether a pair changed.
    fn sweep(
        &self,
        own: &mut [u16],
        other: &[u16],
        best: impl Fn(&mut dyn Iterator<Item = u16>) -> u16,
    ) -> bool {
        let mut changed = false;
        let mut start = 0;
        for &(index, _, _, end) in &self.positions {
            let mut pairs = self.moves[start..end].iter().map(|&m| match m {
                Err(pair) => pair,
                Ok(after) => match other[after as usize] {
                    UNKNOWN => UNKNOWN,
                    after => before(after),
                },
            });
            let found = best(&mut pairs);
            changed |= std::mem::replace(&mut own[index as usize], found) != found;
            start = end;
        }
        changed
    }
}

/// Applies the rule to the wins of one side.
pub(super) fn compare(
    store: &Store,
    material: Material,
    winner: Color,
    watch: &dyn Watch,
) -> Result<Compared, Error> {
    let won = Side::of(store, material, winner, 1, watch)?;
    let lost = Side::of(store, material, !winner, -1, watch)?;
    let size = |side: &Side| {
        side.positions
            .iter()
            .map(|p| p.0 as usize + 1)
            .max()
            .unwrap_or(0)
    };
    let stored = size(&won).max(size(&lost));
    let (mut wins, mut losses) = (vec![UNKNOWN; stored], vec![UNKNOWN; stored]);
    loop {
        watch.check()?;
        // A loser without moves is mated; an unknown reply leaves the position unknown.
        let lost_changed = lost.sweep(&mut losses, &wins, |pairs| pairs.max().unwrap_or(0));
        let won_changed = won.sweep(&mut wins, &losses, |pairs| pairs.min().unwrap_or(UNKNOWN));
        if !lost_changed && !won_changed {
            break;
        }
    }
    let wrong = won
        .positions
        .iter()
        .filter(|&&(index, _, depth, _)| wins[index as usize] >> 8 != depth)
        .map(|&(_, weight, ..)| u64::from(weight))
        .sum();
    let by_rule = |position: &(u32, u32, u16, usize)| wins[position.0 as usize] >> 8;
    let by_table = |position: &(u32, u32, u16, usize)| position.2;
    let deepest = [
        won.positions.iter().map(by_rule).max().unwrap_or(0),
        won.positions.iter().map(by_table).max().unwrap_or(0),
    ];
    Ok(Compared { wrong, deepest })
}
