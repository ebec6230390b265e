//! Exits: the moves out of a pawn slice, into a subgame or another slice, already solved.
//!
//! Only the best exit of each position counts: the cheapest winning one, otherwise a drawing one,
//! otherwise the costliest losing one. What an exit costs depends on the metric, see
//! [`Family`](super::family::Family).

use rayon::prelude::*;

use errare_core::Outcome;

use crate::{
    Layout, Value,
    geometry::{Word, squares},
    layout::LANES,
};

/// The best exits of the positions of a slice with one side to move, row by row.
pub(crate) struct Exits {
    /// Positions with an exit that wins.
    pub(crate) win: Vec<Word>,
    /// Positions with an exit that draws.
    pub(crate) draw: Vec<Word>,
    /// Positions whose exits all lose.
    pub(crate) loss: Vec<Word>,
    /// By lane: the cost of the best exit that wins or loses.
    pub(crate) cost: Vec<u8>,
}

impl Exits {
    /// No exits.
    pub(crate) fn none(layout: &Layout) -> Exits {
        let rows = layout.kings.pairs.len() * layout.rows.len();
        Exits {
            win: vec![0; rows],
            draw: vec![0; rows],
            loss: vec![0; rows],
            cost: vec![0; rows * LANES],
        }
    }

    /// The positions of a row with an exit.
    #[inline]
    pub(crate) fn any(&self, row: usize) -> Word {
        self.win[row] | self.draw[row] | self.loss[row]
    }

    /// The positions of a row with an exit that does not lose.
    #[inline]
    pub(crate) fn saved(&self, row: usize) -> Word {
        self.win[row] | self.draw[row]
    }

    /// Mutable views of all rows of the slice, to be filled independently.
    pub(crate) fn rows_mut(&mut self) -> impl IndexedParallelIterator<Item = RowExits<'_>> {
        self.win
            .par_iter_mut()
            .zip(&mut self.draw)
            .zip(&mut self.loss)
            .zip(self.cost.par_chunks_mut(LANES))
            .map(|(((win, draw), loss), cost)| RowExits {
                win,
                draw,
                loss,
                cost,
            })
    }

    /// The exits under a rule of this many plies, if a cost is the exit's DTR: exits beyond the
    /// rule, winning or losing, only draw.
    pub(crate) fn under_rule(&self, layout: &Layout, plies: u8) -> Exits {
        let mut exits = Exits::none(layout);
        exits.rows_mut().enumerate().for_each(|(row, ruled)| {
            let costs = &self.cost[row * LANES..];
            let beyond = |exits: Word| {
                squares(exits)
                    .filter(|&lane| costs[usize::from(lane)] > plies)
                    .fold(0, |set, lane| set | 1 << lane)
            };
            let (win, loss) = (self.win[row], self.loss[row]);
            let drawn = beyond(win) | beyond(loss);
            *ruled.win = win & !drawn;
            *ruled.draw = self.draw[row] | drawn;
            *ruled.loss = loss & !drawn;
        });
        exits
    }
}

/// The exits of one row.
pub(crate) struct RowExits<'a> {
    win: &'a mut Word,
    draw: &'a mut Word,
    loss: &'a mut Word,
    cost: &'a mut [u8],
}

impl RowExits<'_> {
    /// Adds an exit, the same for all these positions, to a position with the given value for the
    /// other side, which is then to move.
    #[inline]
    pub(crate) fn add(&mut self, positions: Word, reached: Value, cost: u8) {
        match reached.outcome() {
            None => {}
            Some(Outcome::Loss(_)) => self.add_wins(positions, |_| cost),
            Some(Outcome::Draw) => self.add_draws(positions),
            Some(Outcome::Win(_)) => self.add_losses(positions, |_| cost),
        }
    }

    /// Adds winning exits with a cost per lane.
    #[inline]
    pub(crate) fn add_wins(&mut self, positions: Word, cost: impl Fn(usize) -> u8) {
        for lane in squares(positions) {
            let best = &mut self.cost[usize::from(lane)];
            let cost = cost(usize::from(lane));
            if *self.win & 1 << lane == 0 || cost < *best {
                *best = cost;
            }
        }
        *self.win |= positions;
        *self.loss &= !positions;
    }

    /// Adds drawing exits.
    #[inline]
    pub(crate) fn add_draws(&mut self, positions: Word) {
        *self.draw |= positions;
        *self.loss &= !positions;
    }

    /// Adds winning and losing exits that cost nothing.
    #[inline]
    pub(crate) fn add_free(&mut self, winning: Word, losing: Word) {
        *self.win |= winning;
        *self.loss = (*self.loss | losing) & !(*self.win | *self.draw);
    }

    /// Adds losing exits with a cost per lane.
    #[inline]
    pub(crate) fn add_losses(&mut self, positions: Word, cost: impl Fn(usize) -> u8) {
        let losing = positions & !(*self.win | *self.draw);
        for lane in squares(losing) {
            let best = &mut self.cost[usize::from(lane)];
            let cost = cost(usize::from(lane));
            if *self.loss & 1 << lane == 0 || cost > *best {
                *best = cost;
            }
        }
        *self.loss |= losing;
    }
}
